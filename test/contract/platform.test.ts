import { describe, expect, it } from 'vitest'
import { platforms } from '../../src/platforms/index.ts'
import {
  everyLineIsCounted,
  indexEqualsReading,
  itemsHaveCorrectPositions,
  nothingIsCarried,
  readingTwiceIsTheSame,
  skippedLinesHaveNothing,
} from './holds.ts'
import { corpus, corpusFolder, demo, fixtures, type Subject } from './subjects.ts'

/** Real transcripts may have hundreds of megabytes. */
const PATIENCE_MS = 600_000

function holdsFor(found: readonly Subject[]): void {
  const subjects = found.map(({ name, artifact }) => [name, artifact] as const)
  it.each(subjects)(
    'normalizing an entry does not depend on other entries: %s',
    (_, artifact) => {
      nothingIsCarried(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'a line that is skipped unread has nothing: %s',
    (_, artifact) => {
      skippedLinesHaveNothing(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'the index counts what reading shows: %s',
    (_, artifact) => {
      indexEqualsReading(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'every line is counted: %s',
    (_, artifact) => {
      everyLineIsCounted(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'every item has the position of its record: %s',
    (_, artifact) => {
      itemsHaveCorrectPositions(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'a second reading returns the same: %s',
    (_, artifact) => {
      readingTwiceIsTheSame(artifact)
    },
    PATIENCE_MS,
  )
}

for (const platform of platforms) {
  describe(`${platform.identity.name}, over its fixtures`, () => {
    const subjects = fixtures(platform.id)
    it('has fixtures', () => expect(subjects.length).toBeGreaterThan(0))
    holdsFor(subjects)
  })
}

describe('every platform, over the demo', () => {
  holdsFor(demo())
})

describe.skipIf(!corpusFolder)(
  'every platform, over the folder in SCROLLBACK_CORPUS (skipped if it is not set)',
  async () => {
    const subjects = corpusFolder ? await corpus(corpusFolder) : []
    holdsFor(subjects)
    it.runIf(subjects.length === 0)('finds no transcript', () =>
      console.log(`${corpusFolder}: no transcript found`),
    )
  },
)
