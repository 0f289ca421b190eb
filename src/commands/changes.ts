import { styleText } from 'node:util'
import { structuredPatch } from 'diff'
import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { filters } from '../context/filters.ts'
import { field } from '../context/flags.ts'
import { faultOf } from '../context/read-files.ts'
import { ScrollbackError } from '../errors.ts'
import { absolutePath, pathsOf } from '../model/agent-paths.ts'
import { shownName } from '../model/hidden.ts'
import type { Session } from '../model/session.ts'
import { gitPatch } from '../render/patch.ts'
import { counted, homely } from '../render/table.ts'
import { printable, type Screen } from '../render/terminal.ts'
import { chooseOne } from '../selection/choose-sessions.ts'
import { cleaner } from '../selection/read-messages.ts'
import { type LoadedRuns, loadRuns } from '../selection/runs.ts'
import { fileEdits } from '../sync/read/file-edits.ts'
import { type NetChange, netChanges, type SessionEdit } from '../sync/read/net-changes.ts'

const hunkShape = () =>
  z.object({
    oldStart: z.number(),
    oldLines: z.number(),
    newStart: z.number(),
    newLines: z.number(),
    /** Each begins with a space, `+` or `-`. */
    lines: z.array(z.string()),
  })

const fileShape = () =>
  z.object({
    path: z.string(),
    status: z.enum(['created', 'changed', 'deleted', 'unchanged']),
    edits: z.number(),
    /** Edits of which no result is recorded, so they may not have been done. */
    unfinished: z.optional(z.number()),
    sessions: z.array(z.string()),
    added: z.number(),
    removed: z.number(),
    /**
     * Whether the first and the last state are known. If not, hunks show single edits and count lines from 1.
     */
    complete: z.boolean(),
    hunks: z.array(hunkShape()),
    /** The file is too large to be compared. `added` and `removed` are 0. */
    tooLarge: z.optional(z.boolean()),
    /** With --patch: what `git apply` reads, or why there is nothing for it. */
    patch: z.optional(z.string()),
    notInPatch: z.optional(z.string()),
  })

/** The answer of `changes`. */
const output = () =>
  z.object({
    version: z.literal(1),
    session: z.string(),
    /** Ids of subagents whose changes are included. */
    subagents: z.array(z.string()),
    added: z.number(),
    removed: z.number(),
    files: z.array(fileShape()),
    /** With --file: how many changed files do not match. */
    others: z.optional(z.number()),
  })

type ChangesAnswer = z.output<ReturnType<typeof output>>

type ChangedFile = ChangesAnswer['files'][number]

type Hunk = ChangedFile['hunks'][number]

/** An answer, and how to print it. */
type Printed = ChangesAnswer & { as?: 'list' | 'patch' }

export const changes = defineCommand({
  name: 'changes',
  summary: 'show what a session changed in files, as one diff: first state against last',
  details:
    'Reads the edits that tools made, those of subagents included, and compares each file before the first with the same file after the ' +
    'last edit. Where the transcript does not contain the whole file, the single edits are shown. Changes made by commands are not included. ' +
    '--patch prints paths relative to the folder that the session started in, for `git apply` there, and reports the files that it leaves out. ' +
    'Transcripts often have LF where the file has CRLF: then add --ignore-whitespace to git apply.',
  examples: [
    { command: 'scrollback changes 640ab4c7', description: 'show the diff of a session' },
    {
      command: 'scrollback changes latest --brief',
      description: 'list the files that the last session changed',
    },
    {
      command: 'scrollback changes 640ab4c7 --file docs/',
      description: 'show only files whose path contains this',
    },
    {
      command: 'scrollback changes 640ab4c7 --patch > changes.patch',
      description: 'write what git apply reads',
    },
    { command: "scrollback changes 640ab4c7 --json | jq '.files[].path'", description: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or the beginning of one, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    file: field.text({ description: 'only files whose path contains this', placeholder: 'text' }),
    brief: field.flag({ description: 'only list the files' }),
    patch: field.flag({ description: 'print a patch for git apply' }),
  }),
  output,
  needs: 'messages',
  async run({ session: name, agent, file, brief, patch }, context): Promise<Printed> {
    if (name === undefined)
      throw new ScrollbackError(
        'bad-option',
        'The session is missing.',
        `Use its id or a prefix of it, or the last one: ${context.suggest('changes', ['latest'])}`,
      )
    if (brief && patch)
      throw new ScrollbackError(
        'bad-option',
        '--brief lists files, --patch prints their changes',
        'Drop one of them.',
      )
    const loaded = loadRuns(context)
    const wanted = { name, ...(agent === undefined ? {} : { agent }) }
    const own = await chooseOne(loaded, wanted, context)
    const subagents = descendants(own, loaded)
    const clean = cleaner(context.redact)
    const edits = [own, ...subagents].flatMap((each) => editsOf(each, loaded, context))
    const folder = own.cwds[0]?.[0]
    const all = netChanges(inOrder(edits)).map((change) => ({
      ...compare(change, clean),
      ...(patch && patchOf(change, folder, clean)),
    }))
    const files = all.filter(({ path }) => file === undefined || path.includes(file))
    for (const { path, notInPatch } of files)
      if (notInPatch !== undefined) context.note(`Not in the patch: ${path} ${notInPatch}.`, 'partly')
    const sum = (count: 'added' | 'removed'): number => files.reduce((total, each) => total + each[count], 0)
    return {
      version: 1,
      session: own.id,
      subagents: subagents.map(({ id }) => id),
      added: sum('added'),
      removed: sum('removed'),
      files,
      ...(file !== undefined && all.length > files.length && { others: all.length - files.length }),
      ...(brief ? { as: 'list' } : patch ? { as: 'patch' } : {}),
    }
  },
  isNothing: ({ files }) => files.length === 0,
  isVerbatim: ({ as }) => as === 'patch',
  *json({ as: _, ...answer }) {
    yield `${JSON.stringify(answer, null, 2)}\n`
  },
  render: ({ as, ...answer }, screen) =>
    as === 'patch' ? patches(answer) : changesText(answer, as === 'list', screen),
})

