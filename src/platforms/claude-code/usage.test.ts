import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootAt, transcripts } from '../../../test/claude-code-fixtures.ts'
import { claude, temporaryHome, text } from '../../../test/records.ts'
import { readSession } from '../../collect/read/read-session.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Usage } from '../../model/event.ts'

const MARK = '"MARK"'

/** A file of replies, each with one of these usages, written verbatim. */
function repliesWith(usages: readonly string[]): Artifact {
  const root = temporaryHome()
  const folder = join(root, 'projects/-srv-shop')
  mkdirSync(folder, { recursive: true })
  const lines = usages.map((usage, index) => {
    const reply = claude.reply(index, [text('done'), { type: 'text', text: 'more' }])
    const line = JSON.stringify({ ...reply, message: { ...reply.message, usage: 'MARK' } })
    return `${line.replace(MARK, () => usage)}\n`
  })
  writeFileSync(join(folder, 'a.jsonl'), lines.join(''))
  return [...transcripts(rootAt(root)).files.values()][0]!
}

const read = (artifact: Artifact): Usage | undefined => readSession(artifact).session.usage

describe('usage of replies', () => {
  it('separates cache writes for an hour from the others', () => {
    const stated = '{"cache_creation_input_tokens":100,"cache_creation":{"ephemeral_1h_input_tokens":60}}'
    expect(read(repliesWith([stated, stated]))).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 200,
      cacheWriteHour: 120,
    })
  })
})
