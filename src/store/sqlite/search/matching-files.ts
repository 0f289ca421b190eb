import type { DatabaseSync } from 'node:sqlite'
import type { FilterLists } from '../../../search/filters.ts'
import { type SessionFacts, selectsSession } from '../../../search/session-filters.ts'
import type { SearchRequest } from '../../search.ts'

/** Whether the store contains files of roots that were not requested. Jumps from root to root. */
export function isForeign(database: DatabaseSync, roots: readonly string[] | undefined): boolean {
  if (!roots) return false
  const stored = database
    .prepare(`WITH RECURSIVE step(root) AS (SELECT min(root) FROM artifact UNION ALL
      SELECT (SELECT min(root) FROM artifact WHERE root > step.root) FROM step WHERE step.root IS NOT NULL)
      SELECT root FROM step WHERE root IS NOT NULL`)
    .all()
  return stored.some(({ root }) => !roots.includes(String(root)))
}

/** Files of sessions in this state. A partial index answers this query. */
export const filesOfState = (database: DatabaseSync, state: 'deleted' | 'backup'): number[] =>
  database
    .prepare(`SELECT id FROM artifact WHERE facts LIKE '%"state":"${state}"%'`)
    .all()
    .map(({ id }) => Number(id))

/** The files that match the filters. */
export function filesFor(
  database: DatabaseSync,
  lists: FilterLists,
  { roots, annotations }: Pick<SearchRequest, 'roots' | 'annotations'>,
): number[] {
  const rows = database
    .prepare(`SELECT a.id, a.root, a.platform, a.agent, a.session, s.project, s.project_path AS folder,
        CASE WHEN ? THEN s.row ->> '$.branches' END AS branches
      FROM artifact a LEFT JOIN session s ON s.artifact = a.id`)
    .all(lists.branch.length) as unknown as (Omit<SessionFacts, 'branches'> & {
    id: number
    root: string
    branches: string | null
  })[]
  const factsOf = ({ branches, ...row }: (typeof rows)[number]): SessionFacts => ({
    ...row,
    ...(branches === null ? {} : { branches: JSON.parse(branches) as string[] }),
    annotation: annotations?.get(row.session),
  })
  return rows
    .filter((row) => (!roots || roots.includes(row.root)) && selectsSession(lists, factsOf(row)))
    .map(({ id }) => id)
}
