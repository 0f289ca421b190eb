import { afterAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/model/artifact.ts'
import { isTimeShared } from '../../src/model/item-key.ts'
import type { Store } from '../../src/store/store.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { fileContent, keep, storedContent } from '../stores.ts'
import { type Engine, namedEngines, storesForFiles } from './engines.ts'
import { allFixtures, corpus, corpusFolder, demo, type Subject } from './subjects.ts'

/** Real transcripts may have hundreds of megabytes. */
const PATIENCE_MS = 600_000

function holdsFor(engine: Engine, found: readonly Subject[]): void {
  const [whole, sliced] = [storesForFiles(engine), storesForFiles(engine)]
  afterAll(() => {
    for (const stores of [whole, sliced]) stores.close()
  })
  const subjects = found.map(({ name, artifact }) => [name, artifact] as const)
  it.each(subjects)(
    'a store has the same content as the file: %s',
    (_, artifact) => {
      const store = whole.next()
      keep(store, artifact)
      expectSame(store, artifact)
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'a store has the same content if the file is read in slices: %s',
    (_, artifact) => {
      const store = sliced.next()
      keep(store, artifact, { slice: Math.max(200, Math.floor(artifact.bytes / 7)) })
      expectSame(store, artifact)
    },
    PATIENCE_MS,
  )
}

const real = corpusFolder === undefined ? [] : await corpus(corpusFolder)

/** Copies that have other times than their originals have those in the store. */
function expectSame(store: Store, artifact: Artifact): void {
  const [stored, inFile] = [storedContent(store, artifact.path), fileContent(artifact)]
  for (const [index, item] of readSession(artifact).items.entries())
    if (isTimeShared(item)) for (const { messages } of [stored, inFile]) delete messages[index]?.at
  expect(stored).toEqual(inFile)
}

describe.each(namedEngines)('a store on %s', (_, engine) => {
  holdsFor(engine, allFixtures())
  holdsFor(engine, demo())
  if (real.length > 0) holdsFor(engine, real)
  else it.skip('over real transcripts: SCROLLBACK_CORPUS names no folder with any')
})
