import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Environment } from '../src/model/artifact.ts'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import {
  bringUpToDate,
  contentOfAll,
  faultsOf,
  freshIndex,
  integrityOf,
  secondConnection,
  usagesOf,
  vocabularyOf,
} from './store-audit.ts'

/** Whatever happened to a store before, it is not damaged. */
function expectSound(path: string): void {
  const database = new DatabaseSync(path)
  try {
    expect(faultsOf(database)).toEqual({})
    expect(integrityOf(database)).toBe('ok')
  } finally {
    database.close()
  }
}

/**
 * A store is intact and has, after a refresh, the same content as a fresh index of the same files: nothing
 * missing, and nothing twice.
 */
export function expectWhole(path: string, environment: Environment): void {
  expectSound(path)
  const { store, setAside } = openSqliteStore(path, 0)
  expect(setAside).toBeUndefined()
  bringUpToDate(store, environment)
  expectSameAsFresh(path, store, environment)
  store.close()
  expectSound(path)
}

function expectSameAsFresh(
  path: string,
  store: ReturnType<typeof freshIndex>,
  environment: Environment,
): void {
  const freshPath = `${path}-fresh`
  const fresh = freshIndex(environment, freshPath)
  const [ours, theirs] = [secondConnection(store), secondConnection(fresh)]
  try {
    const [actual, wanted] = [contentOfAll(store, fresh), contentOfAll(fresh)]
    if (JSON.stringify([...actual]) !== JSON.stringify([...wanted])) expect(actual).toEqual(wanted)
    expect(contentOfAll(store).size).toBe(wanted.size)
    expect(usagesOf(ours)).toEqual(usagesOf(theirs))
    const words = vocabularyOf(ours)
    expect([...vocabularyOf(theirs)].filter((word) => !words.has(word))).toEqual([])
  } finally {
    for (const database of [ours, theirs, fresh]) database.close()
    for (const part of ['', '-wal', '-shm']) rmSync(freshPath + part, { force: true })
  }
}
