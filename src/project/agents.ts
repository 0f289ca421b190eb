import type { PlatformId } from '../model/platform-id.ts'
import type { ProjectFacts } from '../model/project-facts.ts'
import type { Session } from '../model/session.ts'
import { identityOf } from '../platforms/identities.ts'
import { nameScore } from './scores.ts'
import { lastParts } from './words.ts'

/** An agent with all of its sessions. */
export interface Agent {
  platform: PlatformId
  id: string
  /** An unambiguous name: `agent:garden`. */
  name: string
  sessions: Session[]
}

/** The name of the list of an agent's sessions without a project. */
export const groupName = ({ platform, agent }: Pick<ProjectFacts, 'platform' | 'agent'>): string =>
  `${platform}:${agent}`

/**
 * Whether `--agent` selects a session: by the agent's id, or with the platform before it (`openclaw:main`).
 */
export function isOfAgent(session: Pick<Session, 'platform' | 'agent'>, wanted: string): boolean {
  const name = wanted.toLowerCase()
  return session.agent.toLowerCase() === name || groupName(session).toLowerCase() === name
}

/** The agents of these sessions. */
export function agentsOf(sessions: readonly Session[]): Agent[] {
  const agents = new Map<string, Agent>()
  for (const session of sessions) {
    const key = groupName(session)
    let agent = agents.get(key)
    if (!agent) {
      agent = { platform: session.platform, id: session.agent, name: '', sessions: [] }
      agents.set(key, agent)
    }
    agent.sessions.push(session)
  }
  const all = [...agents.values()]
  for (const agent of all) {
    const alone = all.every((each) => each === agent || each.id.toLowerCase() !== agent.id.toLowerCase())
    agent.name = alone ? `agent:${agent.id}` : `agent:${agent.platform}:${agent.id}`
  }
  return all
}

/** Names that mean the agent when given in full: its id and its folders. */
export const namesOfAgent = (agent: Agent): string[] => [
  agent.id,
  agent.name,
  `${agent.platform}:${agent.id}`,
  `agent:${agent.platform}:${agent.id}`,
  ...(folderOf(agent) ?? []),
  ...workspaces(agent).map((path) => lastParts(path, 1)),
  ...workspaces(agent),
]

/** How well a name fits the agent's own folders, and which of them. */
export function agentScore(
  agent: Agent,
  query: string,
  slips: boolean,
): { value: string; score: number } | undefined {
  let best: { value: string; score: number } | undefined
  const note = (value: string, score: number): void => {
    if (score > (best?.score ?? 0)) best = { value, score: Math.round(score) }
  }
  note(agent.id, nameScore(agent.id, query, slips))
  for (const path of workspaces(agent)) note(path, nameScore(lastParts(path, 1), query, slips) * 0.97)
  return best
}

function folderOf({ platform, id }: Agent): string[] | undefined {
  const folder = identityOf(platform).agentFolder?.(id)
  return folder === undefined ? undefined : [folder]
}

const known = new WeakMap<Agent, string[]>()

function workspaces(agent: Agent): string[] {
  let found = known.get(agent)
  if (!found) {
    const paths = agent.sessions.flatMap(({ cwds }) => cwds.map(([path]) => path))
    const { workspace } = identityOf(agent.platform)
    found = workspace ? [...new Set(paths)].filter((path) => workspace.test(path)) : []
    known.set(agent, found)
  }
  return found
}
