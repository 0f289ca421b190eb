import type { SessionKind } from '../../model/event.ts'

const HUMAN_SEGMENTS = new Set(['dm', 'direct', 'group', 'channel', 'thread', 'topic', 'slash', 'explicit'])
/** The first word of a key behind the agent: a place where people write, by name. */
const HUMAN_SURFACES =
  /^(?:main|tui|webchat|dashboard|telegram|whatsapp|slack|discord|signal|imessage|bluebubbles|feishu|lark|qqbot|matrix|msteams|teams|googlechat|mattermost|line|zalo|irc|nostr|voice)(?:$|[-:])/
const PROGRAM_SURFACES =
  /^(?:acp|boot|openai|openai-user|openresponses|openresponses-user|mcp|dreaming)(?:$|[-:])/

/** Who drives the session of a key; undefined for keys that do not tell, whose content decides. */
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

/** A key whose separators an archive's name has lost, as far as it can be told: without the agent. */
export function keyOfSlug(slug: string, agent: string): string {
  const prefix = `agent_${agent}_`
  const rest = slug.startsWith(prefix) ? slug.slice(prefix.length) : slug
  return rest.replaceAll('_', ':')
}
