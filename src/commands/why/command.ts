import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { requireTranscripts } from '../../context/scanned.ts'
import { isoTime } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import { readOwn } from '../../io/own-files.ts'
import { shownName } from '../../model/hidden.ts'
import { counted, cutTo, homely } from '../../render/table.ts'
import { type Screen, shownLine, wrap } from '../../render/terminal.ts'
import { dated, titleOf } from '../../render/text.ts'
import { cleaner } from '../../selection/read-messages.ts'
import { paint, speakerOf } from '../hit-line.ts'
import {
  changesOf,
  changesWriting,
  type FileChange,
  type WantedLines,
  type WritingChange,
} from './changes-of.ts'
import { type ExplainedChange, explain, type Statement } from './explain.ts'
import { blamesOf, type Commit, commitAfter, commitsOf, locationOf } from './repository.ts'
import { createTranscriptEdits, isOf } from './transcript-edits.ts'
import { type FileNow, isIncluded } from './written-lines.ts'

/** How many changes are explained by default. */
const USUAL = 5
/** Larger files are not read for one of their lines. */
const MOST_BYTES = 16 * 1024 * 1024
/** A commit later than this has other changes, too. */
const SOON_MS = 7 * 86_400_000

const statementShape = () =>
  z.nullable(z.object({ who: z.string(), at: z.nullable(z.string()), text: z.string(), line: z.number() }))

const commitShape = () =>
  z.nullable(z.object({ id: z.nullable(z.string()), at: z.nullable(z.string()), subject: z.string() }))

const output = () =>
  z.object({
    version: z.literal(1),
    file: z.string(),
    /** The line that was asked for, and what is on it now. */
    line: z.nullable(z.number()),
    text: z.nullable(z.string()),
    /** The commit that wrote the line last. */
    blame: commitShape(),
    /** How many changes of the file, or of the line, were found. */
    total: z.number(),
    /** How many other changes wrote such a line or a part of it, which the file has several times. */
    unclear: z.optional(z.number()),
    changes: z.array(
      z.object({
        session: z.string(),
        platform: z.string(),
        agent: z.string(),
        project: z.nullable(z.string()),
        title: z.nullable(z.string()),
        at: z.nullable(z.string()),
        tool: z.string(),
        /** The file in the call, which is another than `file` if its folder was moved. */
        file: z.string(),
        asked: statementShape(),
        reason: statementShape(),
        commit: commitShape(),
        path: z.string(),
        line: z.number(),
        /** Where the text has several lines: which of them it wrote, from 1. */
        wrote: z.optional(z.array(z.number())),
        /** No result of the call is recorded, so it may not have been done. */
        unfinished: z.optional(z.boolean()),
      }),
    ),
  })

export type WhyAnswer = z.output<ReturnType<typeof output>>

type Change = WhyAnswer['changes'][number]

