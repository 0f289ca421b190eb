import { hash } from 'node:crypto'
import type { AssignedFacts, ProjectEvidence, ProjectMembers } from '../model/project-facts.ts'
import { groupByProject } from './group.ts'
import { projectOf } from './identity.ts'

/** Raise this when projects are derived in another way. */
const RULES = 2

/** A store of sessions with their projects. */
interface Assignments {
  projectFacts(): AssignedFacts[]
  unassigned(): readonly (AssignedFacts & { before?: ProjectEvidence })[] | undefined
  projectWith(evidence: ProjectEvidence): ProjectMembers['project']
  assignProjects(
    projects: readonly ProjectMembers[],
    evidenceOf: (artifact: number) => ProjectEvidence | undefined,
  ): void
}

/**
 * Assigns sessions to projects. The project of a session depends on other sessions, so all of them are read
 * again, unless what was written since cannot change any project.
 */
export function assignProjects(store: Assignments): void {
  const written = store.unassigned()
  if (written?.length === 0) return
  const own = written && assignedAlone(written, store)
  const facts = own ? written : store.projectFacts()
  const byArtifact = new Map(facts.map((each) => [each.artifact, each]))
  store.assignProjects(own ?? changedProjects(facts), (artifact) => {
    const found = byArtifact.get(artifact)
    return found && evidenceOf(found)
  })
}

/** The projects of new sessions, if they are all that can change. */
function assignedAlone(
  written: readonly (AssignedFacts & { before?: ProjectEvidence })[],
  store: Assignments,
): ProjectMembers[] | undefined {
  const assigned: ProjectMembers[] = []
  for (const { before, ...facts } of written) {
    const now = evidenceOf(facts)
    if (before) {
      if (!isEqual(before, now)) return undefined
      continue
    }
    const project = isCertain(facts) ? store.projectWith(now) : undefined
    if (!project) return undefined
    assigned.push({ project, artifacts: [facts.artifact] })
  }
  return assigned
}

/** All sessions whose project is not the one they are assigned to. */
function changedProjects(facts: readonly AssignedFacts[]): ProjectMembers[] {
  return groupByProject(facts).flatMap(({ name, path, sessions }) => {
    const project = path === undefined ? undefined : { name, path }
    const others = sessions.filter(
      ({ assigned }) => assigned?.name !== project?.name || assigned?.path !== project?.path,
    )
    return others.length > 0 ? { project, artifacts: others.map(({ artifact }) => artifact) } : []
  })
}

const NOTHING: ReadonlySet<string> = new Set()

/** Whether other sessions cannot change the folder of its project. */
const isCertain = (facts: AssignedFacts): boolean => projectOf(facts, NOTHING).by === 'cwd'

function evidenceOf(facts: AssignedFacts): ProjectEvidence {
  const { artifact, id, parentSessionId, platform, agent, slug, touched } = facts
  const { by, path } = projectOf(facts, NOTHING)
  const found = by === 'cwd' ? { path } : { touched: hash('sha1', JSON.stringify(touched), 'base64url') }
  return {
    ...{ artifact, session: id, parent: parentSessionId },
    evidence: JSON.stringify({ rules: RULES, platform, agent, slug, ...found }),
  }
}

const isEqual = (one: ProjectEvidence, other: ProjectEvidence): boolean =>
  one.session === other.session && one.parent === other.parent && one.evidence === other.evidence
