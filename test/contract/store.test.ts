import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { fileContent, keep, storedContent } from '../stores.ts'
import { namedEngines } from './engines.ts'
import { allFixtures, corpus, corpusFolder, demo, type Subject } from './subjects.ts'

/** Real transcripts may have hundreds of megabytes. */
const PATIENCE_MS = 600_000

function holdsFor(open: () => Store, found: readonly Subject[]): void {
  const subjects = found.map(({ name, artifact }) => [name, artifact] as const)
  it.each(subjects)(
    'a store has the same content as the file: %s',
    (_, artifact) => {
      const store = open()
      keep(store, artifact)
      expect(storedContent(store, artifact.path)).toEqual(fileContent(artifact))
      store.close()
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'a store has the same content if the file is read in slices: %s',
    (_, artifact) => {
      const store = open()
      keep(store, artifact, { slice: Math.max(200, Math.floor(artifact.bytes / 7)) })
      expect(storedContent(store, artifact.path)).toEqual(fileContent(artifact))
      store.close()
    },
    PATIENCE_MS,
  )
}

const real = corpusFolder === undefined ? [] : await corpus(corpusFolder)

describe.each(namedEngines)('a store on %s', (_, { open }) => {
  holdsFor(open, allFixtures())
  holdsFor(open, demo())
  if (real.length > 0) holdsFor(open, real)
  else it.skip('over real transcripts: SCROLLBACK_CORPUS names no folder with any')
})