export const why = defineCommand({
  name: 'why',
  summary: 'tell why a file or a line is as it is: who asked for it, and what the agent said',
  details:
    'Lists the changes that agents made to a file, newest first: the prompt that led to each, what the agent said last before it, and the commit ' +
    'that followed. With a line, only the changes that wrote that line, and the commit that `git blame` names. Includes those in other work trees of ' +
    'the repository. Changes made by commands, such as sed, are not found. `scrollback changes` shows what a session changed.',
  examples: [
    {
      command: 'scrollback why src/orders/store.js',
      description: 'tell which sessions changed a file, and why',
    },
    {
      command: `scrollback why src/orders/store.js --text 'const lines = await linesOfAll(orders.map((order) => order.id))'`,
      description: 'tell why this line is as it is; in the repository, src/orders/store.js:12 does the same',
    },
    {
      command: "scrollback why src/orders/store.js --json | jq '.changes[].asked.text'",
      description: 'for programs',
    },
  ],
  input: z.object({
    file: field.text({ description: 'a file, or <file>:<line>', positional: true }),
    text: field.text({
      description: 'only changes that wrote a line with this text, whatever the file contains now',
    }),
    limit: field.count({ description: `at most n changes (${USUAL}); 0 = all`, placeholder: 'n' }),
  }),
  output,
  onlyRedacted: {
    because: 'the store contains no secrets',
    instead: 'Run it without, and read the session that it names with --no-redact.',
  },
  needs: 'words',
  async run({ file: target, text, limit = USUAL }, context): Promise<WhyAnswer> {
    const { path, typed, line } = targetOf(target, context)
    const fresh = freshStore(context, { words: true })
    requireTranscripts(context)
    const { wanted, commit: blamed } =
      text !== undefined
        ? textOf(text, path, context)
        : line === undefined
          ? NO_LINE
          : await lineOf({ path, typed, line }, context)
    const location = await locationOf(path, context)
    const edits = createTranscriptEdits(fresh, context)
    const all = await changesOf({ path, typed, isHere: existsSync(path), location }, edits, fresh, context)
    const { changes, unclear }: { changes: (FileChange & Partial<WritingChange>)[]; unclear: number } =
      wanted === undefined ? { changes: all, unclear: 0 } : changesWriting(wanted, all, edits, context)
    const isOfLines = wanted?.text.includes('\n') === true
    const commits = await commitsOf(path, context)
    const clean = cleaner(context.redact)
    const explained: (ExplainedChange & { wrote?: number[] | undefined; commit: Commit | undefined })[] = []
    let failed = 0
    for (const { wrote, ...each } of changes) {
      if (explained.length === (limit || changes.length)) break
      const change = explain(each, edits, fresh)
      if (change) {
        const commit = await commitOf(change)
        explained.push(isOfLines ? { ...change, wrote, commit } : { ...change, commit })
      } else failed++
    }
    const rows = new Map(
      fresh.store
        .sessions(undefined, [...new Set(explained.map(({ hit }) => hit.path))])
        .map(({ session }) => [session.path, session]),
    )
    return {
      version: 1,
      file: path,
      line: line ?? null,
      text: wanted === undefined ? null : clean(wanted.text),
      blame: commitJson(blamed, clean),
      total: changes.length - failed,
      ...(unclear > 0 && { unclear }),
      changes: explained.map((change) => {
        const session = rows.get(change.hit.path)
        return {
          ...changeJson(change, (session && titleOf(session)) ?? null, clean),
          ...(change.wrote && { wrote: change.wrote }),
        }
      }),
    }

    /** The next commit of the file, if it was made soon. */
    async function commitOf({ hit, file }: FileChange): Promise<Commit | undefined> {
      const { at } = hit
      if (at === undefined) return undefined
      const made = (edits.of(hit.path)?.get(hit.line) ?? []).filter((edit) => isOf(edit, file))
      const hasAll = (lines: ReadonlySet<string>): boolean => made.every((edit) => isIncluded(edit, lines))
      const next = await commitAfter({ at, hasAll }, commits, path, context)
      return next && next.at - at <= SOON_MS ? next : undefined
    }
  },
  isNothing: ({ changes }) => changes.length === 0,
  *render({ file, line, text, blame, total, unclear, changes }, screen) {
    if (text !== null) {
      const location = `${shownName(homely(file, screen.home))}${line === null ? '' : `:${line}`}`
      yield `${location}  ${shownLine(text).trim()}\n`
      if (blame) yield `  commit  ${commitText(blame)}\n`
      yield '\n'
    }
    if (changes.length === 0) {
      yield text === null
        ? `No session changed ${shownName(homely(file, screen.home))} with a tool.\n`
        : unclear === undefined
          ? 'No session wrote this line with a tool.\n'
          : `No session wrote this line with a tool for certain: ${counted(unclear, 'change')} wrote such text, which several lines contain.\n`
      yield `Where it is spoken of: ${screen.suggest('search', [`file:${file.split(/[/\\]/).at(-1)}`])}\n`
      return
    }
    for (const change of changes) yield* changeText(change, file, screen)
    const left = total - changes.length
    yield `${counted(total, 'change')}${left > 0 ? `, ${changes.length} shown (--limit 0 shows all)` : ''}\n`
  },
})

