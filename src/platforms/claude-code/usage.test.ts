import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
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

const read = (artifact: Artifact, parseAll: boolean, purpose: 'index' | 'read'): Usage | undefined =>
  readSession(artifact, { purpose, parseAll }).session.usage

const tokens = fc.oneof(fc.nat(1_000_000), fc.constantFrom(0, null, 'many'))
const member = (name: string, value: fc.Arbitrary<string>) => value.map((each) => `"${name}":${each}`)
const json = (value: fc.Arbitrary<unknown>) => value.map((each) => JSON.stringify(each))
/** Some of them, in any order, some twice. */
const object = (...members: fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(...members), { maxLength: 6 }).map((each) => `{${each.join(',')}}`)

const cacheCreation = fc.oneof(
  object(
    member('ephemeral_1h_input_tokens', json(tokens)),
    member('ephemeral_5m_input_tokens', json(tokens)),
    member('type', json(fc.constantFrom('text', 'tool_use'))),
    member('id', json(fc.constant('x'))),
  ),
  fc.constantFrom('null', '7', '[]', '[{"ephemeral_1h_input_tokens":5}]'),
)
const usage = fc.oneof(
  object(
    ...['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'].map(
      (name) => member(name, json(tokens)),
    ),
    member('cache_creation', cacheCreation),
    member('input', object(member('type', json(fc.constant('text'))))),
    member('iterations', cacheCreation),
  ),
  fc.constantFrom('null', '[]', '{}'),
)

describe('usage of replies', () => {
  it('separates cache writes for an hour from the others', () => {
    const stated = '{"cache_creation_input_tokens":100,"cache_creation":{"ephemeral_1h_input_tokens":60}}'
    for (const purpose of ['index', 'read'] as const)
      expect(read(repliesWith([stated, stated]), false, purpose)).toEqual({
        ...{ input: 0, output: 0, cacheRead: 0 },
        ...{ cacheWrite: 200, cacheWriteHour: 120 },
      })
  })

  it('is the same with and without parsing every line, whatever its form', () => {
    fc.assert(
      fc.property(fc.array(usage, { minLength: 1, maxLength: 4 }), (usages) => {
        const artifact = repliesWith(usages)
        for (const purpose of ['index', 'read'] as const)
          expect(read(artifact, false, purpose)).toEqual(read(artifact, true, purpose))
      }),
      { numRuns: 300 },
    )
  })
})
