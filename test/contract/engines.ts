import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import type { DayFigures, FiguresRequest } from '../../src/store/figures.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { TeamAddress } from '../../src/store/team.ts'
import { faultsIn, figuresIn, usagesIn, vocabularyIn } from '../clickhouse/audit.ts'
import { type Databases, testDatabases } from '../clickhouse/databases.ts'
import { sumsAgain } from '../figures-audit.ts'
import { faultsOf, integrityOf, secondConnection, usagesOf, vocabularyOf } from '../store-audit.ts'

/** What tests know of the rows of a store. */
export interface StoreAudit {
  /** The errors in the rows, in words; empty if there are none. */
  faults(): Record<string, number>
  /** The usage and cost of what is in the files now, by file and reply. */
  usages(): unknown[]
  /** The words that are also searched by their parts. */
  vocabulary(): Set<string>
  /** The figures, computed from the rows in another way. */
  figures(wanted: FiguresRequest): DayFigures[]
  /** The checks of the engine itself. `ok` if it has none. */
  integrity(): string
  close(): void
}

/** An engine to which the contract of stores is applied. */
export interface Engine {
  name: string
  /** An empty store. */
  open(): Store
  /** The same store, as another process opens it. */
  openAgain(store: Store): Store
  audit(store: Store): StoreAudit
  /** Messages are stored first, and their words later. */
  indexesLater: boolean
  /** A store is a file of one machine. Otherwise machines share it. */
  isFile: boolean
  /** Matches that have to be checked one by one are counted only until there are enough to rank. */
  countsEnough: boolean
  /** Of the runs of a property, how many are done: every statement of a server takes milliseconds. */
  share: number
}

/** Stores are files, which other connections can open. */
let folder: string | undefined
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})
let files = 0

const sqlite: Engine = {
  name: 'SQLite',
  indexesLater: true,
  isFile: true,
  countsEnough: true,
  share: 1,
  open() {
    folder ??= mkdtempSync(join(tmpdir(), 'scrollback-engines-'))
    return openSqliteStore(join(folder, `${files++}.sqlite`), 0).store
  },
  openAgain: ({ path }) => openSqliteStore(path, 0).store,
  audit(store) {
    const database = secondConnection(store)
    return {
      faults: () => faultsOf(database),
      usages: () => usagesOf(database),
      vocabulary: () => vocabularyOf(database),
      figures: (wanted) => sumsAgain(database, wanted),
      integrity: () => integrityOf(database),
      close: () => database.close(),
    }
  },
}

const databases = testDatabases()

/** An empty database of the server for tests. Only if there is one. */
export const emptyServer = (): TeamAddress => databases!.take()

/** Whether there is a server for tests. */
export const hasServer = databases !== undefined

/** Every engine that runs here. */
const engines: readonly Engine[] = databases === undefined ? [sqlite] : [sqlite, clickHouse(databases)]

/** For `describe.each`. */
export const namedEngines = engines.map((engine) => [engine.name, engine] as const)

function clickHouse({ take, giveBack }: Databases): Engine {
  const addresses = new WeakMap<Store, TeamAddress>()
  return {
    name: 'ClickHouse',
    indexesLater: false,
    isFile: false,
    countsEnough: false,
    share: 0.05,
    open() {
      const address = take()
      const opened = openClickHouseStore({ ...address, device: 'moss' })
      const store: Store = {
        ...opened,
        close() {
          opened.close()
          giveBack(address)
        },
      }
      addresses.set(store, address)
      return store
    },
    openAgain: (store) => openClickHouseStore({ ...addresses.get(store)!, device: 'moss' }),
    audit(store) {
      const connection = connect(addresses.get(store)!)
      return {
        faults: () => faultsIn(connection),
        usages: () => usagesIn(connection),
        vocabulary: () => vocabularyIn(connection),
        figures: (wanted) => figuresIn(connection, wanted),
        integrity: () => 'ok',
        close: () => connection.close(),
      }
    },
  }
}
