import { describe, expect, it } from 'vitest'
import { platforms } from '../../src/platforms/index.ts'
import {
  everyLineIsCounted,
  fastEqualsSlow,
  indexEqualsReading,
  itemsStandWhereTheySay,
  nothingIsCarried,
  readingTwiceIsTheSame,
} from './holds.ts'
import { corpus, corpusFolder, demo, fixtures, type Subject } from './subjects.ts'

/** Real transcripts may be hundreds of megabytes long. */
const PATIENCE_MS = 600_000

function holdsFor(found: readonly Subject[]): void {
  const subjects = found.map(({ name, artifact }) => [name, artifact] as const)
  it.each(subjects)(
    'carries nothing from entry to entry: %s',
    (_, artifact) => {
      nothingIsCarried(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'tells without parsing what parsing tells: %s',
    (_, artifact) => {
      fastEqualsSlow(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'counts in its index what reading shows: %s',
    (_, artifact) => {
      indexEqualsReading(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'accounts for every line: %s',
    (_, artifact) => {
      everyLineIsCounted(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'names the place of every item: %s',
    (_, artifact) => {
      itemsStandWhereTheySay(artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'says the same when it is read again: %s',
    (_, artifact) => {
      readingTwiceIsTheSame(artifact)
    },
    PATIENCE_MS,
  )
}

for (const platform of platforms) {
  const subjects = fixtures(platform.id)
  describe.skipIf(subjects.length === 0)(`${platform.name}, over its fixtures`, () => holdsFor(subjects))
}

describe('every platform, over the demo', () => {
  holdsFor(demo())

  it('has sessions of every platform in the demo', () => {
    const seen = new Set(demo().map(({ artifact }) => artifact.platform))
    expect([...seen].sort()).toEqual(platforms.map(({ id }) => id).sort())
  })
})

describe.skipIf(!corpusFolder)(
  'every platform, over the folder that SCROLLBACK_CORPUS names (skipped when it names none)',
  async () => {
    const subjects = corpusFolder ? await corpus(corpusFolder) : []
    holdsFor(subjects)
    it.runIf(subjects.length === 0)('holds no transcript', () =>
      console.log(`${corpusFolder}: no transcript found`),
    )
  },
)
