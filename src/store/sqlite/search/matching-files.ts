import type { DatabaseSync } from 'node:sqlite'
import { type FilterLists, selectsSession } from '../../../search/query.ts'
import type { SearchRequest } from '../../search.ts'
import { prepared } from './prepared.ts'
import type { FileFacts } from './session-facts.ts'

/** Whether the store contains files of roots that were not requested. Jumps from root to root. */
export function isForeign(database: DatabaseSync, roots: readonly string[] | undefined): boolean {
  if (!roots) return false
  const stored = prepared(
    database,
    `WITH RECURSIVE step(root) AS (SELECT min(root) FROM artifact UNION ALL
      SELECT (SELECT min(root) FROM artifact WHERE root > step.root) FROM step WHERE step.root IS NOT NULL)
      SELECT root FROM step WHERE root IS NOT NULL`,
  ).all()
  return stored.some(({ root }) => !roots.includes(String(root)))
}

/** Files of sessions in this state. A partial index answers this query. */
export const filesOfState = (database: DatabaseSync, state: 'deleted' | 'backup'): number[] =>
  prepared(database, `SELECT id FROM artifact WHERE facts LIKE '%"state":"${state}"%'`)
    .all()
    .map(({ id }) => Number(id))

/** What filters need to know of all sessions. See `createSessionFacts`. */
export type FactsOfAll = (needs: { branches: boolean }) => readonly FileFacts[]

/** The files that match the filters. */
export function filesFor(
  facts: FactsOfAll,
  lists: FilterLists,
  { roots, annotations }: Pick<SearchRequest, 'roots' | 'annotations'>,
): number[] {
  const isSelected = (row: FileFacts): boolean =>
    selectsSession(lists, annotations ? { ...row, annotation: annotations.get(row.session) } : row)
  return facts({ branches: lists.branch.length > 0 })
    .filter((row) => (!roots || roots.includes(row.root)) && isSelected(row))
    .map(({ artifact }) => artifact)
}
