import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { AssignedFacts, ProjectEvidence, ProjectMembers } from '../../model/project.ts'
import type { Session } from '../../model/session.ts'
import { inTransaction, prepareWrite } from './database.ts'
import { createSharedStrings } from './sessions.ts'

/** If more sessions than this were written, all of them are read. */
const FEW = 100

/** The projects of sessions, and what they were derived from. */
export function createProjects(database: DatabaseSync) {
  const sql = {
    all: database.prepare('SELECT artifact, row, project, project_path FROM session'),
    count: database.prepare('SELECT count(*) AS count FROM (SELECT 1 FROM unassigned LIMIT ?)'),
    written:
      database.prepare(`SELECT u.artifact, s.row, s.project, s.project_path, e.session, e.parent, e.evidence
      FROM unassigned u LEFT JOIN session s ON s.artifact = u.artifact
      LEFT JOIN project_evidence e ON e.artifact = u.artifact`),
    // A project without a folder is a slug, which depends on other sessions.
    other: database.prepare(`SELECT s.project AS name, s.project_path AS path
      FROM project_evidence e JOIN session s ON s.artifact = e.artifact
      WHERE e.evidence = ? AND s.project IS NOT NULL LIMIT 1`),
    child: database.prepare('SELECT 1 FROM project_evidence WHERE parent = ? LIMIT 1'),
  }
  return {
    projectFacts(): AssignedFacts[] {
      const factsIn = createFactsReader()
      return Array.from(sql.all.iterate(), factsIn)
    },
    unassigned(): (AssignedFacts & { before?: ProjectEvidence })[] | undefined {
      if (Number(sql.count.get(FEW + 1)!.count) > FEW) return undefined
      const factsIn = createFactsReader()
      const found: (AssignedFacts & { before?: ProjectEvidence })[] = []
      for (const row of sql.written.all()) {
        if (row.row === null) return undefined
        found.push({ ...factsIn(row), ...(row.evidence === null ? {} : { before: evidenceIn(row) }) })
      }
      return found
    },
    projectWith({ session, evidence }: ProjectEvidence): ProjectMembers['project'] {
      if (sql.child.get(session)) return undefined
      return sql.other.get(evidence) as ProjectMembers['project']
    },
    assignProjects(
      projects: readonly ProjectMembers[],
      evidenceOf?: (artifact: number) => ProjectEvidence | undefined,
    ): void {
      // SQLite compares the values, so the stored ones need not be read into memory.
      const update = prepareWrite(
        database,
        `UPDATE session SET project = ?1, project_path = ?2
        WHERE artifact = ?3 AND (project IS NOT ?1 OR project_path IS NOT ?2)`,
      )
      inTransaction(database, () => {
        for (const { project, artifacts } of projects)
          for (const id of artifacts) update.run(project?.name ?? null, project?.path ?? null, id)
        if (evidenceOf) writeEvidence(database, evidenceOf)
      })
    },
  }
}

/** Stores the evidence of the sessions that were written since projects were assigned. */
function writeEvidence(
  database: DatabaseSync,
  evidenceOf: (artifact: number) => ProjectEvidence | undefined,
): void {
  const insert = prepareWrite(
    database,
    'INSERT OR REPLACE INTO project_evidence (artifact, session, parent, evidence) VALUES (?, ?, ?, ?)',
  )
  for (const { artifact } of database.prepare('SELECT artifact FROM unassigned').all()) {
    const found = evidenceOf(Number(artifact))
    if (found) insert.run(found.artifact, found.session, found.parent ?? null, found.evidence)
  }
  prepareWrite(database, 'DELETE FROM unassigned').run()
}

type Columns = Record<string, SQLOutputValue>

const evidenceIn = ({ artifact, session, parent, evidence }: Columns): ProjectEvidence => ({
  artifact: Number(artifact),
  session: String(session),
  parent: parent === null ? undefined : String(parent),
  evidence: String(evidence),
})

/** Reads rows of many sessions, which repeat the names of folders and agents. */
function createFactsReader(): (row: Columns) => AssignedFacts {
  const shared = createSharedStrings()
  const sharedPairs = createSharedPairs(shared)
  return ({ artifact, row, project, project_path }) => {
    const { id, platform, agent, slug, parentSessionId, cwds, touched, origins, ...times } = JSON.parse(
      String(row),
    ) as Session
    return {
      artifact: Number(artifact),
      id,
      platform: shared(platform),
      agent: shared(agent),
      slug: slug === undefined ? undefined : shared(slug),
      parentSessionId,
      cwds: sharedPairs(cwds),
      touched: sharedPairs(touched),
      origins: origins.map(shared),
      startedMs: times.startedMs,
      lastActivityMs: times.lastActivityMs,
      assigned:
        project === null ? undefined : { name: shared(String(project)), path: shared(String(project_path)) },
    }
  }
}

type Pairs = [string, number][]

/** The same for short lists of pairs, which must not be changed: most sessions have a single directory. */
function createSharedPairs(shared: (text: string) => string): (pairs: Pairs) => Pairs {
  const none: Pairs = []
  const single = new Map<string, Pairs>()
  return (pairs) => {
    if (pairs.length === 0) return none
    if (pairs.length > 1) return pairs.map(([text, count]) => [shared(text), count])
    const [text, count] = pairs[0]!
    const key = `${count} ${text}`
    const known = single.get(key)
    if (known) return known
    const pair: Pairs = [[shared(text), count]]
    single.set(key, pair)
    return pair
  }
}
