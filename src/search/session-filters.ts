import { type Annotation, hasTag } from '../model/annotation.ts'
import type { FilterLists } from './filters.ts'

/** What is known of a session without its messages. */
export interface SessionFacts {
  session: string
  platform: string
  agent: string
  project?: string | null
  /** The project folder. */
  folder?: string | null
  /** The Git branches it worked on. */
  branches?: readonly string[]
  /** What the user noted about it. */
  annotation?: Annotation
  /** The machine it is on, and who works there, in a team store. */
  device?: string
  person?: string
}

/** Whether the filters select a session. Values of one filter are alternatives; all filters must match. */
export function selectsSession(
  { project, agent, platform, session, branch, tag, device, person, starred }: FilterLists,
  facts: SessionFacts,
): boolean {
  return (
    (project.length === 0 || project.some((each) => isInProject(facts, each))) &&
    (agent.length === 0 || agent.some((each) => isOfAgent(facts, each))) &&
    (platform.length === 0 || platform.some((each) => holds(facts.platform, each))) &&
    (branch.length === 0 || branch.some((each) => facts.branches?.some((name) => holds(name, each)))) &&
    (device.length === 0 || device.some((each) => holds(facts.device, each))) &&
    (person.length === 0 || person.some((each) => holds(facts.person, each))) &&
    (tag.length === 0 || tag.some((each) => hasTag(facts.annotation, each))) &&
    (!starred || facts.annotation?.star === true) &&
    (session.length === 0 ||
      session.some((each) => facts.session.startsWith(each) || facts.session.startsWith(`agent-${each}`)))
  )
}

/** By a part of the project's name or folder. Agents also match by the name that project listings show. */
function isInProject(facts: SessionFacts, wanted: string): boolean {
  if (holds(facts.project, wanted) || holds(facts.folder, wanted)) return true
  if (/^agent:/i.test(wanted)) return isOfAgent(facts, wanted.slice('agent:'.length))
  return facts.project == null && isOfAgent(facts, wanted)
}

/** By the agent's id, or with the platform before it: `openclaw:main`. */
function isOfAgent({ agent, platform }: SessionFacts, wanted: string): boolean {
  const name = wanted.toLowerCase()
  return agent.toLowerCase() === name || `${platform}:${agent}`.toLowerCase() === name
}

/** Whether any of these filters is set. */
export const hasSessionFilter = ({
  project,
  agent,
  platform,
  session,
  branch,
  tag,
  device,
  person,
  starred,
}: FilterLists): boolean =>
  starred ||
  [project, agent, platform, session, branch, tag, device, person].some((values) => values.length > 0)

const holds = (text: string | null | undefined, wanted: string): boolean =>
  text?.toLowerCase().includes(wanted.toLowerCase()) === true
