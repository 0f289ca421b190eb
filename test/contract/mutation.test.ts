import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Session } from '../../src/model/session.ts'
import { platforms } from '../../src/platforms/index.ts'
import { claude, text as textBlock } from '../records.ts'
import { entriesOf, everyLineIsCounted, fastEqualsSlow, itemsHaveCorrectPositions } from './holds.ts'
import { changedEntry, changedLine, ESCAPED_ID } from './mutations.ts'
import { demo, fixtures, rawBytes, rawLines } from './subjects.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrollback-mutation-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Where the two paths may differ for lines that no agent writes: model names and token counts of the wrong
 * type. A time inside a message, which OpenClaw's records repeat, is only found when the line is parsed.
 */
const EXCEPT = {
  'claude-code': ['model', 'usage'],
  openclaw: ['model', 'usage', 'startedMs', 'lastActivityMs'],
} as const satisfies Record<string, readonly (keyof Session)[]>

/** A reply whose model is written with an escape. */
const escapedModel = JSON.stringify(claude.reply(1, [textBlock('yes')])).replace(
  'claude-sonnet',
  'claude\\u002dsonnet',
)

for (const platform of platforms) {
  const subjects = [...fixtures(platform.id), ...demo()].filter(
    ({ artifact }) => artifact.platform === platform.id,
  )
  const artifact: Artifact = { ...subjects[0]!.artifact, path: join(folder, `${platform.id}.jsonl`) }
  const entries = subjects.flatMap((subject) => entriesOf(subject.artifact))
  const lines = subjects.flatMap((subject) =>
    rawLines(rawBytes(subject.artifact)).map(({ bytes }) => bytes.toString()),
  )

  /** A file of real lines, most of them changed. */
  const file = fc
    .array(changedLine(lines, entries), { maxLength: 8 })
    .map((each) => each.join('\n'))
    .filter((text) => !ESCAPED_ID.test(text))

  describe(`${platform.identity.name}, over changed lines`, () => {
    it('never throws while normalizing, and always returns something', () => {
      const entry = fc.oneof(fc.jsonValue(), fc.anything(), changedEntry(entries))
      fc.assert(
        fc.property(entry, (each) => {
          expect(platform.records.normalize(each, artifact).length).toBeGreaterThan(0)
        }),
        { numRuns: 3000 },
      )
    })

    it('yields the same with and without parsing, and counts every line', () => {
      fc.assert(
        fc.property(file, (text) => {
          writeFileSync(artifact.path, text)
          fastEqualsSlow(artifact, (EXCEPT as Record<string, readonly (keyof Session)[]>)[platform.id])
          everyLineIsCounted(artifact)
          itemsHaveCorrectPositions(artifact)
        }),
        { numRuns: 600, examples: platform.id === 'claude-code' ? [[escapedModel]] : [] },
      )
    })
  })
}
