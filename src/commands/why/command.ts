import { existsSync, realpathSync } from 'node:fs'
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
  createTranscriptEdits,
  type ExplainedChange,
  explain,
  type FileChange,
  type Statement,
  type WritingChange,
} from './changes-of.ts'
import { blameOf, type Commit, commitsOf } from './repository.ts'

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
    'that followed. With a line, only the changes that wrote that line, and the commit that `git blame` names. Changes made by commands, such as ' +
    'sed, are not found. `scrollback changes` shows what a session changed.',
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
    const blamed =
      text !== undefined
        ? { text }
        : line === undefined
          ? undefined
          : await lineOf({ path, typed, line }, context)
    const all = await changesOf({ path, typed, isHere: existsSync(path) }, fresh, context)
    const edits = createTranscriptEdits(fresh, context)
    const changes: (FileChange & Partial<WritingChange>)[] =
      blamed === undefined ? all : changesWriting(blamed.text, all, edits, context)
    const isOfLines = blamed?.text.includes('\n') === true
    const commits = await commitsOf(path, context)
    const clean = cleaner(context.redact)
    const explained: (ExplainedChange & { wrote?: number[] | undefined })[] = []
    let failed = 0
    for (const { wrote, ...each } of changes) {
      if (explained.length === (limit || changes.length)) break
      const change = explain(each, edits, fresh)
      if (change) explained.push(isOfLines ? { ...change, wrote } : change)
      else failed++
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
      text: blamed === undefined ? null : clean(blamed.text),
      blame: commitJson(blamed?.commit, clean),
      total: changes.length - failed,
      changes: explained.map((change) => {
        const session = rows.get(change.hit.path)
        return {
          ...changeJson(change, (session && titleOf(session)) ?? null, commits, clean),
          ...(change.wrote && { wrote: change.wrote }),
        }
      }),
    }
  },
  isNothing: ({ changes }) => changes.length === 0,
  *render({ file, line, text, blame, total, changes }, screen) {
    if (text !== null) {
      const location = `${shownName(homely(file, screen.home))}${line === null ? '' : `:${line}`}`
      yield `${location}  ${shownLine(text).trim()}\n`
      if (blame) yield `  commit  ${commitText(blame)}\n`
      yield '\n'
    }
    if (changes.length === 0) {
      yield text === null
        ? `No session changed ${shownName(homely(file, screen.home))} with a tool.\n`
        : `No session wrote this line with a tool.\n`
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
  return { path: resolve(here, typed), typed, line: isLine ? Number(line) : undefined }
}

/** What is on a line, and the commit that wrote it. */
async function lineOf(
  { path, typed, line }: { path: string; typed: string; line: number },
  context: Context,
): Promise<{ text: string; commit?: Commit | undefined }> {
  if (!context.pipe)
    throw new ScrollbackError(
      'bad-option',
      'why: files of projects are only read on the command line',
      'Give the content of the line as text.',
    )
  const blamed = await blameOf(path, line, context)
  if (blamed) return blamed
  let bytes: Buffer | undefined
  try {
    bytes = readOwn(realpathSync(path), MOST_BYTES)
  } catch {
    // It is missing, a folder, or not readable.
  }
  if (!bytes)
    throw new ScrollbackError(
      'bad-option',
      `why: ${path} cannot be read, so its line ${line} is not known`,
      `What sessions changed in it: ${context.suggest('why', [typed])}`,
    )
  const text = bytes.toString().split(/\r?\n/)[line - 1]
  if (text === undefined) throw new ScrollbackError('bad-option', `why: ${path} has no line ${line}`)
  return { text }
}

function changeJson(
  { hit, file, asked, reason, committed }: ExplainedChange,
  title: string | null,
  commits: readonly Commit[],
  clean: (text: string) => string,
): Change {
  const next = commits.findLast(({ at }) => at >= (hit.at ?? Number.POSITIVE_INFINITY) - 1000)
  const commit = next && next.at - (hit.at ?? 0) <= SOON_MS ? next : undefined
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
/** Most characters of a text. */
const LONGEST = 240

function* changeText(change: Change, wanted: string, screen: Screen): Generator<string> {
  const { session, project, title, at, tool, file, asked, reason, commit, line, platform, agent } = change
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
  const elsewhere = file === wanted ? '' : ` ${shownName(homely(file, screen.home))}`
  yield `  ${paint('dim', `→ ${shownName(tool)}${elsewhere}: ${screen.suggest('read', [`${screen.suggest.id(session)}:${line}`])}`, screen)}\n\n`
}
