import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import type { DayFigures, FiguresRequest } from '../../src/store/figures.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoredSession } from '../../src/store/stored.ts'
import type { SpaceAddress } from '../../src/store/team.ts'
import { differences } from '../clickhouse/audit.ts'
import { type Databases, testDatabases } from '../clickhouse/databases.ts'
import { sumsAgain } from '../figures-audit.ts'
import { faultsOf, integrityOf, secondConnection, usagesOf, vocabularyOf } from '../store-audit.ts'
import { send } from './space.ts'

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
  /** Messages are stored first, and their words, without which a search finds nothing, later. */
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

/** So many files are stored together: with more, most of the time would be spent reading their list. */
const TOGETHER = 40

/**
 * Stores of an engine for one file after another, under different paths: to open one takes longer than a file.
 * Files that say different things under the same session and record need stores of their own.
 */
export interface StoresForFiles {
  /** A store that may contain other files. */
  next(): Store
  close(): void
}

export function storesForFiles({ open }: Pick<Engine, 'open'>): StoresForFiles {
  let store: Store | undefined
  let files = 0
  const close = (): void => {
    store?.close()
    store = undefined
  }
  return {
    next() {
      if (files++ % TOGETHER === 0) close()
      store ??= open()
      return store
    },
    close,
  }
}

const databases = testDatabases()

/** An empty database of the server for tests. Only if there is one. */
export const emptyServer = (): SpaceAddress => databases!.take()

/** Whether there is a server for tests. */
export const hasServer = databases !== undefined

/** Every engine that runs here. */
const engines: readonly Engine[] = databases === undefined ? [sqlite] : [sqlite, clickHouse(databases)]

/** For `describe.each`. */
export const namedEngines = engines.map((engine) => [engine.name, engine] as const)

/** The machine whose store is sent to the space. */
const DEVICE = 'moss'

/** What is answered by the space, after everything was sent to it. All else is the store of the machine. */
const ASKED = [
  ...([
    'sessions',
    'pathsOf',
    'messages',
    'cutMessages',
    'holds',
    'itemsAt',
    'outline',
    'positions',
  ] as const),
  ...(['countMessages', 'documents', 'documentText', 'sessionFacts', 'searchable', 'search'] as const),
  ...(['searchInSteps', 'figures', 'minutes', 'statistics', 'contents', 'copiesOf'] as const),
] as const

function clickHouse({ take, giveBack }: Databases): Engine {
  const addresses = new WeakMap<Store, { address: SpaceAddress; local: Store }>()
  /** A store of a machine whose questions are answered by a space that it sends everything to. */
  function sending(local: Store, address: SpaceAddress, close: () => void): Store {
    const space = openClickHouseStore({ ...address, device: DEVICE })
    let version: string | undefined
    const database = secondConnection(local)
    const changes = database.prepare('PRAGMA data_version')
    const bringUpToDate = (): void => {
      const now = String(changes.get()!.data_version)
      if (now === version) return
      send(local, address, { device: DEVICE })
      // A command opens the space anew, and this is what it begins with.
      space.known()
      version = String(changes.get()!.data_version)
    }
    const asked = Object.fromEntries(
      ASKED.map((name) => [
        name,
        (...given: never[]) => {
          bringUpToDate()
          return (space[name] as (...given: never[]) => unknown)(...given)
        },
      ]),
    ) as unknown as Pick<Store, (typeof ASKED)[number]>
    const { vectors: _, ...ofMachine } = local
    const store: Store = {
      ...ofMachine,
      ...asked,
      sessions: (...given) => asked.sessions(...given).map(withoutMachine),
      sessionFacts: (...given) => {
        const localId = localIds(local, space)
        return asked.sessionFacts(...given).map(({ device: _, person: __, ...facts }) => {
          const { artifact } = facts as typeof facts & { artifact: number }
          return { ...facts, artifact: localId(artifact) }
        })
      },
      figures: (wanted) => Array.from(asked.figures(wanted), withLocalIds(local, space)),
      minutes: (fromMs) => {
        const localId = localIds(local, space)
        return Array.from(asked.minutes(fromMs), ({ atMs, figure }) => ({
          atMs,
          figure: { ...figure, artifact: localId(figure.artifact) },
        }))
      },
      close() {
        database.close()
        space.close()
        local.close()
        close()
      },
    }
    addresses.set(store, { address, local })
    return store
  }
  return {
    ...sqlite,
    name: 'ClickHouse',
    indexesLater: false,
    isFile: false,
    countsEnough: false,
    share: 0.05,
    open() {
      const address = take()
      return sending(sqlite.open(), address, () => giveBack(address))
    },
    openAgain(store) {
      const { address, local } = addresses.get(store)!
      return sending(sqlite.openAgain(local), address, () => undefined)
    },
    audit(store) {
      const { address, local } = addresses.get(store)!
      const audit = sqlite.audit(local)
      return {
        ...audit,
        faults() {
          send(local, address, { device: DEVICE })
          return { ...audit.faults(), ...differences(local, address, DEVICE) }
        },
      }
    },
  }
}

/** The same object, because callers may hold it. */
function withoutMachine(row: StoredSession): StoredSession {
  delete row.session.device
  delete row.session.person
  return row
}

/** The ids that the machine has for the files of a space. */
function localIds(local: Store, space: Store): (id: number) => number {
  const known = local.known()
  const ids = new Map(
    [...space.known()].map(([path, { id }]) => [id, known.get(path)?.id ?? Number.NaN] as const),
  )
  return (id) => ids.get(id)!
}

function withLocalIds(local: Store, space: Store): (day: DayFigures) => DayFigures {
  const localId = localIds(local, space)
  const own = <Figure extends { artifact: number }>(figures: Figure[]): Figure[] =>
    figures.map((figure) => ({ ...figure, artifact: localId(figure.artifact) }))
  return ({ day, usage, messages, hours, touched }) => ({
    day,
    usage: own(usage),
    messages: own(messages),
    hours: own(hours),
    touched: own(touched),
  })
}
