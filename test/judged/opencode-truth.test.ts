import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Item } from '../../src/model/session.ts'
import { opencode } from '../../src/platforms/opencode/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { withoutCopies } from './own-part.ts'

interface Request {
  kind: string
  usage?: Record<string, unknown>
  interrupted?: boolean
}

interface Run {
  run: string
  how: string
  rc: number
}

/** What was typed, served and billed while a real client wrote this database. */
interface Truth {
  runs: Run[]
  typed_but_placed_nowhere: { typed: string }[]
  /** Sessions that were deleted with the client's own command. */
  admin: { session: string }[]
  sessions: {
    session_id: string
    title: string
    fork_of?: string
    parent?: string
    runs: string[]
    models: string[]
    human_prompts: string[]
    tool_calls: { name: string; target: string; result_head: string; failed: boolean }[]
    errors: unknown[]
    requests: Request[]
  }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'opencode/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** The client leaves the effect of its own commands, not their words: nor what is typed after `/rename`. */
const isRecorded = (prompt: string, index: number, all: readonly string[]): boolean =>
  !(prompt.startsWith('/') || all[index - 1] === '/rename')

/** The session that a fork was made from, where only its title says so. */
function forkedIn(title: string, { sessions }: Truth): string | undefined {
  const [, original] = /^(.+) \(fork #\d+\)$/.exec(title) ?? []
  return original === undefined ? undefined : sessions.find((each) => each.title === original)?.session_id
}

/** Dollars per million tokens, for each model in the settings of this home. */
const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }

/** All that was billed for a request. Only one of the providers leaves the cache out of the input. */
function billed({ usage = {} }: Request) {
  const count = (...names: string[]): number => names.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0)
  const details = (usage.prompt_tokens_details ?? {}) as { cached_tokens?: number }
  const cached = details.cached_tokens ?? 0
  const [plain, read, written, output] = [
    count('input_tokens', 'prompt_tokens') - cached,
    count('cache_read_input_tokens') + cached,
    count('cache_creation_input_tokens'),
    count('output_tokens', 'completion_tokens'),
  ]
  const { input, cacheRead, cacheWrite } = PRICES
  const cost = plain * input + read * cacheRead + written * cacheWrite + output * PRICES.output
  return { input: plain + read + written, output, cost: cost / 1e6 }
}

/** Of these, Scrollback shows the description, or nothing. */
const NO_TARGET: ReadonlySet<string> = new Set(['task', 'todowrite'])

/** The truth judges by the words of a result. A command that ends with `false` fails without any. */
const hasFailed = ({ failed, target }: { failed: boolean; target: string }): boolean =>
  failed || target.endsWith('; false')

/** A call that a person rejected is not an error. */
const isRejected = ({ result_head }: { result_head: string }): boolean =>
  result_head.startsWith('The user rejected')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** The first prompt, which a fork has from its original. */
const firstOf = ({ items }: { items: Item[] }): string | undefined =>
  items.find(({ who, text }) => who === 'human' && text)?.text

describe.runIf(versions.length > 0)('the databases of real OpenCode clients', () => {
  it.each(versions)(
    'have the words, calls, errors, forks, tokens and costs that the model and the person exchanged: %s',
    (version) => {
      const home = mkdtempSync(join(tmpdir(), 'scrollback-opencode-'))
      onTestFinished(() => rmSync(home, { recursive: true }))
      cpSync(join(folder, version), home, { recursive: true })
      const environment = { home, variables: {} }
      const found = opencode.files
        .roots(environment)
        .map((root) => opencode.files.discover(root, environment))
      expect(found.flatMap(({ notices, unread }) => [...notices, ...unread])).toEqual([])
      const read = new Map(
        found.flatMap(({ artifacts }) =>
          artifacts.map((artifact) => [artifact.sessionId, readSession(artifact)] as const),
        ),
      )
      const sessions = withoutCopies(read, environment)
      const truth = JSON.parse(readFileSync(join(folder, version, 'truth.json'), 'utf8')) as Truth
      const failed = new Set(
        truth.runs.flatMap(({ run, how, rc }) => (how === 'print' && rc !== 0 ? [run] : [])),
      )
      const commands: string[] = []
      let compared = 0
      const deleted = new Set(truth.admin.map(({ session }) => session))
      for (const each of truth.sessions) {
        expect(sessions.has(each.session_id)).toBe(!deleted.has(each.session_id))
        if (deleted.has(each.session_id)) continue
        const { session, items } = sessions.get(each.session_id)!
        compared++
        const own = each.requests
          .filter(({ kind, interrupted }) => kind !== 'title' && !interrupted)
          .map(billed)
        const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = session.usage ?? {}
        const typed = items.flatMap(({ who, text }) => (who === 'human' && text ? [text] : []))
        commands.push(...typed.filter((text) => text.startsWith('!')))
        expect({
          id: session.id,
          title: session.title,
          parent: session.parentSessionId,
          human: typed.filter((text) => !text.startsWith('!')),
          tools: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.name] : [])),
          errors: session.errors,
          denials: items.filter(({ marker }) => marker === 'denial').length,
          input: input + cacheRead + cacheWrite,
          output,
          unknown: session.accounting.unknown,
        }).toEqual({
          id: each.session_id,
          title: each.title.startsWith('New session - ') ? firstOf(read.get(each.session_id)!) : each.title,
          parent: each.fork_of ?? each.parent ?? forkedIn(each.title, truth),
          human: each.human_prompts.filter(isRecorded),
          tools: each.tool_calls.map(({ name }) => name),
          // The run that ended with a failure left one error in its session.
          errors:
            each.tool_calls.filter((call) => hasFailed(call) && !isRejected(call)).length +
            each.runs.filter((run) => failed.has(run)).length,
          denials: each.tool_calls.filter(isRejected).length,
          input: sum(own.map((request) => request.input)),
          output: sum(own.map((request) => request.output)),
          unknown: {},
        })
        const targets = items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.target] : []))
        for (const [index, { name, target }] of each.tool_calls.entries())
          if (!NO_TARGET.has(name)) expect(targets[index]).toBe(target)
        expect(session.usage?.cost ?? 0).toBeCloseTo(sum(own.map((request) => request.cost)), 9)
      }
      expect(compared).toBe(truth.sessions.length - deleted.size)
      expect(compared).toBeGreaterThanOrEqual(18)
      const placed = truth.typed_but_placed_nowhere.map(({ typed }) => typed)
      expect(new Set(commands)).toEqual(new Set(placed.filter((typed) => typed.startsWith('!'))))
      // Every prompt in the history is in a session.
      expect(sessions.get('prompt-history')!.items).toEqual([])
      expect(sessions.size).toBe(compared + 1)
    },
  )
})
