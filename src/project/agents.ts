import type { PlatformId } from '../model/artifact.ts'
import type { PlacedSession } from '../model/placed-session.ts'
import type { Session } from '../model/session.ts'
import { nameScore } from './scores.ts'
import { lastParts } from './words.ts'

/** An agent, and all that it did. */
export interface Agent {
  platform: PlatformId
  id: string
  /** What means it and nothing else: `agent:garden`. */
  name: string
  sessions: Session[]
}

/** What the sessions of an agent are called that belong to no project. */
export const groupName = ({ platform, agent }: Pick<PlacedSession, 'platform' | 'agent'>): string =>
  `${platform}:${agent}`

/** Whether a session is of the agent that `--agent` names: by its id, or with the program in front (`openclaw:main`). */
export function isOfAgent(session: Pick<Session, 'platform' | 'agent'>, wanted: string): boolean {
  const name = wanted.toLowerCase()
  return session.agent.toLowerCase() === name || groupName(session).toLowerCase() === name
}

/** The agents that the sessions are of. */
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

/** Names that mean the agent when they are given whole: its id, its folders. */
export const namesOfAgent = (agent: Agent): string[] => [
  agent.id,
  agent.name,
  `${agent.platform}:${agent.id}`,
  `agent:${agent.platform}:${agent.id}`,
  ...(agent.platform === 'openclaw' ? [`agents/${agent.id}`] : []),
  ...workspaces(agent).map((path) => lastParts(path, 1)),
  ...workspaces(agent),
]

/** Where its own folders fit a name: which of them, and how well. */
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

/** OpenClaw gives each agent a folder of its own in its state directory. */
const WORKSPACE = /[/\\]\.(?:openclaw|clawdbot|moltbot|moldbot)(?:-[^/\\]+)?[/\\]workspace(?:-[^/\\]+)?$/

const known = new WeakMap<Agent, string[]>()

function workspaces(agent: Agent): string[] {
  let found = known.get(agent)
  if (!found) {
    const paths = agent.sessions.flatMap(({ cwds }) => cwds.map(([path]) => path))
    found = agent.platform === 'openclaw' ? [...new Set(paths)].filter((path) => WORKSPACE.test(path)) : []
    known.set(agent, found)
  }
  return found
}
