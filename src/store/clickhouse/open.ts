import { finish, type Steps } from '../../model/steps.ts'
import type { SearchAnswer, SearchRequest } from '../search.ts'
import type { Store } from '../store.ts'
import { connect } from './connection/connection.ts'
import type { ServerAddress } from './connection/protocol.ts'
import { createCopyReader } from './copy/read.ts'
import { createCopyWriter } from './copy/write.ts'
import { createDevice } from './device.ts'
import { messagesOnlyIn } from './erase.ts'
import { readFigures, readMinutes } from './figures/figures.ts'
import { migrate } from './migrate.ts'
import type { StorePart } from './part.ts'
import { createLinks } from './read/links.ts'
import { createMessages } from './read/messages.ts'
import { readOutline } from './read/outline.ts'
import { createSessions } from './read/sessions.ts'
import { createStamps, type Scope } from './scope.ts'
import { createSearcher } from './search/searcher.ts'
import { createTeam, type Team, withoutLeftOut } from './team.ts'
import { withdrawing } from './withdraw.ts'
import { createWriter } from './write/writer.ts'

export interface ClickHouseOptions extends ServerAddress {
  /** The name of this machine: what is written belongs to it. */
  device: string
  /** Who works on this machine. */
  person?: string
  /** Read what every device has stored. Otherwise only files of this device are listed. */
  everyone?: boolean
  /** Called with each file that lists leave out because its row is malformed, as this store shows it. */
  onMalformed?(path: string): void
  /** Makes this process the only writer of the device. Returns undefined if another one is. */
  lock?(): { release(): void } | undefined
}

/** A store that several machines share. */
export interface TeamStore extends Store {
  team: Team
  /** Lists some sessions and their files. The engine finds them, so that no others are read. */
  listing(part: StorePart): Pick<Store, 'known' | 'sessions'>
}

/**
 * Opens a store in a database of a ClickHouse server, and creates its tables if there are none. Throws a
 * `ScrollbackError` if the server cannot be reached or refuses.
 */
export function openClickHouseStore({
  device,
  person = '',
  everyone = false,
  lock = () => ({ release() {} }),
  onMalformed = () => undefined,
  ...address
}: ClickHouseOptions): TeamStore {
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
    wordsIn: () => [],
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
