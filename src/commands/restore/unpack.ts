import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { BadPack, badRecord, unpackPack } from '../../deliver/archive/pack.ts'
import { ScrollbackError } from '../../errors.ts'
import { isFolder } from '../../io/directories.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { shellWord } from '../../model/shell-word.ts'
import type { PathMap } from '../../platforms/platform.ts'
import { unusualId } from '../../platforms/resuming.ts'
import { mappedPath } from '../../platforms/rewriting.ts'
import { counted } from '../../render/table.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { forgottenTest } from '../../sync/forgotten.ts'
import { carriedOut, checkOneClient } from './command.ts'
import { planRestore, restorable } from './files.ts'
import { ownEnvironment, transcriptsHere, treeContext, withRuntimes } from './sources.ts'
import {
  asOnlyWriter,
  toFlag,
  undone,
  type WritesAnswer,
  writeFlags,
  writesShape,
  writesText,
} from './writes.ts'

const input = z.object({
  file: field.text({ description: 'a file that "scrollback pack" wrote', positional: true, path: 'file' }),
  map: field.texts({
    description: 'a folder of the other machine, and its place here; can be repeated',
    placeholder: '</old>=</new>',
  }),
  to: toFlag,
  ...writeFlags,
})

type Input = z.output<typeof input>

export const unpack = defineCommand({
  name: 'unpack',
  summary: 'write packed sessions to where their client looks for them, and say how to resume them',
  details:
    'Checks every byte of the file first, and uses nothing of it if one is wrong. Shows what it will write, asks, and never overwrites a file. ' +
    'With --map, the folders in the records and the names of folders become those of this machine. --undo takes ' +
    'back what was written last.',
  examples: [
    { command: 'scrollback unpack session.pack --dry-run', description: 'show what would be written' },
    {
      command: 'scrollback unpack session.pack --map /home/ann/shop=/srv/shop',
      description: 'continue in another folder than on the other machine',
    },
    { command: 'scrollback unpack --undo', description: 'undo what was written last' },
  ],
  input,
  output: writesShape,
  run: async (given: Input, context: Context): Promise<WritesAnswer> => {
    if (given.undo) return undone(given, context)
    const { file } = given
    if (file === undefined)
      throw new ScrollbackError('bad-option', 'The file is missing.', 'Name it: scrollback unpack <file>')
    const maps = given.map.map((text) => mapOf(text, context))
    checkMaps(maps)
    const path = resolve(context.here, file)
    if (!existsSync(path))
      throw new ScrollbackError(
        'bad-option',
        `${path}: no such file`,
        'Give a file that "scrollback pack" wrote.',
      )
    return asOnlyWriter(context, () => unpacked(path, maps, given, context))
  },
  isVerbatim: () => true,
  render: writesText,
})

/** Both sides are absolute paths. The old one is of another machine, so that it stays as it is. */
export function mapOf(text: string, { environment, here }: Pick<Context, 'environment' | 'here'>): PathMap {
  const [, from, to] = /^(.+?)=(.+)$/s.exec(text) ?? []
  if (from === undefined || to === undefined || !/^(?:\/|[A-Za-z]:[/\\])/.test(from))
    throw new ScrollbackError(
      'bad-option',
      `--map: invalid value "${text}"`,
      'Name both folders, the old one in full: --map /home/ann/shop=/srv/shop',
    )
  const plain = (path: string): string => (path.length > 1 ? path.replace(/[/\\]+$/, '') : path)
  return { from: plain(from), to: resolve(here, plain(to.replace(/^~(?=\/|$)/, environment.home))) }
}

/** One folder has one place. */
function checkMaps(maps: readonly PathMap[]): void {
  for (const { from, to } of maps) {
    const other = maps.find((each) => each.from === from && each.to !== to)
    if (other)
      throw new ScrollbackError(
        'bad-option',
        `--map: ${from} has two places, ${to} and ${other.to}`,
        'Leave out one of them.',
      )
  }
}

/** Folders of the other machine that no session ran in, so that naming them changes nothing. */
const withoutUse = (maps: readonly PathMap[], sessions: readonly Session[]): string[] =>
  maps.flatMap((map) =>
    sessions.some(({ cwds }) => cwds.some(([path]) => mappedPath(path, [map]) !== undefined))
      ? []
      : `--map ${shellWord(map.from)}=${shellWord(map.to)} changes nothing: no session of the pack ran in that folder.`,
  )

/** At most this many missing folders are named. */
const MOST_FOLDERS = 10
/** The same of commands for forgotten sessions. */
const MOST_FORGOTTEN = 10

