import { statSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { isoTime } from '../../context/time.ts'
import type { Session } from '../../model/session.ts'
import { identities } from '../../platforms/identities.ts'
import { finishSession, titleOf } from '../../render/text.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { archivesHere, vanishing } from '../../selection/vanishing.ts'
import { wayBack } from '../../selection/way-back.ts'
import { projectNames } from './listing.ts'
import { defineQuestion } from './question.ts'

const goneShape = () =>
  z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    path: z.string(),
    project: z.nullable(z.string()),
    title: z.nullable(z.string()),
    /** When its file was found missing. `null` if it was gone before anything was indexed. */
    goneSince: z.nullable(z.string()),
    /** How many messages of people and agents the store still has. */
    messages: z.number(),
    /** The archive that has all of it. */
    archive: z.nullable(z.string()),
    /** The command that puts it back, and how much of it. `null` if its client takes nothing back. */
    restore: z.nullable(z.object({ command: z.string(), whole: z.boolean() })),
  })

const rescueShape = () =>
  z.object({
    version: z.literal(1),
    /** What each client with sessions here deletes: after how many days, and the setting that changes it. */
    clients: z.array(
      z.object({
        platform: z.string(),
        name: z.string(),
        sessions: z.number(),
        days: z.nullable(z.number()),
        setting: z.nullable(z.string()),
        /** Some sessions have outlived the default, so the client keeps them longer. */
        keepsLonger: z.boolean(),
      }),
    ),
    store: z.object({ path: z.string(), bytes: z.number() }),
    archives: z.array(
      z.object({
        path: z.string(),
        deliveredAt: z.nullable(z.string()),
        files: z.number(),
        /** Whether the folder is there now. */
        found: z.boolean(),
      }),
    ),
    /** The command that archives everything, now and later. */
    keep: z.string(),
    /** How many sessions are gone from the disk. */
    total: z.number(),
    gone: z.array(goneShape()),
  })

type RescueAnswer = z.output<ReturnType<typeof rescueShape>>

/** How many sessions are sent, unless another number is requested. */
const USUAL = 100

/** What clients delete and have deleted, what is kept of it and where, and the commands that help. */
export const rescue = defineQuestion({
  name: 'rescue',
  summary: 'what clients delete, what is kept of it and where, and the commands that keep and restore it',
  input: z.object({
    session: field.text({ description: 'only this session, by its path', placeholder: 'path' }),
    limit: field.count({ description: `at most n sessions (${USUAL}); 0 = all` }),
  }),
  output: rescueShape,
  run({ session: path, limit = USUAL }, context): RescueAnswer {
    const { sessions, roots } = loadSessions({}, context)
    const names = projectNames(sessions)
    const { stated, longer } = vanishing(sessions, context)
    const archives = archivesHere(context)
    const gone = sessions.filter(
      (session) => isGone(session) && (path === undefined || session.path === path),
    )
    return {
      version: 1,
      clients: identities.flatMap(({ id: platform, name, keeps }) => {
        const own = sessions.filter((session) => session.platform === platform && !isGone(session))
        if (own.length === 0 && !roots.some((root) => root.platform === platform && root.found)) return []
        const keepsLonger = [...longer.values()].some(({ id }) => id === platform)
        return [
          {
            platform,
            name,
            sessions: own.length,
            days: keeps && !keepsLonger ? (stated ?? keeps.days) : null,
            setting: keeps?.setting ?? null,
            keepsLonger,
          },
        ]
      }),
      store: { path: context.storePath, bytes: bytesOf(context.storePath) },
      archives: archives.map(({ path: folder, deliveredMs, files, found }) => ({
        path: folder,
        deliveredAt: isoTime(deliveredMs ?? undefined),
        files: files.size,
        found,
      })),
      keep: context.suggest('keep'),
      total: gone.length,
      gone: gone
        .slice(0, limit || undefined)
        .map((session) => goneJson(session, names.get(session) ?? null, archives, context)),
    }
  },
})

const isGone = ({ goneMs, state }: Session): boolean => goneMs !== undefined || state === 'purged'

/** 0 where there is no file, as in the demo. */
const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function goneJson(
  whole: Session,
  project: string | null,
  archives: ReturnType<typeof archivesHere>,
  context: Context,
): RescueAnswer['gone'][number] {
  const session = finishSession(whole)
  const { id, platform, agent, path, goneMs } = session
  const { archive, command, whole: isWhole } = wayBack(whole, archives, context)
  return {
    id,
    platform,
    agent,
    path,
    project,
    title: titleOf(session) ?? null,
    goneSince: isoTime(goneMs),
    messages: whole.human + whole.agentMessages,
    archive: archive ?? null,
    restore: command === undefined ? null : { command, whole: isWhole },
  }
}
