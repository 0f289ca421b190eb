import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/model/session.ts'
import { codex } from '../../src/platforms/codex/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { withoutCopies } from './own-part.ts'

interface TruthUsage {
  input_tokens?: number
  output_tokens?: number
  output_tokens_details?: { reasoning_tokens: number }
}

/** What was typed, served and billed while a real client wrote these files. */
interface Truth {
  sessions: {
    session_id: string
    files: string[]
    interactive: boolean
    human_prompts: string[]
    tool_calls: unknown[]
    usage_total: TruthUsage & { 'output_tokens_details.reasoning_tokens'?: number }
    requests: {
      kind: string
      turn: string
      interrupted?: boolean
      usage?: TruthUsage
    }[]
  }[]
  admin: { args: string[]; session: string }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'codex/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** The client records no commands of its own, and `!` commands are prompts that the truth leaves out. */
const isRecorded = (prompt: string): boolean => !/^[/!]/.test(prompt)
/** Replies that were interrupted, steered away or cut leave no usage. Everything else is recorded. */
const CUT: Record<string, string[]> = {
  '0.80.0': ['Read me the short recipe.'],
  '0.121.0': ['Read me the short recipe.', 'Tell the long story of the oven.'],
  '0.121.0-migrated': ['Read me the short recipe.', 'Tell the long story of the oven.'],
  '0.169.0': ['Read me the short recipe.', 'Count the sacks slowly.', 'Tell the long story of the oven.'],
}

/** A migrated home lacks turns that were taken back. */
const isWhole = (version: string): boolean => !version.endsWith('-migrated')

describe.runIf(versions.length > 0)('the homes of real Codex clients', () => {
  it.each(versions)(
    'have the words, calls and tokens that the model and the person exchanged: %s',
    (version) => {
      const root = join(folder, version, '.codex')
      const { artifacts } = codex.files.discover(
        { platform: 'codex', path: root, reason: 'test', found: true },
        { home: '/nowhere', variables: {} },
      )
      const read = withoutCopies(
        new Map(artifacts.map((artifact) => [artifact.path, readSession(artifact)])),
        { home: '/nowhere', variables: {}, dirs: { codex: [root] } },
      )
      const { sessions, admin } = JSON.parse(
        readFileSync(join(folder, version, 'truth.json'), 'utf8'),
      ) as Truth
      const deleted = new Set(admin.flatMap(({ args, session }) => (args[0] === 'delete' ? [session] : [])))
      const cut: string[] = []
      for (const truth of sessions) {
        if (truth.files.length === 0) {
          if (!deleted.has(truth.session_id))
            expect(truth.requests.filter(({ kind }) => kind !== 'title')).toEqual([])
          continue
        }
        const parts = truth.files.map((file) => read.get(join(folder, version, file))!)
        const items = parts.flatMap(({ items }) => items)
        // What waits in the queue was never sent.
        const words = (isOne: (item: Item) => boolean): string[] =>
          items.flatMap((item) => (isOne(item) && item.text && isRecorded(item.text) ? [item.text] : []))
        const human = words(({ who, label }) => (who === 'human' && label !== 'waiting') || label === 'exec')
        // What `codex exec` sends is a program's.
        if (!truth.interactive)
          expect(words(({ who, label }) => who === 'human' && label !== 'waiting')).toEqual([])
        const typed = truth.human_prompts.filter(isRecorded)
        if (isWhole(version)) expect(human.toSorted()).toEqual(typed.toSorted())
        else expect(typed).toEqual(expect.arrayContaining(human))
        expect(items.filter(({ who }) => who === 'tool')).toHaveLength(truth.tool_calls.length)
        const sum = { input: 0, output: 0, reasoning: 0 }
        for (const { session } of parts) {
          const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0, reasoning = 0 } = session.usage ?? {}
          sum.input += input + cacheRead + cacheWrite
          sum.output += output
          sum.reasoning += reasoning
        }
        const { input_tokens = 0, output_tokens = 0 } = truth.usage_total
        for (const { turn, usage, interrupted } of truth.requests) {
          if (!interrupted) continue
          cut.push(turn)
          sum.input += usage!.input_tokens!
          sum.output += usage!.output_tokens!
          sum.reasoning += usage!.output_tokens_details!.reasoning_tokens
        }
        const reasoning = truth.usage_total['output_tokens_details.reasoning_tokens'] ?? 0
        expect(sum).toEqual({ input: input_tokens, output: output_tokens, reasoning })
      }
      expect(cut.sort()).toEqual(CUT[version]?.toSorted())
      expect(read.size).toBe(sessions.reduce((count, { files }) => count + files.length, 0))
    },
  )
})