async function unpacked(
  path: string,
  maps: readonly PathMap[],
  given: Input,
  context: Context,
): Promise<WritesAnswer> {
  // There is one writer, so what is in it was left by a process that was killed.
  const folder = join(context.dataFolder, 'unpacked')
  rmSync(folder, { recursive: true, force: true })
  try {
    const { header, dirs, origins, transcripts } = opened(path, folder)
    const { forgotten, ...others } = context.environment
    const tree = treeContext({ ...context, environment: { ...others, deleted: true } }, { dirs })
    const loaded = loadSessions({}, tree)
    checkTranscripts(transcripts, loaded.artifacts, path)
    const to = given.to === undefined ? undefined : resolve(context.here, given.to)
    const environment = ownEnvironment(context)
    const packed = loaded.all.filter(({ state }) => state !== 'purged')
    const sessions = withRuntimes(packed, loaded)
    const isForgotten = forgottenTest({ forgotten }) ?? (() => false)
    const isLeftOut = ({ platform, id, parentSessionId = id }: Session): boolean =>
      isForgotten(platform, id) || isForgotten(platform, parentSessionId)
    const chosen = sessions.filter((session) => !isLeftOut(session))
    const leftOut = sessions.filter(isLeftOut).flatMap(({ id, kind }) => (kind === 'subagent' ? [] : id))
    if (chosen.length < sessions.length) context.partly?.()
    const all = restorable(chosen, origins, to, environment)
    checkOneClient(all, given.to)
    const plan = planRestore(
      all,
      { maps, isForeign: true, from: null, here: transcriptsHere(environment) },
      context,
    )
    const elsewhere = new Set(
      plan.restored.flatMap(({ kind, cwds }) => {
        const own = kind === 'subagent' ? undefined : cwds[0]?.[0]
        return own === undefined || isFolder(own) ? [] : own
      }),
    )
    for (const directory of [...elsewhere].slice(0, MOST_FOLDERS)) {
      const map = maps.find(({ to }) => mappedPath(directory, [{ from: to, to }]) !== undefined)
      const missing = `The folder ${shellWord(directory)} is not on this machine.`
      context.note(
        map === undefined
          ? `${missing} Say where it is: --map ${shellWord(directory)}=<folder>`
          : `${missing} If --map ${shellWord(map.from)}=${shellWord(map.to)} is right, make it; the line that resumes the session does.`,
      )
    }
    const { created, device, redacted } = header
    const notes = [
      `${counted(all.length, 'session')} of ${device}, packed on ${created.slice(0, 10)}${redacted ? ', redacted' : ', not redacted'}.`,
      ...forgottenNote(leftOut, context),
      ...withoutUse(maps, chosen),
      ...(plan.elsewhere.length > 0 && maps.length > 0
        ? [
            `If it was unpacked without --map before, take that back first: ${context.suggest('unpack', '--undo')}`,
          ]
        : []),
    ]
    return await carriedOut(plan, { ...given, from: path, command: `unpack ${path}`, notes }, context)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Why sessions are not written, and the commands after which they are. */
function forgottenNote(ids: readonly string[], { suggest }: Context): string[] {
  if (ids.length === 0) return []
  const [was, it] = ids.length === 1 ? ['was', 'it'] : ['were', 'them']
  const commands = ids.slice(0, MOST_FORGOTTEN).map((id) => suggest('forget', `--undo=${id}`))
  return [
    `${counted(ids.length, 'session')} ${was} forgotten here, so nothing of ${it} is written. Take that back first: ${commands.join(' && ')}`,
  ]
}

/** What is no session to its client, or has a name that is no id of it, must not reach it. */
function checkTranscripts(
  transcripts: ReturnType<typeof unpackPack>['transcripts'],
  found: readonly Artifact[],
  path: string,
): void {
  const byPath = new Map(found.map((artifact) => [artifact.path, artifact]))
  for (const { path: own, former } of transcripts) {
    const artifact = byPath.get(own)
    const reason = artifact
      ? unusualId({ platform: artifact.platform, id: artifact.sessionId })
      : 'no session of its client has such a name'
    if (reason !== undefined) throw refused(path, badRecord(former, reason))
  }
}

const refused = (path: string, reason: string, error?: unknown): ScrollbackError =>
  new ScrollbackError(
    'unreadable',
    `${path} cannot be unpacked: ${reason}.`,
    'Nothing was written. Pack the sessions again, and compare the size of both files.',
    error,
  )

function opened(path: string, folder: string): ReturnType<typeof unpackPack> {
  try {
    return unpackPack(path, folder)
  } catch (error) {
    throw error instanceof BadPack ? refused(path, error.message, error) : error
  }
}