/** The path and the line that were asked for. */
function targetOf(
  target: string | undefined,
  { here, suggest }: Pick<Context, 'here' | 'suggest'>,
): { path: string; typed: string; line: number | undefined } {
  if (target === undefined || target.trim() === '')
    throw new ScrollbackError(
      'bad-option',
      'why: the file is missing',
      `For example: ${suggest('why', ['src/cart.ts:12'])}`,
    )
  const [, file = target, line] = /^(.+):(\d{1,9})$/s.exec(target) ?? []
  // A file may have such a name.
  const isLine = line !== undefined && !existsSync(resolve(here, target))
  const typed = isLine ? file : target
  const [, whole, from] = /^(.+):(\d{1,9})-\d{1,9}$/s.exec(target) ?? []
  if (whole !== undefined && !existsSync(resolve(here, target)))
    throw new ScrollbackError(
      'bad-option',
      `why: ${target} names several lines, and only one can be looked up`,
      `Ask for one of them: ${suggest('why', [`${whole}:${from}`])}`,
    )
  if (statSync(resolve(here, typed), { throwIfNoEntry: false })?.isDirectory())
    throw new ScrollbackError(
      'bad-option',
      `why: ${typed} is a folder`,
      `Name a file in it. What tools changed in the folder: ${suggest('search', [`edited:${typed.replace(/[/\\]+$/, '')}/`])}`,
    )
  return { path: resolve(here, typed), typed, line: isLine ? Number(line) : undefined }
}

const NO_LINE = { wanted: undefined, commit: undefined }

/** A text, and the file in which it may be. Only on the command line, files of projects are read. */
function textOf(text: string, path: string, { pipe }: Context): FoundLine {
  const lines = pipe && linesIn(path)
  const file = lines && { lines: lines.map((line) => line.trim()), isPossible: () => true }
  return { wanted: { text, index: undefined, file }, commit: undefined }
}

/** The lines of a file, without their indentation, and the commit of the one that was asked for. */
interface FoundLine {
  wanted: WantedLines
  commit: Commit | undefined
}

/** A commit made this long before an edit cannot contain it, even if clocks differ a little. */
const EARLIER_MS = 60_000

/** What is on a line, and the commit that wrote it. Lines of older commits are of no edit that came later. */
async function lineOf(
  { path, typed, line }: { path: string; typed: string; line: number },
  context: Context,
): Promise<FoundLine> {
  if (!context.pipe)
    throw new ScrollbackError(
      'bad-option',
      'why: files of projects are only read on the command line',
      'Give the content of the line as text.',
    )
  const lines = linesIn(path)
  if (!lines)
    throw new ScrollbackError(
      'bad-option',
      `why: ${path} cannot be read, so its line ${line} is not known`,
      `What sessions changed in it: ${context.suggest('why', [typed])}`,
    )
  const text = lines[line - 1]
  if (text === undefined || (text === '' && line === lines.length && line > 1))
    throw new ScrollbackError(
      'bad-option',
      `why: ${path} has no line ${line}`,
      `It has ${counted(lines.length - (lines.at(-1) === '' ? 1 : 0), 'line')}.`,
    )
  // The commits of all lines tell equal ones apart. In a long history, that of one line is found in time.
  const blames = (await blamesOf(path, undefined, context)) ?? (await blamesOf(path, line, context))
  const file: FileNow = {
    lines: lines.map((each) => each.trim()),
    isPossible(index, at) {
      const committedAt = blames?.get(index + 1)?.committedAt
      return committedAt === undefined || at === undefined || committedAt + EARLIER_MS >= at
    },
  }
  return { wanted: { text, index: line - 1, file }, commit: blames?.get(line)?.commit }
}

