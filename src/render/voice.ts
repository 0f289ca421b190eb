import type { Item, Session, Who } from '../model/session.ts'
import { identityOf } from '../platforms/identities.ts'

/** The names of the speakers. */
export interface Voice {
  human: string
  /** If absent, the agent's own name. */
  agent?: string
}

const NAMED: Record<string, Voice> = { default: { human: 'You' }, devlog: { human: 'MY HUMAN', agent: 'ME' } }

/** Parses a named voice, or custom names as `human,agent`. Undefined if it is neither. */
export function voiceOf(text: string): Voice | undefined {
  const named = NAMED[text]
  if (named) return named
  const [human, agent, more] = text.split(',').map((word) => word.trim())
  return human && agent && more === undefined ? { human, agent } : undefined
}

/** The name printed before a message. */
export function speakerName(
  item: Pick<Item, 'who' | 'label'>,
  session: Pick<Session, 'platform' | 'agent'>,
  voice: Voice,
): string {
  const own = identityOf(session.platform).speaker ?? session.agent
  // An agent may have the same name as the human.
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
