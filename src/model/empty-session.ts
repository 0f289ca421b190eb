import type { Session } from './session.ts'

/** Whether a session has no messages and no tool calls. */
export const isEmptySession = ({
  human,
  agentMessages,
  toolCalls,
}: Pick<Session, 'human' | 'agentMessages' | 'toolCalls'>): boolean => human + agentMessages + toolCalls === 0
