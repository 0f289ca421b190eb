import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, ReadingContext } from '../context/context.ts'
import { isArchive, type OwnArchive, ownArchives } from '../deliver/archive/own-archives.ts'
import { ScrollbackError } from '../errors.ts'
import { readOwn, writePrivateFile } from '../io/own-files.ts'
import { asObject, parsedJson } from '../model/json.ts'
import type { Session } from '../model/session.ts'
import { identityOf } from '../platforms/identities.ts'
import type { PlatformIdentity } from '../platforms/identity.ts'
import { counted, grouped, homely } from '../render/table.ts'
import { dated } from '../render/text.ts'
import { createProjectNames } from './load-sessions.ts'

/** Early enough to save the transcripts. */
const WARNED_DAYS = 7
const DAY = 86_400_000

/** A session whose client deletes its transcript within a week. */
interface VanishingSession {
  session: Session
  /** The client deletes it at its first start after this time, in ms. */
  deletesMs: number
  /** The archive that has all of it. */
  archive?: string
}

/** What clients delete soon, and after how long. */
interface Vanishing {
  /** The next one first. */
  soon: VanishingSession[]
  /** The days after which clients delete transcripts, if the user stated them: now, or once for all. */
  stated: number | undefined
  /** The roots whose client keeps transcripts longer than by default, and the client. */
  longer: ReadonlyMap<string, PlatformIdentity>
}

type Asking = Pick<ReadingContext, 'now' | 'retentionDays' | 'dataFolder' | 'globalFlags' | 'remote'>

const rememberedPath = (dataFolder: string): string => join(dataFolder, 'retention.json')
const MOST = 1024

/** Keeps the days that the user states, for every later command. Undefined forgets them. */
export function rememberRetention(dataFolder: string, days: number | undefined): void {
  if (days === undefined) rmSync(rememberedPath(dataFolder), { force: true })
  else writePrivateFile(rememberedPath(dataFolder), JSON.stringify({ days }))
}

export function statedRetention({ retentionDays, dataFolder, globalFlags }: Asking): number | undefined {
  if (retentionDays !== undefined || globalFlags?.demo) return retentionDays
  try {
    const days = asObject(parsedJson(readOwn(rememberedPath(dataFolder), MOST)?.toString() ?? ''))?.days
    return typeof days === 'number' && days >= 1 ? days : undefined
  } catch {
    // It is only about a warning.
    return undefined
  }
}

/**
 * When a client deletes a session, in ms, if it keeps transcripts for so many days. Undefined if it never
 * does.
 */
export function deletionOf(
  { platform, modifiedMs, lastActivityMs }: Pick<Session, 'platform' | 'modifiedMs' | 'lastActivityMs'>,
  stated?: number,
): number | undefined {
  const { keeps } = identityOf(platform)
  if (!keeps) return undefined
  const since = keeps.since === 'record' ? (lastActivityMs ?? modifiedMs) : modifiedMs
  return since + (stated ?? keeps.days) * DAY
}

/** A client deletes when it starts, but perhaps not at each start. */
const SLACK_MS = 2 * DAY

const isThere = ({ goneMs, state }: Session): boolean => goneMs === undefined && state !== 'purged'

/**
 * The roots whose client keeps transcripts longer than by default: some that were overdue are still there
 * after the client was started again. Its setting would say so, but the file with it may contain keys and is
 * never opened. Files that were put there later, from a backup or another machine, prove nothing.
 */
function rootsOutliving(sessions: readonly Session[]): Map<string, PlatformIdentity> {
  const longer = new Map<string, PlatformIdentity>()
  for (const [root, own] of Map.groupBy(sessions.filter(isThere), (session) => session.root)) {
    const identity = identityOf(own[0]!.platform)
    const { keeps } = identity
    if (!keeps) continue
    const started = own.reduce((latest, { startedMs = 0 }) => Math.max(latest, startedMs), 0)
    const outlived = (session: Session): boolean =>
      session.kind !== 'subagent' &&
      deletionOf(session)! + SLACK_MS < started &&
      (lstatSync(session.path, { throwIfNoEntry: false })?.ctimeMs ?? started) + SLACK_MS < started
    if (own.some(outlived)) longer.set(root, identity)
  }
  return longer
}

