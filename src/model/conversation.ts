import type { Session } from './session.ts'

/**
 * The same for a session and its forks and copies, which begin with the same prompt at the same moment.
 * Copies of two clients differ.
 */
export function conversationOf({
  platform,
  path,
  kind,
  startedMs,
  firstHuman,
}: Pick<Session, 'platform' | 'path' | 'kind' | 'startedMs' | 'firstHuman'>): string {
  if (kind === 'subagent' || startedMs === undefined || firstHuman === undefined) return path
  return `${platform} ${startedMs} ${firstHuman}`
}
