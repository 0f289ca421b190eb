import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { IN_MEMORY, openSqliteStore } from '../../src/store/sqlite/open.ts'
import { keep, toldBy, toldByFile } from '../stores.ts'
import { demo, fixtures, rawBytes, type Subject } from './subjects.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrollback-cuts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const PATIENCE_MS = 600_000
/** Files of one store: with more, reading the list of them would be most of the work. */
const FILES = 40

/** Indexes the first part of a file and then the whole, for every place where it can be cut. */
function everyCut({ artifact }: Subject): void {
  const bytes = rawBytes(artifact)
  const path = (cut: number): string => join(folder, `${cut}.jsonl`)
  const subject = (cut: number, size: number) => ({
    ...artifact,
    path: path(cut),
    bytes: size,
    modifiedMs: 0,
    identity: undefined,
  })
  const expected = toldByFile(artifact)
  let store = openSqliteStore(IN_MEMORY, 0).store
  for (let cut = 0; cut < bytes.length; cut++) {
    if (cut % FILES === FILES - 1) {
      store.close()
      store = openSqliteStore(IN_MEMORY, 0).store
    }
    writeFileSync(path(cut), bytes.subarray(0, cut))
    keep(store, subject(cut, cut))
    writeFileSync(path(cut), bytes)
    keep(store, subject(cut, statSync(path(cut)).size))
    const told = toldBy(store, path(cut))
    expect(told.messages, `cut at ${cut}`).toEqual(expected.messages)
    const { path: _p, modifiedMs: _m, bytes: _b, ...session } = told.session
    expect({ ...expected.session, ...session }, `cut at ${cut}`).toEqual(expected.session)
    rmSync(path(cut))
  }
  store.close()
}

describe('indexing the first part of a file and then the whole tells what the whole tells', () => {
  const subjects = [...fixtures('claude-code'), ...fixtures('openclaw'), ...demo()]
    .filter(({ artifact }) => !artifact.path.endsWith('.zst') && artifact.bytes < 3000)
    .map((subject) => [subject.name, subject] as const)
  it.each(subjects)(
    'wherever it is cut: %s',
    (_, subject) => {
      everyCut(subject)
    },
    PATIENCE_MS,
  )
})
