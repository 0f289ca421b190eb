import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pi } from '../../src/platforms/pi/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { withoutCopies } from './own-part.ts'

interface Request {
  usage?: Record<string, unknown>
  interrupted?: boolean
}

/** What was typed, served and billed while a real client wrote these files. */
interface Truth {
  sessions: {
    files: string[]
    fork_of?: string
    interactive: boolean
    human_prompts: string[]
    /** Prompts that the session's file does not contain, with the reason. */
    kept_elsewhere?: Record<string, string>
    tool_calls: { name: string; target: string; failed: boolean }[]
    errors: unknown[]
    requests: Request[]
  }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'pi/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** The client leaves the effect of its own commands, not their words. Commands of the shell are recorded. */
const isRecorded = (prompt: string, elsewhere: Record<string, string> = {}): boolean =>
  prompt.startsWith('!') || !(prompt in elsewhere || prompt.startsWith('/'))

/** All that was billed for a request. Only one of the providers leaves the cache out of the input. */
function billed({ usage = {} }: Request): { input: number; output: number } {
  const count = (...names: string[]): number => names.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0)
  return {
    input: count('input_tokens', 'prompt_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
    output: count('output_tokens', 'completion_tokens'),
  }
}

const summed = (requests: readonly Request[]) =>
  requests
    .map(billed)
    .reduce((sum, each) => ({ input: sum.input + each.input, output: sum.output + each.output }), {
      input: 0,
      output: 0,
    })

describe.runIf(versions.length > 0)('the folders of real pi clients', () => {
  it.each(versions)(
    'have the words, calls, errors and tokens that the model and the person exchanged: %s',
    (version) => {
      const root = join(folder, version, '.pi/agent')
      const { artifacts } = pi.files.discover(
        { platform: 'pi', path: root, reason: 'test', found: true },
        { home: '/nowhere', variables: {} },
      )
      const read = withoutCopies(
        new Map(artifacts.map((artifact) => [artifact.path, readSession(artifact)])),
        { home: '/nowhere', variables: {}, dirs: { pi: [root] } },
      )
      const { sessions } = JSON.parse(readFileSync(join(folder, version, 'truth.json'), 'utf8')) as Truth
      let compared = 0
      for (const truth of sessions) {
        const parts = truth.files.map((file) => read.get(join(folder, version, file))!)
        if (parts.length === 0) continue
        compared++
        const items = parts.flatMap((part) => part.items)
        const textsOf = (wanted: string): string[] =>
          items.flatMap(({ who, text }) => (who === wanted && text ? [text] : []))
        const typed = truth.human_prompts.filter((prompt) => isRecorded(prompt, truth.kept_elsewhere))
        const human = textsOf('human')
        expect(human).toHaveLength(typed.length)
        // A fork in the terminal begins with the parent's prompt in the input line, which people change.
        if (truth.fork_of !== undefined && truth.interactive)
          expect(human.at(0)?.endsWith(typed[0]!)).toBe(true)
        else expect(human).toEqual(typed)
        expect(
          items.flatMap(({ tool, who }) => (who === 'tool' && tool ? [[tool.name, tool.target]] : [])),
        ).toEqual(truth.tool_calls.map(({ name, target }) => [name, target]))
        // A person interrupts in a terminal only. Elsewhere the connection broke, which is an error.
        const cut = truth.requests.filter(({ interrupted }) => interrupted)
        const failed = truth.tool_calls.filter((call) => call.failed).length
        const broken = truth.interactive ? 0 : cut.length
        expect(parts.reduce((sum, { session }) => sum + session.errors, 0)).toBe(
          failed + truth.errors.length + broken,
        )
        const sum = { input: 0, output: 0 }
        for (const { session } of parts) {
          const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = session.usage ?? {}
          sum.input += input + cacheRead + cacheWrite
          sum.output += output
        }
        const whole = summed(truth.requests.filter(({ interrupted }) => !interrupted))
        // Of a reply that a person interrupted, the output is recorded up to there, and the input in full.
        const billedInput = truth.interactive ? summed(truth.requests).input : whole.input
        expect(sum.input).toBe(billedInput)
        if (cut.length === 0 || !truth.interactive) expect(sum.output).toBe(whole.output)
        else expect(sum.output).toBeGreaterThanOrEqual(whole.output)
        if (truth.fork_of !== undefined)
          expect(parts.map(({ session }) => session.parentSessionId)).toEqual([truth.fork_of])
      }
      expect(compared).toBeGreaterThanOrEqual(13)
      expect(read.size).toBe(compared)
    },
  )
})