/** Undefined if the file is missing, a folder, too large, or not readable. */
function linesIn(path: string): string[] | undefined {
  try {
    return readOwn(realpathSync(path), MOST_BYTES)?.toString().split(/\r?\n/)
  } catch {
    return undefined
  }
}

function changeJson(
  {
    hit,
    file,
    asked,
    reason,
    committed,
    unfinished,
    commit,
  }: ExplainedChange & { commit: Commit | undefined },
  title: string | null,
  clean: (text: string) => string,
): Change {
  return {
    session: hit.session,
    platform: hit.platform,
    agent: hit.agent,
    project: hit.project ?? null,
    title: title === null ? null : clean(title),
    at: isoTime(hit.at),
    tool: hit.tool?.name ?? '',
    file: clean(file),
    asked: statementJson(asked, clean),
    reason: statementJson(reason, clean),
    commit:
      commitJson(commit, clean) ??
      (committed === undefined ? null : { id: null, at: null, subject: clean(committed) }),
    path: hit.path,
    line: hit.line,
    ...(unfinished && { unfinished }),
  }
}

const statementJson = (statement: Statement | undefined, clean: (text: string) => string): Change['asked'] =>
  statement
    ? { who: statement.who, at: isoTime(statement.at), text: clean(statement.text), line: statement.line }
    : null

const commitJson = (commit: Commit | undefined, clean: (text: string) => string): Change['commit'] =>
  commit ? { id: commit.id, at: isoTime(commit.at), subject: clean(commit.subject) } : null

const commitText = ({ id, at, subject }: NonNullable<Change['commit']>): string =>
  [id?.slice(0, 8), at?.slice(0, 10), shownLine(subject)].filter((part) => part !== undefined).join('  ')

/** Columns of the name of a speaker. */
const NAME = 8
/** Texts are never narrower. */
const NARROWEST = 20
const UNFINISHED = 'No result of this call is recorded, so it may not have been done.'
/** Most characters of a text. */
const LONGEST = 240

function* changeText(change: Change, wanted: string, screen: Screen): Generator<string> {
  const {
    session,
    project,
    title,
    at,
    tool,
    file,
    asked,
    reason,
    commit,
    line,
    platform,
    agent,
    unfinished,
  } = change
  const when = at === null ? [] : [dated(Date.parse(at))]
  const head = [...when, project ?? '', shownLine(title ?? '(no words)')].filter(Boolean).join(' · ')
  const shortened = (text: string): string => cutTo(text, Math.min(screen.columns, LONGEST))
  // The answer is in these words: on a terminal they take several lines rather than being cut there.
  const lineOfText = (name: string, text: string): string => {
    const room = Math.max(NARROWEST, screen.columns - NAME - 2)
    const lines = wrap(cutTo(shownLine(text), LONGEST), room).split('\n')
    return lines.map((line, at) => `  ${(at === 0 ? name : '').padEnd(NAME - 1)} ${line}\n`).join('')
  }
  yield `${paint('bold', shortened(`━━ ${head}`), screen)}\n`
  if (asked)
    yield lineOfText(speakerOf({ who: asked.who as Statement['who'] }, { platform, agent }), asked.text)
  if (reason) yield lineOfText(speakerOf({ who: 'agent' }, { platform, agent }), reason.text)
  if (commit) yield lineOfText('commit', commitText(commit))
  if (unfinished) yield lineOfText('', UNFINISHED)
  const elsewhere = file === wanted ? '' : ` ${shownName(homely(file, screen.home))}`
  yield `  ${paint('dim', `→ ${shownName(tool)}${elsewhere}: ${screen.suggest('read', [`${screen.suggest.id(session)}:${line}`])}`, screen)}\n\n`
}