/**
 * The sessions that their clients delete soon. No client deletes what is read from an archive or a team
 * store.
 */
export function vanishing(sessions: readonly Session[], context: Asking): Vanishing {
  const stated = statedRetention(context)
  const isElsewhere = context.globalFlags?.from !== undefined || context.remote !== undefined
  const longer =
    stated === undefined && !isElsewhere && !context.globalFlags?.demo
      ? rootsOutliving(sessions)
      : new Map<string, never>()
  const found = sessions.flatMap((session): VanishingSession[] => {
    const deletesMs = deletionOf(session, stated)
    if (deletesMs === undefined || isElsewhere || !isThere(session) || longer.has(session.root)) return []
    return deletesMs < context.now + WARNED_DAYS * DAY ? [{ session, deletesMs }] : []
  })
  const archiveOf = found.length === 0 ? () => undefined : archives(context)
  const soon = found
    .map((each) => {
      const archive = archiveOf(each.session)
      return archive === undefined ? each : { ...each, archive }
    })
    .sort((one, other) => one.deletesMs - other.deletesMs)
  return { soon, stated, longer }
}

/** The archives that `collect` fills on this machine, and whether they are there now. */
export const archivesHere = ({
  dataFolder,
  globalFlags,
}: Pick<Asking, 'dataFolder' | 'globalFlags'>): (OwnArchive & { found: boolean })[] =>
  globalFlags?.demo
    ? []
    : delivered(dataFolder).map((archive) => ({ ...archive, found: isArchive(archive.path) }))

/** Returns a function that returns the archive of this machine that has the whole transcript of a session. */
function archives(context: Asking): (session: Session) => string | undefined {
  const found = archivesHere(context).filter((archive) => archive.found)
  return ({ path, bytes }) => found.find(({ files }) => (files.get(path) ?? -1) >= bytes)?.path
}

function delivered(dataFolder: string): OwnArchive[] {
  try {
    return ownArchives(dataFolder, { files: true })
  } catch (error) {
    // `collect` reports what is wrong with its state. Nothing is known to be in an archive.
    if (!(error instanceof ScrollbackError)) throw error
    return []
  }
}

/** The warnings in words, one for each client. */
export function retentionWarnings({ soon, stated }: Vanishing, context: Context): string[] {
  const { now, environment, globalFlags, suggest } = context
  const projectOf = createProjectNames(context.fresh?.store)
  return [...Map.groupBy(soon, ({ session }) => session.platform)].map(([platform, own]) => {
    const { name, keeps } = identityOf(platform)
    const its = own.length === 1 ? 'Its' : 'Their'
    const overdue = own.filter(({ deletesMs }) => deletesMs < now).length
    const when =
      overdue > 0
        ? `${grouped(overdue)} at its next start`
        : `the first on ${dated(own[0]!.deletesMs).slice(0, 10)}`
    const projects = [...new Set(own.map(({ session }) => projectOf(session)))]
    const whose = projects.length === 1 && projects[0] !== undefined ? ` of ${projects[0]}` : ''
    const archived = own.filter(({ archive }) => archive !== undefined)
    const folder = homely(archived[0]?.archive ?? '', environment.home)
    const left = own.length - archived.length
    const where =
      left === 0
        ? ` The archive ${folder} has ${own.length === 1 ? 'it. To put it' : 'all of them. To put one'} back: ${suggest('restore', [own[0]!.session.id])}`
        : archived.length === 0
          ? ` ${its} messages remain readable here, without tool output. To keep all of it: ${suggest('keep')}`
          : ` ${grouped(archived.length)} of them ${archived.length === 1 ? 'is' : 'are'} in the archive ${folder}, ${grouped(left)} only as text in the store. To keep all of it: ${suggest('keep')}`
    const changes = `${keeps!.setting} in its settings changes it`
    const days = `if it keeps them for ${stated ?? keeps!.days} days`
    const assumed = globalFlags?.demo
      ? `${days} (${changes})`
      : stated === undefined
        ? `${days}, its default (${changes}; state yours once: ${suggest('keep', '--remember', `--retention=${keeps!.days}`)})`
        : `${days}, as you stated`
    return `${name} deletes ${counted(own.length, 'transcript')}${whose} within ${WARNED_DAYS} days (${when}), ${assumed}.${where}`
  })
}
