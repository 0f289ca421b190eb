import { resolve } from 'node:path'
import type { Context, Piped } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { faultOf } from '../../context/read-files.ts'
import { isoTime } from '../../context/time.ts'
import { checkStory, type Library } from '../../devlog/check.ts'
import {
  type CheckedSession,
  definitionOf,
  markOf,
  type NameOf,
  nameInMark,
  namesInMarks,
} from '../../devlog/citation.ts'
import type { Evidence } from '../../devlog/evidence.ts'
import { type Leak, leaksIn } from '../../devlog/leaks.ts'
import { cutText } from '../../devlog/sentences.ts'
import { labelsIn, parseStory, unescaped } from '../../devlog/story.ts'
import { type SourceSession, shownPath } from '../../devlog/turns.ts'
import { ScrollbackError } from '../../errors.ts'
import { notStarted } from '../../io/process.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item, Session } from '../../model/session.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { createGate } from '../../render/gate.ts'
import { codeSpan, quoteMarkdown } from '../../render/markdown.ts'
import { printable } from '../../render/terminal.ts'
import { type Loaded, loadSessions } from '../../selection/load-sessions.ts'
import { cleaner, readerFor } from '../../selection/read-messages.ts'
import { isNamed } from '../../selection/session-names.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { netChanges } from '../../sync/read/net-changes.ts'
import type { DevlogAnswer } from './answer.ts'

/** A longer file is no devlog. */
const LARGEST = 16 * 1024 * 1024

type Check = NonNullable<DevlogAnswer['check']>

/** Checks a text in a file against the transcripts and, where those are gone, the store. */
export function checkFile(name: string, context: Context): { check: Check; text: string } {
  const file = resolve(context.here, name)
  const checked = checkMarkdown(textOf(file), file, libraryOfAll(context), namesInMarks(context.suggest))
  if (checked.check.citations.length === 0)
    throw new ScrollbackError(
      'nothing-found',
      `${file} contains no devlog citations.`,
      'A citation is a mark such as [^640ab4c7:5:8f3a1c].',
    )
  return checked
}

/**
 * Checks a text, and returns it with definitions of all its marks. Marks of records that moved are replaced
 * by those of where they are now.
 */
export function checkMarkdown(
  markdown: string,
  of: string,
  library: Library,
  nameOf: NameOf,
): { check: Check; text: string } {
  const { citations, findings, sentences } = checkStory(parseStory(markdown), library)
  const count = (state: Check['citations'][number]['state']): number =>
    citations.filter((each) => each.state === state).length
  return {
    check: {
      of,
      holds: count('holds'),
      moved: count('moved'),
      edited: count('edited'),
      gone: count('gone'),
      citations: citations.map(({ now, ...each }) => ({ ...each, ...(now ? { now } : {}) })),
      findings,
      sentences,
    },
    text: withDefinitions(markdown, citations, nameOf),
  }
}

/** Whether everything holds. A record on another line is the same record. */
export const isSound = ({ gone, edited, findings }: Check): boolean => gone + edited + findings.length === 0

function withDefinitions(
  markdown: string,
  citations: ReturnType<typeof checkStory>['citations'],
  nameOf: NameOf,
): string {
  const labels = new Map(
    citations.map((citation) => {
      const { now, digest, label } = citation
      const own = now ? markOf({ ...now, digest }, nameOf).slice(2, -1) : label
      return [label, { own, at: now?.at }]
    }),
  )
  const definition = /^\[\^([^\]\s]+)\]:.*(?:\n|$)/gm
  const body = markdown
    .replace(definition, (line: string, label: string) => (labels.has(label) ? '' : line))
    .replace(/(?<!\\)\[\^([^\]\s]+)\](?!:)/g, (mark, label: string) => {
      const found = labels.get(label)
      return found ? `[^${found.own}]` : mark
    })
    .trimEnd()
  const used = new Map([...labels.values()].map(({ own, at }) => [own, at]))
  const lines = labelsIn(body).flatMap((label) =>
    used.has(label) ? definitionOf(label, isoTime(used.get(label))) : [],
  )
  return lines.length > 0 ? `${body}\n\n${lines.join('\n')}\n` : `${body}\n`
}

/** All sessions, read when a mark needs them. */
function libraryOfAll(context: Context): Library {
  const { sessions, artifacts } = loadSessions({}, context)
  const read = readerFor({ fresh: freshStore(context), redact: true })
  const files = new Map(artifacts.map((artifact) => [artifact.path, artifact]))
  const known = new Map<string, readonly Item[]>()
  const itemsOf = ({ path }: Session): readonly Item[] => {
    const task = { artifact: files.get(path) ?? ({ path } as Artifact) }
    const items = known.get(path) ?? read(task, { redact: true, usage: false }).items
    known.set(path, items)
    return items
  }
  return libraryOf(
    sessions.map((session) => ({
      session,
      get items() {
        return itemsOf(session)
      },
    })),
  )
}

/** A library of these sessions. */
export const libraryOf = (sessions: readonly CheckedSession[]): Library => ({
  ofId: (short) => sessions.filter(({ session: { id } }) => isNamed(nameInMark(id), short)),
  all: () => sessions,
})

