import type { Part, Payload } from '../model/event.ts'
import { reasonIn } from './error-lines.ts'

type Message = Extract<Payload, { type: 'message' }>

/**
 * A prompt, of which the client does not record whether a person typed it or a script passed it. In the
 * session of a subagent, it is the parent agent's.
 */
export const prompted = (parts: Part[]): Message => ({
  type: 'message',
  role: 'user',
  speaker: 'human',
  parts,
  unmarked: true,
})

/** What the agent said, thought and called. */
export const spoken = (parts: Part[], own: Partial<Message> = {}): Message => ({
  type: 'message',
  role: 'assistant',
  speaker: 'agent',
  parts,
  ...own,
})

/** A record of which nothing is shown. `name` is what the accounting counts it as. */
export const skipped = (name: string): Payload => ({ type: 'skipped', name })

/** That a request or a turn failed, and what was said of it. */
export const failed = (text: string | undefined): Payload => ({
  type: 'marker',
  marker: 'agent-error',
  text: text && (reasonIn(text) ?? text),
})

/** What tools returned. */
export const returned = (parts: Part[]): Message => ({
  type: 'message',
  role: 'tool',
  speaker: 'program',
  parts,
})

/** Lists in lists, such as the answers to each of several questions. */
const DEEPEST = 3

/** What a value says: a text, a number, a list, or an object with answers by their questions, also a yes. */
const textsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'object' && value !== null)
    return depth < DEEPEST ? Object.values(value).flatMap((each) => textsIn(each, depth + 1)) : []
  return typeof value === 'boolean' && depth === 0 ? [] : [String(value ?? '').trim()]
}

/**
 * What a person typed or chose in a dialog in the middle of a turn: the answers to questions of the agent, or
 * why they refused a call. No message if that is nothing.
 */
export function answered(answers: unknown, own: { messageId?: string } = {}): Payload[] {
  const text = textsIn(answers)
    .filter((each) => each !== '')
    .join('\n')
  const parts: Part[] = [{ type: 'text', text }]
  return text === ''
    ? []
    : [{ type: 'message', role: 'user', speaker: 'human', parts, label: 'answer', ...own }]
}
