import type { SessionKind } from '../../../model/event.ts'

const HUMAN_SEGMENTS = new Set(['dm', 'direct', 'group', 'channel', 'thread', 'topic', 'slash', 'explicit'])
/** First words of keys for surfaces where humans write. */
const HUMAN_SURFACES =
  /^(?:main|tui|webchat|dashboard|telegram|whatsapp|slack|discord|signal|imessage|bluebubbles|feishu|lark|qqbot|matrix|msteams|teams|googlechat|mattermost|line|zalo|irc|nostr|voice)(?:$|[-:])/
const PROGRAM_SURFACES =
  /^(?:acp|boot|openai|openai-user|openresponses|openresponses-user|mcp|dreaming)(?:$|[-:])/

/** The kind of a key's session. Undefined if the key does not determine it; the content then decides. */
export function kindOfKey(key: string): SessionKind | undefined {
  const segments = key.toLowerCase().split(':')
  const rest = segments[0] === 'agent' ? segments.slice(2) : segments
  const [surface] = rest
  if (surface === undefined) return undefined
  if (rest.at(-1) === 'heartbeat') return 'heartbeat'
  if (rest.includes('subagent')) return 'subagent'
  if (surface === 'cron') return 'cron'
  if (surface === 'hook') return 'hook'
  const name = rest.join(':')
  if (PROGRAM_SURFACES.test(name)) return 'program'
  if (HUMAN_SURFACES.test(name) || rest.some((segment) => HUMAN_SEGMENTS.has(segment))) return 'human'
  return undefined
}

/**
 * Restores a key, as far as possible, from the name of an archive, which has lost its separators. Without the
 * agent.
 */
export function keyOfSlug(slug: string, agent: string): string {
  const prefix = `agent_${agent}_`
  const rest = slug.startsWith(prefix) ? slug.slice(prefix.length) : slug
  return rest.replaceAll('_', ':')
}
