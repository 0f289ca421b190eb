import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Planned } from '../../io/agent-folder/changes.ts'
import {
  changedDatabase,
  closeLog,
  DatabaseInUse,
  rowsWithPath,
} from '../../io/agent-folder/database-statements.ts'
import { backupsName } from '../../io/agent-folder/journal.ts'
import { digestOf, lookAt, pathBelow, rootAt } from '../../io/agent-folder/paths.ts'
import { isFolder } from '../../io/directories.ts'
import { partsOfFile } from '../../io/own-files.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Root } from '../../model/artifact.ts'
import { shownName } from '../../model/hidden.ts'
import { shellWord } from '../../model/shell-word.ts'
import { platforms } from '../../platforms/index.ts'
import type { FileMove, MovedFiles, PathMap, Platform } from '../../platforms/platform.ts'
import { isInFolder } from '../../project/group.ts'
import { counted, homely } from '../../render/table.ts'
import { editedLines, measure } from './files.ts'
import {
  asOnlyWriter,
  type FileRow,
  nothingWritten,
  shownFirst,
  undone,
  type WritesAnswer,
  writeFlags,
  writesShape,
  writesText,
  written,
} from './writes.ts'

const input = z.object({
  paths: field.texts({ description: 'the old path of the folder, and its new one', positional: true }),
  ...writeFlags,
})

type Input = z.output<typeof input>

const CHANGED = platforms
  .flatMap(({ identity, moving }) => (moving ? `${identity.name}: ${moving.changes}.` : []))
  .join(' ')

export const move = defineCommand({
  name: 'move',
  summary: 'let the clients find the sessions of a folder that was moved or renamed',
  details:
    `Replaces the old path by the new one where clients hold it. ${CHANGED} Messages stay as they are. Move the folder itself first, and close ` +
    'the client.\n\nEverything is written as copies, which take their places at the end: all of them or none. --undo takes it back.',
  examples: [
    {
      command: 'scrollback move ~/shop ~/projects/shop --dry-run',
      description: 'show what would be changed',
    },
    { command: 'scrollback move ~/shop ~/projects/shop', description: 'after: mv ~/shop ~/projects/shop' },
    { command: 'scrollback move --undo', description: 'undo what was written last' },
  ],
  input,
  output: writesShape,
  run: async (given: Input, context: Context): Promise<WritesAnswer> => {
    if (given.undo) return undone(given, context)
    const map = mapIn(given.paths, context)
    return asOnlyWriter(context, () => moved(map, given, context))
  },
  isNothing: ({ done }) => done === 'nothing',
  isVerbatim: () => true,
  render: writesText,
})

function mapIn(paths: readonly string[], { here, globalFlags }: Context): PathMap {
  const [from, to, ...rest] = paths.map((path) => resolve(here, path))
  if (from === undefined || to === undefined || rest.length > 0)
    throw new ScrollbackError(
      'bad-option',
      'move takes two folders: the old path and the new one',
      'Use: scrollback move <old path> <new path>',
    )
  if (globalFlags?.from !== undefined)
    throw new ScrollbackError('bad-option', '--from: an archive is not changed', 'Leave it out.')
  const [inside] = [to, from].filter((path, index) => path.startsWith(`${[from, to][index]}/`))
  if (from === to || inside !== undefined)
    throw new ScrollbackError('bad-option', `${from} and ${to} are the same, or one is inside the other`)
  const isThere = existsSync(from)
  if (!isFolder(to))
    throw new ScrollbackError(
      'bad-option',
      `${to}: no such directory`,
      isThere
        ? `Move the folder first: mv ${shellWord(from)} ${shellWord(to)}`
        : 'Name the folder that it was moved to.',
    )
  if (isThere)
    throw new ScrollbackError(
      'bad-option',
      `${from} still exists, and ${to} does too`,
      'The sessions belong to the old one while it exists. If it is only a leftover, rename or delete it first.',
    )
  // Clients hold paths without links.
  const above = dirname(from)
  return { from: existsSync(above) ? join(rootAt(above), basename(from)) : from, to: rootAt(to) }
}

async function moved(map: PathMap, given: Input, context: Context): Promise<WritesAnswer> {
  const answer: WritesAnswer = nothingWritten()
  const changes: Planned[] = []
  for (const platform of platforms) {
    if (!platform.moving) continue
    for (const root of platform.files.roots(context.environment)) {
      if (!root.found) continue
      const before = changes.length
      const found = platform.moving.moves(root, map, context.environment)
      const plans = { map, platform, dryRun: given.dryRun, context }
      for (const each of found) planMoves(each, changes, answer, plans)
      if (changes.length === before) continue
      checkClosed(platform, root, found)
      const { notes = [], afterward } = platform.moving.remains?.(root, map) ?? {}
      for (const each of notes) answer.notes.push(each)
      if (afterward)
        answer.afterward.push({
          ...afterward,
          command: afterward.command.map((word) => shellWord(word)).join(' '),
        })
    }
  }
  for (const note of await unmovable(map, context)) answer.notes.push(note)
  if (changes.length === 0) {
    context.note(`No session of ${map.from} was found that a client would look for there.`)
    return answer
  }
  const { home } = context.environment
  if (given.dryRun) return { ...answer, done: 'planned' }
  shownFirst(answer, given, context)
  const question = `Change ${counted(answer.files.length, 'file')}, from ${homely(map.from, home)} to ${homely(map.to, home)}?`
  await written(changes, { ...given, question, command: `move ${map.from} ${map.to}` }, context)
  return { ...answer, done: 'written' }
}

