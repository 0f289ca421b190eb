import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readLines } from '../../src/io/lines.ts'
import { parseLine } from '../../src/io/parse-line.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import { createFold, foldEntries } from '../../src/model/fold/fold.ts'
import { opencode } from '../../src/platforms/opencode/index.ts'

interface Request {
  kind: string
  usage?: Record<string, unknown>
  interrupted?: boolean
}

/** What was typed, served and billed while a real client wrote this database. */
interface Truth {
  sessions: {
    session_id: string
    fork_of?: string
    interactive: boolean
    human_prompts: string[]
    tool_calls: { name: string; target: string; failed: boolean }[]
    errors: unknown[]
    requests: Request[]
  }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'opencode/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** The client leaves the effect of its own commands, not their words: nor what is typed after `/rename`. */
const isRecorded = (prompt: string, index: number, all: readonly string[]): boolean =>
  !(prompt.startsWith('/') || all[index - 1] === '/rename')
/** Sessions in which nothing but a command of the shell was typed, which the truth leaves out. */
const SHELL = /^!/

/** All that was billed for a request. Only one of the providers leaves the cache out of the input. */
function billed({ usage = {} }: Request): { input: number; output: number } {
  const count = (...names: string[]): number => names.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0)
  return {
    input: count('input_tokens', 'prompt_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
    output: count('output_tokens', 'completion_tokens'),
  }
}

/** Reads a session as `collect/read` does, which knows the listed platforms only. */
function read(artifact: Artifact) {
  const fold = createFold(artifact, { keep: 'condensed' })
  const source = opencode.files.open!(artifact)!
  readLines(source, (line) => {
    const origin = { line: line.number, offset: line.offset, length: line.length }
    fold.line(origin)
    const normalize = (entry: unknown) => opencode.records.normalize(entry, artifact)
    foldEntries(
      parseLine(line.bytes, line.start, line.end),
      origin,
      { normalize, record: opencode.identity.record },
      fold,
    )
  })
  source.close()
  return fold.finish()
}

describe.runIf(versions.length > 0)('the databases of real OpenCode clients', () => {
  it.each(versions)(
    'have the words, calls and tokens that the model and the person exchanged: %s',
    (version) => {
      const home = mkdtempSync(join(tmpdir(), 'scrollback-opencode-'))
      onTestFinished(() => rmSync(home, { recursive: true }))
      cpSync(join(folder, version), home, { recursive: true })
      const [root] = opencode.files.roots({ home, variables: {} })
      const { artifacts, notices } = opencode.files.discover(root!, { home, variables: {} })
      expect(notices).toEqual([])
      const sessions = new Map(artifacts.map((artifact) => [artifact.sessionId, read(artifact)]))
      const truths = (JSON.parse(readFileSync(join(folder, version, 'truth.json'), 'utf8')) as Truth).sessions
      const wrong: unknown[] = []
      for (const truth of truths) {
        const found = sessions.get(truth.session_id)
        if (!found) continue
        const { session, items } = found
        const own = truth.requests
          .filter(({ kind, interrupted }) => kind !== 'title' && !interrupted)
          .map(billed)
        const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = session.usage ?? {}
        const actual = {
          human: items.flatMap(({ who, text }) =>
            who === 'human' && text && !SHELL.test(text) ? [text] : [],
          ),
          tools: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.name] : [])),
          input: input + cacheRead + cacheWrite,
          output,
          unknown: session.accounting.unknown,
        }
        const expected = {
          human: truth.human_prompts.filter(isRecorded),
          tools: truth.tool_calls.map(({ name }) => name),
          input: own.reduce((sum, each) => sum + each.input, 0),
          output: own.reduce((sum, each) => sum + each.output, 0),
          unknown: {},
        }
        if (JSON.stringify(actual) !== JSON.stringify(expected))
          wrong.push({ id: truth.session_id, actual, expected, errors: session.errors })
      }
      expect(wrong).toEqual([])
      expect(sessions.size).toBeGreaterThanOrEqual(18)
    },
  )
})
