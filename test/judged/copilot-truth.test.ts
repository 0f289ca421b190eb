import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copilot } from '../../src/platforms/copilot/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { withoutCopies } from './own-part.ts'

interface Request {
  usage?: Record<string, unknown>
  interrupted?: boolean
  turn: string
  reply_no: number
}

/** What was typed, served and billed while a real client wrote these files. */
interface Truth {
  sessions: {
    session_id: string
    fork_of?: string
    human_prompts: string[]
    /** Prompts that the session's file does not contain, with the reason. */
    kept_elsewhere?: Record<string, string>
    assistant_texts: string[]
    tool_calls: { name: string; target: string; failed: boolean }[]
    errors: { status: number }[]
    requests: Request[]
  }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'copilot-cli/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** What `/rewind` takes back, the client removes from the file, and it leaves its words in the input line. */
const TAKEN_BACK = 'Call the shop "Knead".'
const LEFT_IN_THE_INPUT = `${TAKEN_BACK}/exit`

/** The client records the effect of its own commands, not their words. */
const typedIn = ({ human_prompts: prompts, kept_elsewhere: elsewhere = {} }: Truth['sessions'][0]) =>
  prompts
    .filter((prompt) => !(prompt in elsewhere || prompt.startsWith('/')))
    .map((prompt) => (prompt === TAKEN_BACK ? LEFT_IN_THE_INPUT : prompt))

const isRecorded = ({ interrupted, turn, reply_no }: Request): boolean =>
  !interrupted && !(turn === TAKEN_BACK && reply_no === 0)

/** All that was billed for a request. Only one of the providers leaves the cache out of the input. */
function billed({ usage = {} }: Request): { input: number; output: number } {
  const count = (...names: string[]): number => names.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0)
  return {
    input: count('input_tokens', 'prompt_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
    output: count('output_tokens', 'completion_tokens'),
  }
}

/** The argument that says most, on one line. The truth has the whole patch, and the task of a subagent. */
function targetOf({ name, target }: { name: string; target: string }): string {
  if (name === 'apply_patch') return /File: (.*)/.exec(target)![1]!
  if (name === 'task') return target.includes('FLOUR') ? 'flour counter' : 'egg counter'
  return target.replace(/\s+/g, ' ').trim().slice(0, 100)
}

describe.runIf(versions.length > 0)('the folders of real Copilot CLI clients', () => {
  it.each(versions)(
    'have the words, calls, errors and tokens that the model and the person exchanged: %s',
    (version) => {
      const root = {
        platform: 'copilot',
        path: join(folder, version, '.copilot'),
        reason: 'test',
        found: true,
      }
      const { artifacts } = copilot.files.discover(root, { home: '/nowhere', variables: {} })
      const read = withoutCopies(
        new Map(artifacts.map((artifact) => [artifact.sessionId, readSession(artifact)])),
        { home: '/nowhere', variables: {}, dirs: { copilot: [root.path] } },
      )
      const { sessions } = JSON.parse(readFileSync(join(folder, version, 'truth.json'), 'utf8')) as Truth
      expect([...read.keys()].sort()).toEqual(sessions.map(({ session_id }) => session_id).sort())
      expect(sessions.length).toBeGreaterThanOrEqual(17)
      for (const truth of sessions) {
        const { items, session } = read.get(truth.session_id)!
        const textsOf = (wanted: string): string[] =>
          items.flatMap(({ who, text }) => (who === wanted && text ? [text] : []))
        // Commands of the shell are recorded, but the truth places none.
        expect(textsOf('human').filter((text) => !text.startsWith('!'))).toEqual(typedIn(truth))
        for (const text of textsOf('agent'))
          expect([...truth.assistant_texts, 'Summary of the bakery work']).toContainEqual(
            expect.stringContaining(text.slice(0, 20)),
          )
        expect(
          items.flatMap(({ tool, who }) =>
            who === 'tool' && tool ? [[tool.name, tool.target?.slice(0, 100)]] : [],
          ),
        ).toEqual(truth.tool_calls.map((call) => [call.name, targetOf(call)]))
        const denials = items.filter(({ marker }) => marker === 'denial').length
        const failed = truth.tool_calls.filter((call) => call.failed).length
        // Only the last failure of a request is recorded. Those before a retry that succeeds are not.
        const final = truth.errors.filter(({ status }) => status === 400).length
        expect(session.errors + denials).toBe(failed + final)
        const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = session.usage ?? {}
        const sums = truth.requests.filter(isRecorded).map(billed)
        expect({ input: input + cacheRead + cacheWrite, output }).toEqual({
          input: sums.reduce((sum, each) => sum + each.input, 0),
          output: sums.reduce((sum, each) => sum + each.output, 0),
        })
        expect(session.parentSessionId).toBe(truth.fork_of)
        expect(session.accounting).toMatchObject({ malformed: 0, unknown: {} })
      }
    },
  )
})
