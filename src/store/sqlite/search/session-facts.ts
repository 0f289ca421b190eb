import type { DatabaseSync } from 'node:sqlite'
import type { SessionFacts } from '../../../search/query.ts'
import { DEVICE_SEPARATOR } from '../../file-copy.ts'

/** A session with its file. */
export interface FileFacts extends SessionFacts {
  artifact: number
  root: string
}

type Row = Omit<FileFacts, 'branches' | 'device' | 'person'> &
  Record<'branches' | 'device' | 'person', string | null>

/** Only files that were copied from another machine say whose they are. Their roots begin with its name. */
const ofOthers = (name: string): string =>
  `iif(instr(a.root, '${DEVICE_SEPARATOR}') > 0, a.facts ->> '$.${name}', NULL) AS ${name}`

/** With more sessions, they are read for each search. */
const MOST = 20_000

/**
 * What filters need to know of all sessions. Without branches it is cached as long as `version` returns the
 * same.
 */
export function createSessionFacts(
  database: DatabaseSync,
  version: () => string,
): (needs: { branches: boolean }) => readonly FileFacts[] {
  const all = database.prepare(`SELECT a.id AS artifact, a.root, a.platform, a.agent, a.session, s.project,
    s.project_path AS folder, iif(?, s.row ->> '$.branches', NULL) AS branches, ${ofOthers('device')}, ${ofOthers('person')}
    FROM artifact a LEFT JOIN session s ON s.artifact = a.id`)
  let cached: { version: string; rows: readonly FileFacts[] } | undefined
  return ({ branches }) => {
    const now = version()
    if (!branches && cached?.version === now) return cached.rows
    const rows = (all.all(branches ? 1 : 0) as unknown as Row[]).map(
      ({ branches, device, person, ...row }): FileFacts => ({
        ...row,
        ...(branches === null ? {} : { branches: JSON.parse(branches) as string[] }),
        ...(device === null ? {} : { device }),
        ...(person === null ? {} : { person }),
      }),
    )
    if (!branches) cached = rows.length > MOST ? undefined : { version: now, rows }
    return rows
  }
}
