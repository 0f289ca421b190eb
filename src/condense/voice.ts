import type { Item, Session, Who } from '../model/session.ts'

/** How the two sides of a conversation are called. */
export interface Voice {
  human: string
  /** Absent: the agent's own name. */
  agent?: string
}

const NAMED: Record<string, Voice> = { default: { human: 'You' }, devlog: { human: 'MY HUMAN', agent: 'ME' } }

/** A named voice, or `human,agent` in the user's own words. Undefined when it is neither. */
export function voiceOf(text: string): Voice | undefined {
  const named = NAMED[text]
  if (named) return named
  const [human, agent, more] = text.split(',').map((word) => word.trim())
  return human && agent && more === undefined ? { human, agent } : undefined
}

/** What stands before somebody's words. */
export function speakerName(
  item: Pick<Item, 'who' | 'label'>,
  session: Pick<Session, 'platform' | 'agent'>,
  voice: Voice,
): string {
  const own = session.platform === 'claude-code' ? 'Claude' : session.agent
  // An agent may be called as the human is.
  const agent = own.trim().toLowerCase() === voice.human.toLowerCase() ? `${own} (agent)` : own
  const names: Record<Who, string> = {
    human: voice.human,
    agent: voice.agent ?? agent,
    program: 'Program',
    tool: '→',
    error: '✗',
    marker: '·',
    memory: 'Memory',
  }
  const name = names[item.who]
  return item.label && item.who !== 'tool' ? `${name} (${item.label})` : name
}
