import type { SessionFacts } from '../../../search/query.ts'
import { raw, sql } from '../connection/literal.ts'
import { type Scope, shown, shownPath } from '../scope.ts'

/** A session with its file. */
export interface FileFacts extends SessionFacts {
  artifact: number
  root: string
}

/** What filters need to know of all sessions. Their branches only if they are needed. */
export type FactsOfAll = (needs: { branches: boolean }) => readonly FileFacts[]

type FactValues = [
  ...[
    artifact: number,
    device: string,
    person: string,
    root: string,
    platform: string,
    agent: string,
    session: string,
  ],
  ...[project: string | null, folder: string | null, branches: string[]],
]

export const createSessionFacts =
  (scope: Scope): FactsOfAll =>
  ({ branches }) =>
    scope.connection
      .select<FactValues>(
        sql`SELECT a.id, a.device, a.person, a.root, a.platform, a.agent, a.session, p.name, p.folder,
          ${raw(branches ? "JSONExtract(a.row, 'branches', 'Array(String)')" : '[]')}
          FROM artifact AS a FINAL LEFT JOIN (SELECT artifact, name, folder FROM project FINAL) AS p
          ON p.artifact = a.id WHERE ${shown(scope)} ORDER BY a.id`,
      )
      .map(([artifact, device, person, root, platform, agent, session, project, folder, names]) => ({
        ...{ artifact, root: shownPath(scope, device, root), platform, agent, session, project, folder },
        ...(scope.everyone ? { device, person } : {}),
        ...(names.length === 0 ? {} : { branches: names }),
      }))
