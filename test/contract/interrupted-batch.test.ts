import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finish } from '../../src/model/iteration.ts'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { createStamps } from '../../src/store/clickhouse/scope.ts'
import { createWriter } from '../../src/store/clickhouse/write/writer.ts'
import type { Increment } from '../../src/store/increment.ts'
import type { Store } from '../../src/store/store.ts'
import { discover } from '../../src/sync/discover.ts'
import { readIncrement } from '../../src/sync/read-increment.ts'
import { faultsIn } from '../clickhouse/audit.ts'
import { call, claude, put, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { fileContent, keep, storedContent } from '../stores.ts'
import { emptyServer, hasServer } from './engines.ts'

const DEVICE = 'moss'

const talk = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index
    if (number % 3 === 0) return claude.user(number, `Water w${number}x`)
    const said =
      number % 3 === 1 ? text(`Done w${number}x`) : call(`t${number}`, 'Bash', { command: `w${number}x` })
    return claude.reply(number, [said])
  })

/** What happens to a file between two batches. */
const CHANGES: Record<string, (path: string) => void> = {
  'a file that is new': () => {},
  'lines that were appended': (path) =>
    appendFileSync(
      path,
      talk(20, 5)
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
    ),
  'a beginning that was cut off': (path) => void put(path, talk(10, 12)),
  'a file that was rewritten': (path) => void put(path, [...talk(40, 6), ...talk(3, 2)]),
}

/** A connection that breaks after so many writing statements, before or after the last one was executed. */
function breaking(connection: Connection, after: number, executes: boolean): Connection {
  let count = 0
  const attempt = (work: () => void): void => {
    count++
    if (count > after && !executes) throw new Error('broken')
    work()
    if (count > after) throw new Error('broken')
  }
  return {
    ...connection,
    run: (statement) => attempt(() => connection.run(statement)),
    insert: (table, columns, rows) => {
      if (rows.length > 0) attempt(() => connection.insert(table, columns, rows))
    },
  }
}

/** The changed file as a batch, and the store as it was before. */
function prepared(change: (path: string) => void, isNew: boolean) {
  const server = emptyServer()
  const folder = join(temporaryHome(), 'claude')
  const path = put(join(folder, 'projects/-home-ann-garden', `${uuid(1)}.jsonl`), talk(1, 15))
  const store = openClickHouseStore({ ...server, device: DEVICE })
  const artifact = () => discover(claudeAt(folder)).artifacts[0]!
  if (!isNew) keep(store, artifact())
  change(path)
  const batch = (): Increment[] => {
    const base = store.known().get(path)
    const again = base !== undefined && !store.isIntact(base.id)
    return [readIncrement({ artifact: artifact(), base, again }).increment]
  }
  return { server, store, path, batch, artifact }
}

const contentOf = (store: Store, path: string) =>
  store.known().has(path) ? storedContent(store, path) : undefined

describe.runIf(hasServer)('a batch that is interrupted', () => {
  it.each(Object.entries(CHANGES))(
    'is complete once it is written again, wherever that was: %s',
    (name, change) => {
      const isNew = name.includes('new')
      for (const executes of [false, true])
        for (let after = 0, broke = true; broke; after++) {
          const { server, store, path, batch, artifact } = prepared(change, isNew)
          const before = contentOf(store, path)
          const connection = connect(server)
          const scope = {
            person: '',
            everyone: false,
            writer: 1,
            stamp: createStamps(),
            leftOut() {},
            device: DEVICE,
          }
          const writer = createWriter({ ...scope, connection: breaking(connection, after, executes) })
          try {
            writer.write(batch())
            broke = false
          } catch (error) {
            expect(String(error)).toContain('broken')
          }
          const there = JSON.stringify(contentOf(store, path))
          const whole = `${name}, after ${after} statements`
          // Readers see the file as it was or as it is now. What was appended is hidden until it is complete.
          if (there !== JSON.stringify(before))
            expect(store.known().get(path)!.checkpoint.size, whole).toBe(artifact().bytes)
          if (broke && store.known().get(path)?.checkpoint.size !== artifact().bytes) store.write(batch())
          const now = storedContent(store, path)
          const wanted = fileContent(artifact())
          expect(now.messages, whole).toEqual(wanted.messages)
          // What the batch could not remove any more goes with the next writer.
          finish(store.asWriter(function* () {}))
          expect(faultsIn(connection), whole).toEqual({})
          keep(store, artifact())
          expect(storedContent(store, path).messages, whole).toEqual(wanted.messages)
          connection.close()
          store.close()
        }
    },
  )

  it('changes nothing when it is written twice', () => {
    const { store, path, batch } = prepared(() => {}, true)
    const first = batch()
    expect(store.write(first)).toEqual([])
    const content = JSON.stringify(contentOf(store, path))
    // The second time its base is not what is stored.
    expect(store.write(first)).toEqual([path])
    expect(JSON.stringify(contentOf(store, path))).toBe(content)
    store.close()
  })
})
