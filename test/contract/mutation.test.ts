import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/model/artifact.ts'
import { platforms } from '../../src/platforms/index.ts'
import { sharedHome } from '../records.ts'
import { shareOf } from '../share.ts'
import { entriesOf, everyLineIsCounted, itemsHaveCorrectPositions, skippedLinesHaveNothing } from './holds.ts'
import { changedEntry, changedLine, ESCAPED_ID } from './mutations.ts'
import { demo, fixtures, rawBytes, rawLines } from './subjects.ts'

const folder = sharedHome()

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
        { numRuns: shareOf(3000) },
      )
    })

    it('counts every line, and skips none unread that has something', () => {
      fc.assert(
        fc.property(file, (text) => {
          writeFileSync(artifact.path, text)
          skippedLinesHaveNothing(artifact)
          everyLineIsCounted(artifact)
          itemsHaveCorrectPositions(artifact)
        }),
        { numRuns: shareOf(600) },
      )
    })
  })
}