/** The subagents of a session, and theirs. */
function descendants(parent: Session, { runs, link }: LoadedRuns): Session[] {
  const linked = link(runs)
  const found = new Set<Session>()
  const follow = ({ path }: Session): void => {
    for (const { session, parent: starter } of linked) {
      if (!session || starter?.path !== path || found.has(session)) continue
      found.add(session)
      follow(session)
    }
  }
  follow(parent)
  return [...found]
}

/** The edits of one session, with absolute paths. Empty, with a note, if its file cannot be read. */
function editsOf(session: Session, loaded: LoadedRuns, context: Context): SessionEdit[] {
  const artifact = loaded.artifactOf(session)
  if (!artifact || session.goneMs !== undefined) {
    context.note(
      `${shownName(session.path)} is gone. The changes that it made are lost with the file.`,
      'partly',
    )
    return []
  }
  try {
    return fileEdits(artifact).map((edit) => {
      const folder = edit.cwd ?? session.cwds[0]?.[0]
      return {
        ...edit,
        path: absolutePath(edit.path, folder),
        ...(edit.from === undefined ? {} : { from: absolutePath(edit.from, folder) }),
        session: session.id,
      }
    })
  } catch (error) {
    context.note(`${session.path} ${faultOf(error)}`, 'partly')
    return []
  }
}

/** By time. Edits without one stay after the edit before them. */
function inOrder(edits: readonly SessionEdit[]): SessionEdit[] {
  let last = 0
  return edits
    .map((edit, index) => {
      last = edit.at ?? last
      return { edit, at: last, index }
    })
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ edit }) => edit)
}

const CONTEXT = 3
/** Comparing takes longer with the square of the changes. Larger ones are only listed. */
const MOST_CHANGES = 20_000

/** The net change of a file as hunks. Texts pass through `clean` before they are compared. */
export function compare(
  { path, edits, unfinished, sessions, whole, pieces, created, deleted, lacksPiece }: NetChange,
  clean: (text: string) => string,
): ChangedFile {
  const hunks = whole
    ? hunksOf(clean(whole.first ?? ''), clean(whole.last ?? ''))
    : together(pieces.map(({ before, after }) => hunksOfPart(clean(before), clean(after))))
  const found = hunks ?? []
  const count = (sign: string): number =>
    found.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  return {
    path: clean(path),
    status: deleted
      ? 'deleted'
      : created || whole?.first === null
        ? 'created'
        : hunks && hunks.length === 0 && (whole || !lacksPiece)
          ? 'unchanged'
          : 'changed',
    edits,
    ...(unfinished === undefined ? {} : { unfinished }),
    sessions,
    added: count('+'),
    removed: count('-'),
    complete: whole !== undefined,
    hunks: found,
    ...(hunks ? {} : { tooLarge: true }),
  }
}

/**
 * The change of a file as `git apply` reads it in a folder. That needs the whole file before and after, and
 * lines exactly as they are in the file.
 */