/** The text of the file that the user named. */
function textOf(path: string): string {
  try {
    const source = openSource(path)
    try {
      const bytes = Buffer.alloc(LARGEST)
      let length = 0
      for (let count = -1; count !== 0 && length < LARGEST; length += count)
        count = source.read(bytes, length, LARGEST - length)
      return bytes.toString('utf8', 0, length)
    } finally {
      source.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new ScrollbackError(
      'unreadable',
      `${path} cannot be read (${code}).`,
      'Name a Markdown file.',
      error,
    )
  }
}

const MOST_FILES = 4
const MOST_CHARACTERS = 2500

/** The first and the last state of the files with the most edits, as far as the transcripts contain them. */
export function codeOf(
  { files }: Evidence,
  sources: readonly SourceSession[],
  { artifacts }: Loaded,
  context: Context,
): string {
  const clean = cleaner(context.redact)
  const known = new Map(artifacts.map((artifact) => [artifact.path, artifact]))
  const edits = sources.flatMap(({ session }) => {
    const artifact = known.get(session.path)
    if (!artifact || session.goneMs !== undefined) return []
    try {
      return fileEdits(artifact).map((edit) => ({ ...edit, session: session.id }))
    } catch (error) {
      context.note(`${session.path} ${faultOf(error)}`, 'partly')
      return []
    }
  })
  const changes = new Map(netChanges(edits).map((change) => [change.path, change]))
  const sections = files.flatMap(({ path }) => {
    const change = changes.get(path)
    if (!change) return []
    const state = (title: string, text: string): string =>
      `${title}:\n\n${quoteMarkdown(fenced(cutText(printable(clean(text)), MOST_CHARACTERS)))}`
    const { whole, pieces } = change
    const states = whole
      ? [
          whole.first === null ? 'New.' : state('First', whole.first),
          whole.last === null ? 'Deleted.' : state('Last', whole.last),
        ]
      : pieces
          .slice(-2)
          .flatMap(({ before, after }) => [state('Before an edit', before), state('After it', after)])
    return [`### ${codeSpan(clean(shownPath(path, sources[0]!.session)))}\n\n${states.join('\n\n')}`]
  })
  return sections.slice(0, MOST_FILES).join('\n\n') || 'The transcripts contain no state of a file.'
}

/** In a fence that nothing in the text can close. */
function fenced(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.trimEnd()}\n${fence}`
}

/** What a text in Markdown reveals about machines and people. */
export function leaksOf(markdown: string, sources: readonly SourceSession[], context: Context): Leak[] {
  const { find } = createRedactor({
    level: 'standard',
    identities: true,
    home: context.environment.home,
    users: [context.machine.user].filter(Boolean),
  })
  return leaksIn(unescaped(markdown), {
    find,
    device: context.machine.device,
    people: senders(sources),
  })
}

/** Labels that name no person. */
const COMMON = new Set(['queued', 'waiting', 'cron', 'thinking', 'output', 'probably a script'])

/** The people who wrote in groups, as the platform labels their messages. */
function senders(sources: readonly SourceSession[]): string[] {
  const names = new Set<string>()
  for (const { items } of sources)
    for (const { who, label } of items)
      if (who === 'human' && label !== undefined && !COMMON.has(label)) names.add(label)
  return [...names]
}

const MOST_BYTES = 4 * 1024 * 1024
const SECOND = 1000
const SHOWN_LINES = 8

/**
 * A function that gives a prompt to the user's command and returns its answer. The prompt is redacted,
 * whatever the global flags say, because it may leave this machine.
 */
export function createWriter(
  line: string,
  seconds: number,
  { pipe }: Context,
): (pack: string) => Promise<string> {
  const words = commandWords(line)
  if (!pipe)
    throw new ScrollbackError(
      'bad-option',
      '--writer: cannot start a program here',
      'Use the command line: scrollback devlog --writer …',
    )
  const { output: redacted } = createGate({ redact: true, colors: false })
  return async (pack) => {
    const answer = await pipe(words, redacted(pack), { milliseconds: seconds * SECOND, bytes: MOST_BYTES })
    const failure = failureOf(answer, seconds)
    if (failure === undefined) return answer.output
    const [name] = words
    const lines = answer.errors.trimEnd().split('\n').slice(-SHOWN_LINES).filter(Boolean)
    throw new ScrollbackError(
      'writer-failed',
      [`--writer: ${name} ${failure}`, ...lines.map((each) => `  ${each}`)].join('\n'),
      'Nothing was written. Try the command in your terminal, or leave out --writer to get the draft.',
    )
  }
}

function failureOf({ ended, code, output }: Piped, seconds: number): string | undefined {
  if (ended === 'missing') return `${notStarted()}.`
  if (ended === 'slow') return `was stopped after ${seconds} seconds (--writer-timeout).`
  if (ended === 'long') return `was stopped because it printed more than ${MOST_BYTES / 1024 / 1024} MB.`
  if (code !== 0) return code === null ? 'was ended by a signal.' : `failed with exit code ${code}.`
  return output.trim() === '' ? 'printed nothing.' : undefined
}

const TOKEN = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\])/gsy
/** What only a shell understands. */
const SHELL = /[|&;<>()`$*?]/

/**
 * Splits a command line into words like a POSIX shell, but expands nothing: quotes and backslashes group
 * words, and everything that only a shell understands is refused.
 *
 * @throws ScrollbackError for an unclosed quote, or a character such as `|` outside of quotes.
 */
export function commandWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < line.length) {
    const found = TOKEN.exec(line)
    if (!found) throw refused('has a quote without an end')
    const [whole, single, double, escaped, plain] = found
    if (plain !== undefined && SHELL.test(plain)) throw refused(`contains ${plain}, which needs a shell`)
    if (/^\s/.test(whole) && plain === undefined && escaped === undefined && !/['"]/.test(whole)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
  }
  if (word !== undefined) words.push(word)
  if (words.length === 0 || words[0] === '') throw refused('names no program')
  return words
}

const refused = (why: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `--writer: the command ${why}`,
    `It runs without a shell. To use one, start it: --writer 'sh -c "ollama run qwen3 | tail -n +2"'`,
  )
