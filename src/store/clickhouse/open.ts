import { finish, type Steps } from '../../model/iteration.ts'
import type { SearchAnswer, SearchRequest } from '../search.ts'
import type { TeamStore, TeamStoreOptions } from '../team.ts'
import { connect } from './connection/connection.ts'
import { sql } from './connection/literal.ts'
import { createCopyReader, createCopyWriter } from './copy.ts'
import { readFigures, readMinutes } from './figures/figures.ts'
import { migrate } from './migrate.ts'
import { messagesOnlyIn } from './mutations.ts'
import { createLinks } from './read/links.ts'
import { createMessages, readOutline } from './read/messages.ts'
import { createSessions } from './read/sessions.ts'
import { createStamps, type Scope } from './scope.ts'
import { createSearcher } from './search/search.ts'
import { createTeam, withdrawing, withoutLeftOut } from './team.ts'
import { createWriter } from './write/writer.ts'

/** Opens a store in a database of a ClickHouse server: see `TeamEngine`. */
export function openClickHouseStore({
  device,
  person = '',
  everyone = false,
  lock = () => ({ release() {} }),
  onMalformed = () => undefined,
  ...address
}: TeamStoreOptions): TeamStore {
  const connection = connect(address)
  try {
    migrate(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  const writer = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  const scope: Scope = {
    connection,
    device,
    person,
    everyone,
    writer,
    stamp: createStamps(),
    leftOut: onMalformed,
  }
  const searcher = createSearcher(scope)
  const { finishInterrupted, added, ...written } = createWriter(scope)
  const team = createTeam(scope, added)
  const searchInSteps = (wanted: SearchRequest): Steps<SearchAnswer> => searcher.search(wanted)
  return {
    path: `${new URL(address.url).host}/${address.database}`,
    // What other devices have stored is theirs.
    readOnly: everyone,
    // The administrator of the server checks its files and limits its memory.
    checkPages() {},
    limitCache() {},
    isThere: () => true,
    ...createDevice(scope),
    ...written,
    ...withdrawing(scope, written),
    messagesOnlyIn: (ids) => messagesOnlyIn(scope, ids),
    write: (batch) => written.write(withoutLeftOut(batch, team.leftOut(), scope)),
    team,
    listing(part) {
      const { known, sessions } = createSessions(scope, part)
      return { known, sessions }
    },
    ...createCopyReader(scope),
    putCopies: createCopyWriter(scope),
    ...createSessions(scope),
    ...createMessages(scope),
    ...createLinks(scope),
    outline: (path, options) => readOutline(scope, path, options),
    // Messages are written with their words.
    *indexWords() {},
    unindexed: () => 0,
    sessionFacts: (roots, needs) => searcher.facts(needs).filter(({ root }) => roots.includes(root)),
    search: (wanted) => finish(searchInSteps(wanted)),
    searchInSteps,
    figures: (wanted) => readFigures(scope, wanted),
    minutes: (fromMs) => readMinutes(scope, fromMs),
    *asWriter(work) {
      const held = lock()
      if (!held) return undefined
      try {
        finishInterrupted()
        return yield* work()
      } finally {
        held.release()
      }
    },
    close: () => connection.close(),
  }
}

/** What each device has for itself: what its disk was like. */
function createDevice(scope: Scope) {
  const { connection, device, writer } = scope
  return {
    /** An inventory holds until the device writes. */
    settled: (scopeName: string): string | undefined =>
      connection.select<[string]>(
        sql`SELECT inventory FROM settled FINAL WHERE device = ${device} AND scope = ${scopeName}
          AND version > (SELECT max(stamp) FROM artifact WHERE device = ${device})`,
      )[0]?.[0],
    /** Skipped if a file may have changed unnoticed, because it was written just before it was read. */
    settle(scopeName: string, inventory: string): void {
      const [[racy] = [0]] = connection.select<[number]>(
        sql`SELECT count() FROM artifact FINAL WHERE device = ${device} AND racy = 1 AND gone IS NULL`,
      )
      if (racy === 0)
        connection.insert(
          'settled',
          ['device', 'scope', 'version', 'deleted', 'inventory'],
          [[device, scopeName, scope.stamp(), 0, inventory]],
        )
    },
    /** Of every device, so that none hides with a late time what the others write. */
    othersWrote: (): number =>
      connection.select<[number]>(
        sql`SELECT bitShiftRight(cityHash64(arraySort(groupArray((device, newest)))), 11)
          FROM (SELECT device, max(stamp) AS newest FROM artifact WHERE writer <> ${writer} GROUP BY device)`,
      )[0]![0],
  }
}
