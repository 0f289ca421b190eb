import { describe, expect, it } from 'vitest'
import { IN_MEMORY, openSqliteStore } from '../../src/store/sqlite/open.ts'
import { keep, toldBy, toldByFile } from '../stores.ts'
import { corpus, corpusFolder, demo, fixtures, type Subject } from './subjects.ts'

/** Real transcripts may be hundreds of megabytes long. */
const PATIENCE_MS = 600_000

/** Every engine there is: each has to pass all of this. */
const engines = { sqlite: () => openSqliteStore(IN_MEMORY, 0).store }

function holdsFor(open: () => ReturnType<(typeof engines)['sqlite']>, found: readonly Subject[]): void {
  const subjects = found.map(({ name, artifact }) => [name, artifact] as const)
  it.each(subjects)(
    'tells what the file tells: %s',
    (_, artifact) => {
      const store = open()
      keep(store, artifact)
      expect(toldBy(store, artifact.path)).toEqual(toldByFile(artifact))
      store.close()
    },
    PATIENCE_MS,
  )
  it.each(subjects)(
    'tells the same when the file is read in slices: %s',
    (_, artifact) => {
      const store = open()
      keep(store, artifact, { slice: Math.max(200, Math.floor(artifact.bytes / 7)) })
      expect(toldBy(store, artifact.path)).toEqual(toldByFile(artifact))
      store.close()
    },
    PATIENCE_MS,
  )
}

const real = corpusFolder === undefined ? [] : await corpus(corpusFolder)

describe.each(Object.entries(engines))('a store on %s', (_, open) => {
  for (const platform of ['claude-code', 'openclaw']) holdsFor(open, fixtures(platform))
  holdsFor(open, demo())
  if (real.length > 0) holdsFor(open, real)
  else it.skip('over real transcripts: SCROLLBACK_CORPUS names no folder with any')
})
