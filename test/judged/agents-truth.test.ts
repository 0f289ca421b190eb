import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Item, Session } from '../../src/model/session.ts'
import { platforms } from '../../src/platforms/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { withoutCopies } from './own-part.ts'

/** Token counts, as the provider names them. */
type Counts = Readonly<Record<string, unknown>>

interface Request {
  text: string
  usage: Counts | null
}

interface Read {
  session: Session
  items: Item[]
}

interface TrueSession {
  session_id: string
  cwd: string
  fork_of: string | null
  human_prompts: string[]
  assistant_texts: string[]
  tool_calls: { name: string; failed: boolean }[]
  errors: { status: number }[]
  subagents: { usage_total: Counts }[]
  interrupted: { full_text_served_in_part: string }[]
  requests: Request[]
  usage_total: Counts
  deleted?: boolean
}

/** What was typed, served and billed while a real client wrote its home. */
interface Truth {
  side_requests: Record<string, { turn: string; usage: Counts }[]>
  runs: { how: string; rc: number; prompts: string[] }[]
  sessions: TrueSession[]
}

/** A session, as the truth states it and as Scrollback reads it. */
interface Facts {
  human: string[]
  agent: string[]
  cwd: string | undefined
  parent: string | undefined
  tools: string[]
  errors: number
  input: number
  output: number
  unknown: object
}

/** What a client does not record, or records in another way. Its page says why. */
interface Deviation {
  /** Whether the session is on disk at all. */
  isKept?(session: TrueSession): boolean
  /** What is expected, in place of what was exchanged. */
  adjust?(expected: Facts, session: TrueSession, read: Read, truth: Truth): Facts
  /** Kinds of requests of the client itself that it records. */
  aside?: readonly string[]
}

const DEVIATIONS: Record<string, Deviation> = {
  cline: {
    adjust(expected, _, { items }, truth) {
      // A prompt that was taken back stands before the one that is typed next.
      const typed = items.flatMap(({ who, text }) => (who === 'human' && text ? [text] : []))
      const human = withoutRefused(expected.human, truth)
      return { ...expected, human: human.map((one) => typed.find((each) => each.endsWith(one)) ?? one) }
    },
  },
  continue: {
    aside: ['main'],
    // A prompt whose request failed leaves no sign, nor does a command that failed without an error output. The
    // truth does not know that the client had no subagent to start.
    adjust(expected, { tool_calls }, { items }, truth) {
      const isOpen = (name: string): boolean => name === 'Bash' || name === 'Subagent'
      const failed = tool_calls.filter((call) => call.failed && !isOpen(call.name))
      const shown = items.filter(({ who, tool }) => who === 'error' && tool && isOpen(tool.name))
      const human = withoutRefused(expected.human, truth)
      return { ...expected, human, errors: failed.length + shown.length }
    },
  },
  'kilo-code': { isKept: ({ deleted }) => deleted !== true, aside: ['compact'] },
  // The requests of a compaction, which the truth matches with no session.
  'kimi-code': { aside: ['main', 'unmatched'] },
  'qwen-code': {
    aside: ['memory', 'compact'],
    adjust(expected, { requests }, { items }) {
      // What is typed behind a command of the client is part of the command.
      const commands = items.flatMap(({ marker, text = '' }) => (marker === 'local-command' ? [text] : []))
      const human = expected.human.filter((prompt) => !commands.some((each) => each.endsWith(prompt)))
      return { ...withoutLastReply(expected, requests, items), human }
    },
  },
}

/** Without the prompts of runs that failed, which leave nothing in the session. */
const withoutRefused = (prompts: readonly string[], { runs }: Truth): string[] =>
  prompts.filter((prompt) => !runs.some(({ rc, prompts: own }) => rc !== 0 && own.includes(prompt)))

/** A client that is ended may leave out the reply that it has shown last. */
function withoutLastReply(expected: Facts, requests: readonly Request[], items: readonly Item[]): Facts {
  const last = requests.at(-1)
  if (!last || items.some(({ text }) => text === last.text)) return expected
  const { input, output } = billed(last.usage)
  return {
    ...expected,
    agent: expected.agent.filter((text) => text !== last.text),
    input: expected.input - input,
    output: expected.output - output,
  }
}

const count = (counts: Counts | null, ...names: string[]): number =>
  names.reduce((all, name) => all + Number(counts?.[name] ?? 0), 0)

