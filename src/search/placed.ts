import type { FilterLists } from './query.ts'

/** What is known of a session before any of its words. */
export interface Placed {
  session: string
  platform: string
  agent: string
  project?: string | null
  /** The folder of its project. */
  folder?: string | null
  /** The branches of a repository that it worked on. */
  branches?: readonly string[]
}

/** Whether a session is one of those that the filters name: values of one name are alternatives, all names have to hold. */
export function isPlaced(
  { project, agent, platform, session, branch }: FilterLists,
  placed: Placed,
): boolean {
  return (
    (project.length === 0 || project.some((each) => isInProject(placed, each))) &&
    (agent.length === 0 || agent.some((each) => isOfAgent(placed, each))) &&
    (platform.length === 0 || platform.some((each) => holds(placed.platform, each))) &&
    (branch.length === 0 || branch.some((each) => placed.branches?.some((name) => holds(name, each)))) &&
    (session.length === 0 ||
      session.some((each) => placed.session.startsWith(each) || placed.session.startsWith(`agent-${each}`)))
  )
}

/** By a part of its name or folder; an agent's sessions also by its name, as listings of projects call them. */
function isInProject(placed: Placed, wanted: string): boolean {
  if (holds(placed.project, wanted) || holds(placed.folder, wanted)) return true
  if (/^agent:/i.test(wanted)) return isOfAgent(placed, wanted.slice('agent:'.length))
  return placed.project == null && isOfAgent(placed, wanted)
}

/** By its id alone, or with the program in front: `openclaw:main`. */
function isOfAgent({ agent, platform }: Placed, wanted: string): boolean {
  const name = wanted.toLowerCase()
  return agent.toLowerCase() === name || `${platform}:${agent}`.toLowerCase() === name
}

/** Whether any of these filters is there. */
export const wantsPlace = ({ project, agent, platform, session, branch }: FilterLists): boolean =>
  project.length + agent.length + platform.length + session.length + branch.length > 0

const holds = (text: string | null | undefined, wanted: string): boolean =>
  text?.toLowerCase().includes(wanted.toLowerCase()) === true
