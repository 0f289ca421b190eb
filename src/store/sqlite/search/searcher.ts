import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../../model/iteration.ts'
import { searchLeniently } from '../../lenient/lenient.ts'
import type { SearchAnswer, SearchRequest } from '../../search.ts'
import { restrict } from './restrict.ts'
import { search } from './search.ts'
import { createSessionFacts } from './session-facts.ts'
import { createSource } from './source.ts'
import { createTitles } from './titles.ts'

/** Searches an open store. What most searches need is cached until the store changes. */
export function createSearcher(database: DatabaseSync) {
  const others = database.prepare('PRAGMA data_version')
  const own = database.prepare('SELECT total_changes() AS changes')
  const version = (): string => `${others.get()!.data_version} ${own.get()!.changes}`
  const facts = createSessionFacts(database, version)
  const titles = createTitles(database, version)
  return {
    facts,
    *search(request: SearchRequest): Steps<SearchAnswer> {
      const limits = restrict(database, request, facts)
      return yield* request.lenient
        ? searchLeniently(createSource(database, limits, titles), request)
        : search(database, request, limits)
    },
  }
}