/** All that was billed for a request. Only one of the providers leaves the cache out of the input. */
const billed = (counts: Counts | null): { input: number; output: number } => ({
  input: count(
    counts,
    ...['prompt_tokens', 'input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ),
  output: count(counts, 'completion_tokens', 'output_tokens'),
})

/** The client repeats what may succeed later. */
const isFinal = ({ status }: { status: number }): boolean => status === 400

const expectedOf = (session: TrueSession): Facts => ({
  human: session.human_prompts,
  agent: session.assistant_texts,
  cwd: session.cwd,
  parent: session.fork_of ?? undefined,
  tools: session.tool_calls.map(({ name }) => name),
  errors: session.tool_calls.filter(({ failed }) => failed).length + session.errors.filter(isFinal).length,
  ...billed(session.usage_total),
  unknown: {},
})

/** Without the words of interrupted replies, which the truth lists apart. */
function readOf({ session, items }: Read, truth?: TrueSession): Facts {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = session.usage ?? {}
  const textsOf = (speaker: string): string[] =>
    items.flatMap(({ who, text }) => (who === speaker && text ? [text] : []))
  const isPart = (text: string): boolean =>
    truth?.interrupted.some((each) => each.full_text_served_in_part.startsWith(text)) === true
  return {
    human: textsOf('human'),
    agent: textsOf('agent').filter((text) => !isPart(text)),
    cwd: session.cwds[0]?.[0],
    parent: session.parentSessionId,
    tools: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.name] : [])),
    errors: session.errors,
    input: input + cacheRead + cacheWrite,
    output,
    unknown: session.accounting.unknown,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const corpus = process.env.SCROLLBACK_CORPUS ?? '/nowhere'
const HOMES = Object.keys(DEVIATIONS).flatMap((id) => {
  const folder = join(corpus, id, 'real-client')
  return existsSync(folder) ? readdirSync(folder).map((version) => [id, version] as const) : []
})

/** Everything in the home of a client, which is copied because a database is opened with its log. */
function readHome(id: string, from: string) {
  const home = mkdtempSync(join(tmpdir(), 'scrollback-truth-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  cpSync(from, home, { recursive: true })
  const { files } = platforms.find((platform) => platform.id === id)!
  const environment = { home, variables: {} }
  const roots = files.roots(environment).filter(({ found }) => found)
  const found = roots.map((root) => files.discover(root, environment))
  expect(found.flatMap(({ notices }) => notices)).toEqual([])
  const artifacts = found.flatMap((each) => each.artifacts)
  const read = new Map(artifacts.map((artifact) => [artifact.sessionId, readSession(artifact)]))
  return withoutCopies(read, environment)
}

describe.runIf(HOMES.length > 0)('the home of a real client', () => {
  it.each(HOMES)(
    'has the words, calls, failures, forks and tokens that were exchanged: %s %s',
    (id, version) => {
      const folder = join(corpus, id, 'real-client', version)
      const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Truth
      const read = readHome(id, join(folder, 'home'))
      const { isKept = () => true, adjust = (facts) => facts, aside = [] } = DEVIATIONS[id]!
      const kept = truth.sessions.filter(isKept)
      const pairs = kept.map((one) => ({
        id: one.session_id,
        actual: readOf(read.get(one.session_id)!, one),
        expected: adjust(expectedOf(one), one, read.get(one.session_id)!, truth),
      }))
      // The truth does not say for which session the client made requests of its own.
      const own = aside
        .flatMap((kind) => truth.side_requests[kind] ?? [])
        .filter(({ turn }) => withoutRefused([turn], truth).length > 0)
        .map(({ usage }) => billed(usage))
      for (const counted of ['input', 'output'] as const) {
        const further = pairs.map(({ actual, expected }) => actual[counted] - expected[counted])
        expect(sum(further), counted).toBe(sum(own.map((request) => request[counted])))
        if (own.length > 0) for (const { actual, expected } of pairs) actual[counted] = expected[counted]
      }
      expect(pairs.map(({ id, actual }) => ({ id, ...actual }))).toEqual(
        pairs.map(({ id, expected }) => ({ id, ...expected })),
      )
      const subagents = [...read.values()].filter(({ session }) => session.kind === 'subagent')
      expect(subagents.map((each) => readOf(each)).map(({ input, output }) => ({ input, output }))).toEqual(
        kept
          .flatMap(({ subagents }) => subagents.map(({ usage_total }) => billed(usage_total)))
          .filter(({ input }) => input > 0),
      )
      expect(truth.sessions.filter((one) => !isKept(one) && read.has(one.session_id))).toEqual([])
    },
  )
})