/** What is said of sessions of the folder whose client nothing here moves. */
async function unmovable({ from }: PathMap, context: Context): Promise<string[]> {
  const staying = platforms.filter(
    ({ moving, files }) => !moving && files.roots(context.environment).some(({ found }) => found),
  )
  if (staying.length === 0) return []
  const { store } = await freshStore(context, {})
  const sessions = store
    .sessions()
    .filter(
      ({ session, goneMs }) => goneMs === undefined && session.cwds.some(([path]) => isInFolder(path, from)),
    )
  return staying.flatMap(({ id, identity: { name } }) => {
    const count = sessions.filter(({ session }) => session.platform === id).length
    return count === 0
      ? []
      : [`Left as it is: ${counted(count, 'session')} of ${name}, which may not list them in the new folder.`]
  })
}

/** A client that has a session open would write to a file that is no longer there. */
function checkClosed(platform: Platform, root: Root, found: readonly MovedFiles[]): void {
  const open = platform.openSessions?.(root)
  const id = found.flatMap(({ sessions }) => sessions).find((session) => open?.has(session))
  if (id !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `${platform.identity.name} has the session ${id} open.`,
      'Close it, then run the command again.',
    )
}

interface Plans {
  map: PathMap
  platform: Platform
  dryRun: boolean
  context: Context
}

function planMoves(
  { root, moves, left }: MovedFiles,
  changes: Planned[],
  answer: WritesAnswer,
  plans: Plans,
): void {
  const base = rootAt(root)
  const planned = moves.flatMap((each) =>
    each.type === 'database'
      ? plannedDatabase(each, base, answer, plans)
      : plannedFor(each, base, answer.files),
  )
  // Folders of sessions that stay are not cleared.
  if (planned.some(({ type }) => type !== 'clear')) for (const each of planned) changes.push(each)
  for (const each of left) answer.notes.push(`Left as it is: ${shownName(each)}.`)
}

/** A database becomes another file, which takes its place like any other. Its client must be closed. */
function plannedDatabase(
  { below, columns }: Extract<FileMove, { type: 'database' }>,
  root: string,
  { files, notes }: WritesAnswer,
  { map, platform, dryRun, context }: Plans,
): Planned[] {
  const path = pathBelow(root, below)
  if (lookAt(path)?.isFile() !== true) return []
  try {
    if (rowsWithPath(path, columns, map.from) === 0) return []
  } catch (error) {
    const { what, then } = databaseFault(error)
    notes.push(`Left as it is: ${shownName(path)}: ${what}. ${then}`)
    context.partly?.()
    return []
  }
  files.push({ path, to: null, action: 'change', bytes: lookAt(path)?.size ?? null })
  if (!dryRun) closedBy(platform, () => closeLog(path))
  const before = digestOf(path)
  const copy = join(context.dataFolder, 'changes', backupsName())
  const content = function* (): Generator<Uint8Array> {
    closedBy(platform, () => closeLog(path))
    yield* changedDatabase(path, columns, map, copy)
  }
  return [{ type: 'write', root, below, before, content }]
}

/** Does what needs a database that its client does not have open. */
function closedBy(platform: Platform, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    const { name } = platform.identity
    throw new ScrollbackError(
      'bad-option',
      `${error.message}: ${name} is running.`,
      `Close ${name}, then run the command again.`,
    )
  }
}

function plannedFor(
  move: Exclude<FileMove, { type: 'database' }>,
  root: string,
  files: FileRow[],
): Planned[] {
  const path = pathBelow(root, move.below)
  if (move.type === 'clear') return [{ type: 'clear', root, below: move.below }]
  const target = pathBelow(root, move.to)
  if (move.type === 'rename') {
    files.push({ path, to: target, action: 'rename', bytes: null })
    return [{ type: 'rename', root, below: move.below, to: move.to }]
  }
  const before = digestOf(path)
  if (before === null) return []
  const edit = move.unit === 'text' ? move.edit : safely(move.edit)
  const content = (): Iterable<Uint8Array> =>
    move.unit === 'line' ? editedLines(path, edit) : [Buffer.from(edit(wholeText(path)))]
  if (move.below === move.to && measure(content()).digest === before) return []
  const stats = lookAt(path)
  const modifiedMs = stats?.mtimeMs
  const bytes = stats?.size ?? null
  const isMoved = move.below !== move.to
  files.push({ path, to: isMoved ? target : null, action: isMoved ? 'rename' : 'change', bytes })
  return isMoved
    ? [
        { type: 'write', root, below: move.to, before: null, content, modifiedMs },
        { type: 'remove', root, below: move.below, before },
      ]
    : [{ type: 'write', root, below: move.below, before, content, modifiedMs }]
}

/** What is not JSON stays as it is. */
const safely =
  (edit: (text: string) => string) =>
  (text: string): string => {
    try {
      JSON.parse(text)
    } catch {
      return text
    }
    return edit(text)
  }

const wholeText = (path: string): string => Buffer.concat([...partsOfFile(path)]).toString('utf8')
