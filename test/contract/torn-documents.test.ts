import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultOf } from '../../src/context/read-files.ts'
import type { Environment } from '../../src/model/artifact.ts'
import type { Store } from '../../src/store/store.ts'
import { type Refreshed, refresh } from '../../src/sync/refresh.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { temporaryHome } from '../records.ts'
import { contentOfAll, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const TORN =
  'is torn: it was not written to its end. What was read before is still stored; it is read again when it is whole.'

/** Homes with a session that its client keeps in one document, and its list of messages. */
const DOCUMENTS = [
  ['continue/words', '.continue/sessions/c3000000-0000-4000-8000-000000000001.json', 'history'],
  ['cline/words', '.cline/data/sessions/1794128400000_moss1/1794128400000_moss1.messages.json', 'messages'],
  ['gemini-cli/document', '.gemini/tmp/garden/chats/session-2026-11-07T10-50-07feed00.json', 'messages'],
] as const

/** Where a write may be cut, as a part of the bytes. */
const CUTS = [0, 0.1, 0.5, 0.9, 0.999]

/** What a store answers about everything. */
const answersOf = (store: Store) => ({
  contents: [...contentOfAll(store).values()],
  rows: store.sessions().map(({ session: { modifiedMs: _, bytes: __, ...session } }) => session),
  figures: Array.from(store.figures({ zone: ODD_ZONE }), ({ messages, usage, ...day }) =>
    [messages, usage, [day]].map((rows) => rows.map((row) => JSON.stringify(row)).sort()),
  ),
})

describe.each(namedEngines)('on %s, a document whose writing was cut', (_, engine) => {
  it.each(DOCUMENTS)(
    'is reported, keeps what was read before, and is read once it is whole: %s',
    (home, name, list) => {
      const folder = temporaryHome()
      cpSync(join(import.meta.dirname, '../fixtures', home), folder, { recursive: true })
      const environment: Environment = { home: folder, variables: {} }
      const path = join(folder, name)
      const whole = readFileSync(path)
      const store = engine.open()
      const audit = engine.audit(store)
      let clock = 1_800_000_000
      const write = (bytes: Buffer | string): Refreshed['faults'] => {
        writeFileSync(path, bytes)
        utimesSync(path, ++clock, clock)
        return refresh(store, { environment, now: Date.now(), threads: () => 1, faultOf }).faults
      }
      // Without the last messages, which it has only when it is whole again.
      const { [list]: all, ...rest } = JSON.parse(whole.toString()) as Record<string, unknown[]>
      expect(write(JSON.stringify({ ...rest, [list]: all!.slice(0, -2) }, null, 2))).toEqual([])
      const before = answersOf(store)
      for (const cut of CUTS) {
        expect(write(whole.subarray(0, Math.floor(whole.length * cut)))).toEqual([{ path, fault: TORN }])
        expect(answersOf(store)).toEqual(before)
      }
      expect(write(Buffer.alloc(whole.length))).toEqual([{ path, fault: TORN }])
      expect(answersOf(store)).toEqual(before)
      expect(write(whole)).toEqual([])
      const fresh = indexOn(engine, environment)
      expect(answersOf(store)).toEqual(answersOf(fresh))
      expect(audit.faults()).toEqual({})
      for (const each of [fresh, store]) each.close()
      audit.close()
    },
  )

  it.each(DOCUMENTS)('is reported until it is whole, if it was torn from the first: %s', (home, name) => {
    const folder = temporaryHome()
    cpSync(join(import.meta.dirname, '../fixtures', home), folder, { recursive: true })
    const environment: Environment = { home: folder, variables: {} }
    const path = join(folder, name)
    const whole = readFileSync(path)
    const store = engine.open()
    const faults = () => refresh(store, { environment, now: Date.now(), threads: () => 1, faultOf }).faults
    writeFileSync(path, whole.subarray(0, whole.length / 2))
    for (let time = 0; time < 3; time++) expect(faults()).toEqual([{ path, fault: TORN }])
    writeFileSync(path, whole)
    expect(faults()).toEqual([])
    const fresh = indexOn(engine, environment)
    expect(answersOf(store)).toEqual(answersOf(fresh))
    for (const each of [fresh, store]) each.close()
  })
})
