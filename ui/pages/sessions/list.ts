import type { SessionRow } from '../../api/shapes.ts'
import type { Rows } from '../../parts/window-rows.ts'

/** A row of the list: a session, or the title of a group. */
type ListRow = { session: SessionRow } | { group: string; count: number }

export interface SessionRows extends Rows {
  row(index: number): ListRow
}

const NO_PROJECT = 'Without a project'

function grouped(sessions: readonly SessionRow[]): ListRow[] {
  const groups = Map.groupBy(sessions, ({ project }) => project ?? NO_PROJECT)
  return [...groups].flatMap(([group, rows]): ListRow[] => [
    { group, count: rows.length },
    ...rows.map((session) => ({ session })),
  ])
}

export function rowsOf(sessions: readonly SessionRow[], byProject: boolean): SessionRows {
  const rows: ListRow[] = byProject ? grouped(sessions) : sessions.map((session) => ({ session }))
  return {
    length: rows.length,
    row: (index) => rows[index]!,
    key: (index) => index,
    rowOf: (key) => Math.min(key, rows.length - 1),
    estimate: (index) => ('group' in rows[index]! ? 48 : 66),
  }
}