function patchOf(
  { path, whole, deleted }: NetChange,
  folder: string | undefined,
  clean: (text: string) => string,
): Pick<ChangedFile, 'patch' | 'notInPatch'> {
  const { sep, relative, isAbsolute } = pathsOf(folder ?? path)
  const name = (folder === undefined ? path : relative(folder, path)).replaceAll(sep, '/')
  if (isAbsolute(name) || /^\.\.(?:[/\\]|$)/.test(name)) return { notInPatch: 'is outside of the folder' }
  if (!whole) return { notInPatch: 'is only in part in the transcript' }
  const isCreated = whole.first === null
  // A file that is written and deleted again leaves nothing.
  if (isCreated && deleted) return {}
  const [first, last] = [whole.first ?? '', whole.last ?? '']
  const hunks = gitHunks(first, last)
  if (!hunks) return { notInPatch: 'is too large to compare' }
  if (hunks.length === 0 && !isCreated && !deleted) return {}
  const shown = [clean(first), clean(last), clean(name)] as const
  // A secret far from the changes does not change them.
  const isShown =
    shown[2] === name &&
    ((shown[0] === first && shown[1] === last) ||
      JSON.stringify(gitHunks(shown[0], shown[1])) === JSON.stringify(hunks))
  if (!isShown) return { notInPatch: 'contains a secret (--no-redact keeps it)' }
  const patch = gitPatch({ name, isCreated, isDeleted: deleted, hunks })
  return patch === printable(patch)
    ? { patch }
    : { notInPatch: 'has control characters or line ends of Windows, which are not printed' }
}

/** A part of a file need not end with a line, and its last line is a line like any other. */
function hunksOfPart(before: string, after: string): Hunk[] | undefined {
  const [one, other] = [ended(before), ended(after)]
  return one === other ? hunksOf(before, after) : hunksOf(one, other)
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** A missing newline at the end is no line of the file. */
const hunksOf = (before: string, after: string): Hunk[] | undefined =>
  gitHunks(before, after)?.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.filter((line) => !line.startsWith('\\')),
  }))

/** The hunks as in a patch, with a line of its own where the newline at the end of a file is missing. */
function gitHunks(before: string, after: string): Hunk[] | undefined {
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGES }
  const patch = structuredPatch('', '', before, after, '', '', options)
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    // Of an empty range, diffs name the line before it.
    oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
    oldLines,
    newStart: newLines === 0 ? newStart - 1 : newStart,
    newLines,
    lines,
  }))
}

function together(all: readonly (Hunk[] | undefined)[]): Hunk[] | undefined {
  return all.some((hunks) => hunks === undefined) ? undefined : all.flatMap((hunks) => hunks ?? [])
}

/** Every changed file with its hunks, or only the list. */
function* changesText(
  { files, others, subagents, added, removed }: ChangesAnswer,
  brief: boolean,
  screen: Screen,
) {
  if (files.length === 0) {
    yield others === undefined
      ? 'No tool changed a file in this session.\n'
      : `Tools changed ${counted(others, 'file')} in this session, and none matches --file.\n`
    return
  }
  for (const file of files) {
    yield `${headLine(file, screen)}\n`
    if (!brief) yield* hunkLines(file, screen)
  }
  const by = subagents.length === 0 ? '' : `, ${counted(subagents.length, 'subagent')} included`
  yield `${brief ? '' : '\n'}${counted(files.length, 'file')}, +${added} -${removed}${by}\n`
  for (const { path, unfinished } of files)
    if (unfinished !== undefined)
      yield `No result of ${counted(unfinished, 'edit')} of ${shownName(homely(path, screen.home))} is recorded, so it may not have been done.\n`
}

function* patches({ files }: ChangesAnswer): Generator<string> {
  for (const { patch } of files) if (patch !== undefined) yield patch
}

function headLine(
  { path, status, added, removed, edits, complete, tooLarge }: ChangedFile,
  screen: Screen,
): string {
  const counts = tooLarge ? 'too large to compare' : `+${added} -${removed}`
  const several = edits === 1 ? '' : `, ${edits} edits`
  const partly = complete || tooLarge ? '' : ', the state before is not in the transcript'
  return `${paint('bold', shownName(homely(path, screen.home)), screen)}  ${status} ${counts}${several}${partly}`
}

/** A line of a file may have line ends of another kind, which begin no line of ours. */
const onOneLine = (line: string): string => line.replace(/\r$/, '').replace(/[\r\v\f\x85\u2028\u2029]/g, '⏎')

function* hunkLines({ hunks, complete }: ChangedFile, screen: Screen): Generator<string> {
  for (const { oldStart, oldLines, newStart, newLines, lines } of hunks) {
    const at = complete ? ` -${oldStart},${oldLines} +${newStart},${newLines} @@` : ''
    yield `${paint('cyan', `@@${at}`, screen)}\n`
    for (const line of lines) yield `${painted(printable(onOneLine(line)), screen)}\n`
  }
}

const painted = (line: string, screen: Screen): string =>
  line.startsWith('+')
    ? paint('green', line, screen)
    : line.startsWith('-')
      ? paint('red', line, screen)
      : line

const paint = (style: 'bold' | 'cyan' | 'green' | 'red', text: string, { color }: Screen): string =>
  color ? styleText(style, text, { validateStream: false }) : text
