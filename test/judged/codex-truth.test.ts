import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSession } from '../../src/collect/read/read-session.ts'
import { codex } from '../../src/platforms/codex/index.ts'

/** What was typed, served and billed while a real client wrote these files. */
interface Truth {
  sessions: {
    files: string[]
    interactive: boolean
    human_prompts: string[]
    tool_calls: unknown[]
    usage_total: { input_tokens?: number; output_tokens?: number }
    requests: { interrupted?: boolean }[]
  }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'codex/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** The client records no commands of its own, and `!` commands are prompts that the truth leaves out. */
const isRecorded = (prompt: string): boolean => !/^[/!]/.test(prompt)
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
      const read = new Map(artifacts.map((artifact) => [artifact.path, readSession(artifact)]))
      const { sessions } = JSON.parse(readFileSync(join(folder, version, 'truth.json'), 'utf8')) as Truth
      let compared = 0
      for (const truth of sessions) {
        const parts = truth.files.flatMap((file) => read.get(join(folder, version, file)) ?? [])
        if (parts.length === 0) continue
        compared++
        const items = parts.flatMap(({ items }) => items)
        // What waits in the queue was never sent.
        const human = items.flatMap(({ who, text, label }) =>
          who === 'human' && label !== 'waiting' && text && isRecorded(text) ? [text] : [],
        )
        const typed = truth.human_prompts.filter(isRecorded)
        if (isWhole(version)) expect(human.toSorted()).toEqual(typed.toSorted())
        else expect(typed).toEqual(expect.arrayContaining(human))
        expect(items.filter(({ who }) => who === 'tool')).toHaveLength(truth.tool_calls.length)
        // A reply that was cut leaves no usage.
        if (truth.requests.some(({ interrupted }) => interrupted)) continue
        const sum = { input: 0, output: 0 }
        for (const { session } of parts) {
          const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = session.usage ?? {}
          sum.input += input + cacheRead + cacheWrite
          sum.output += output
        }
        const { input_tokens = 0, output_tokens = 0 } = truth.usage_total
        expect(sum).toEqual({ input: input_tokens, output: output_tokens })
      }
      expect(compared).toBeGreaterThanOrEqual(8)
    },
  )
})
