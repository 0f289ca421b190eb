import { ScrollbackError } from '../../errors.ts'
import { finish, type Steps } from '../../model/iteration.ts'
import type { SearchAnswer, SearchRequest } from '../search.ts'
import type { Writer } from '../store.ts'
import type { SpaceOptions, SpaceStore } from '../team.ts'
import { messagesOnlyIn } from './administration.ts'
import { connect } from './connection/connection.ts'
import { createCopyReader } from './copy.ts'
import { checkFormat } from './migrate.ts'
import { readFigures, readMinutes } from './read/figures.ts'
import { createMessages, readOutline } from './read/messages.ts'
import { createSessions } from './read/sessions.ts'
import { currentFiles, type Overview, overviewOf, type Scope } from './scope.ts'
import { createSearcher } from './search/search.ts'

/** Opens a space for reading: see `TeamEngine`. */
export function openClickHouseStore({
  device,
  onMalformed = () => undefined,
  onUnseen = () => undefined,
  nameProjects = () => new Map(),
  ...address
}: SpaceOptions): SpaceStore {
  const connection = connect(address)
  try {
    checkFormat(connection, onUnseen)
  } catch (error) {
    connection.close()
    throw error
  }
  let overview: Overview | undefined
  const scope: Scope = {
    connection,
    device,
    leftOut: onMalformed,
    nameProjects,
    current: () => currentFiles(scope.overview()),
    overview() {
      overview ??= overviewOf(scope)
      return overview
    },
  }
  const searcher = createSearcher(scope)
  const searchInSteps = (wanted: SearchRequest): Steps<SearchAnswer> => searcher.search(wanted)
  const sessions = createSessions(scope)
  return {
    path: `${new URL(address.url).host}/${address.database}`,
    readOnly: true,
    // The administrator of the server checks its files and limits its memory.
    checkPages() {},
    limitCache() {},
    isThere: () => true,
    ...WRITTEN_ELSEWHERE,
    messagesOnlyIn: (ids) => messagesOnlyIn(connection, ids),
    listing(part) {
      const { known, sessions: some } = createSessions(scope, part)
      return { known, sessions: some }
    },
    ...createCopyReader(scope),
    ...sessions,
    known(before) {
      // Whoever asks for all files begins anew.
      overview = undefined
      return sessions.known(before)
    },
    ...createMessages(scope),
    outline: (path, options) => readOutline(scope, path, options),
    // Messages arrive with their words.
    *indexWords() {},
    unindexed: () => 0,
    sessionFacts: (roots, needs) => searcher.facts(needs).filter(({ root }) => roots.includes(root)),
    search: (wanted) => finish(searchInSteps(wanted)),
    searchInSteps,
    figures: (wanted) => readFigures(scope, wanted),
    minutes: (fromMs) => readMinutes(scope, fromMs),
    othersWrote: () =>
      connection.select<[number]>(
        'SELECT bitShiftRight(cityHash64(max(arrived), sum(version), count()), 11) FROM artifact',
      )[0]![0],
    close: () => connection.close(),
  }
}

function refuse(): never {
  throw new ScrollbackError(
    'store-unreadable',
    'A space is not written by this command.',
    'Machines send what they have with: scrollback collect clickhouse://…',
  )
}

/** Machines and administrators write with `Inbox` and `Administration`. Nothing is derived here, either. */
const WRITTEN_ELSEWHERE: Omit<Writer, 'known' | 'knownFile' | 'messagesOnlyIn' | 'projectFacts'> &
  Pick<SpaceStore, 'asWriter' | 'putCopies'> = {
  unlinked: () => [],
  links: () => undefined,
  settled: () => undefined,
  unassigned: () => undefined,
  projectWith: () => undefined,
  write: refuse,
  linked: refuse,
  forget: refuse,
  erase: refuse,
  markGone: refuse,
  settle: refuse,
  assignProjects: refuse,
  putCopies: refuse,
  asWriter: refuse,
}
