import type { Part, Payload } from '../../../model/event.ts'
import { asObject, type JsonObject } from '../../../model/json.ts'
import { returned } from '../../messages.ts'

/** The origin and the mode of texts in which the client says how a task in the background ended. */
export const NOTICE = 'task-notification'
const OPENING = `<${NOTICE}>`
/** What the task said itself, which may contain anything. */
const TASK_WORDS = /<(?:result|event|note)>/

/** How a task ended. */
interface TaskEnd {
  callId: string
  status: string
  summary: string
}

/** The end of a task in such a text. */
export function taskEndIn(text: string): TaskEnd | undefined {
  const at = text.indexOf(OPENING)
  if (at < 0) return undefined
  const [stated = ''] = text.slice(at + OPENING.length).split(TASK_WORDS, 1)
  const element = (name: string): string =>
    new RegExp(`<${name}>([^<]*)`).exec(stated)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? ''
  const [callId, status] = [element('tool-use-id'), element('status')]
  return callId && status ? { callId, status, summary: element('summary') } : undefined
}

/**
 * The error of a call whose task failed in the background: the result of the call only says that it began.
 * Only where the agent is told of it: the queue has the same words before.
 */
export function failureIn(text: string): Payload[] {
  const end = taskEndIn(text)
  if (end?.status !== 'failed') return []
  const { callId, summary } = end
  const part: Part = {
    type: 'tool-result',
    callId,
    body: summary,
    error: 'sure',
    errorLine: summary || 'failed',
  }
  return [returned([part])]
}

/** Whether the client wrote a record to tell how a task ended. */
export const isNotice = (entry: JsonObject): boolean => asObject(entry.origin)?.kind === NOTICE
