import type { SessionEntry, Surface } from '../../model/artifact.ts'
import type { SessionKind } from '../../model/event.ts'

const HUMAN_SEGMENTS = new Set(['dm', 'direct', 'group', 'channel', 'thread', 'topic', 'slash', 'explicit'])
const CHANNELS =
  'telegram|whatsapp|slack|discord|signal|imessage|bluebubbles|feishu|lark|qqbot|matrix|msteams|teams|googlechat|mattermost|line|zalo|irc|nostr|voice'
const CHANNEL = new RegExp(`^(?:${CHANNELS})$`)
/** First words of keys for surfaces where humans write. */
const HUMAN_SURFACES = new RegExp(`^(?:main|tui|webchat|dashboard|${CHANNELS})(?:$|[-:])`)
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

type SurfaceFacts = Pick<SessionEntry, 'surface' | 'channel' | 'account' | 'peer' | 'thread'>

const CHATS = new Map<string, Surface>([
  ['dm', 'direct'],
  ['direct', 'direct'],
  ['group', 'group'],
  ['channel', 'channel'],
  ['room', 'channel'],
  ['slash', 'slash'],
])
const THREADS = new Set(['thread', 'topic'])
/** The first word of a key after the agent, possibly followed by a dash and more. */
const NAMED =
  /^(main|tui|webchat|dashboard|explicit|global|acp|boot|openai|openresponses|mcp|dreaming)(?:-user)?(?:$|-)/
/** The surface of a chat type, as index entries name it. */
export const surfaceOfChat = (type: string | undefined): Surface | undefined =>
  CHATS.get(type?.toLowerCase() ?? '')

/**
 * The surface and the peer of a session key: `agent:<id>:<channel>:<account>:direct:<peer>` and all its
 * variants. Facts that the key does not contain are left out.
 */
export function surfaceOfKey(key: string): SurfaceFacts {
  const segments = key.split(':')
  const rest = segments[0]?.toLowerCase() === 'agent' ? segments.slice(2) : segments
  const words = rest.map((segment) => segment.toLowerCase())
  if (words.at(-1) === 'heartbeat') return { ...chatOf(rest.slice(0, -1)), surface: 'heartbeat' }
  const spawn = words.indexOf('subagent')
  if (spawn >= 0) return { ...chatOf(rest.slice(0, spawn)), surface: 'subagent' }
  if (words[0] === 'cron') return { surface: words.includes('run') ? 'cron-run' : 'cron' }
  if (words[0] === 'hook') return { surface: 'hook' }
  return chatOf(rest)
}

function chatOf(rest: readonly string[]): SurfaceFacts {
  const words = rest.map((segment) => segment.toLowerCase())
  const [first = ''] = words
  const named = NAMED.exec(first)?.[1] as Surface | undefined
  const chat = named ? -1 : words.findIndex((word) => CHATS.has(word))
  const tail = words.findIndex((word, index) => index > chat && THREADS.has(word))
  const end = tail < 0 ? rest.length : tail
  const thread = tail < 0 ? undefined : joined(rest.slice(tail + 1))
  if (named) {
    const user = /-user$/.test(first) ? joined(rest.slice(1)) : undefined
    return known({ surface: thread === undefined ? named : 'thread', peer: user, thread })
  }
  if (chat < 0) {
    if (!CHANNEL.test(first)) return thread === undefined ? {} : { surface: 'thread', thread }
    return known({
      surface: thread === undefined ? undefined : 'thread',
      channel: first,
      peer: joined(rest.slice(1, end)),
      thread,
    })
  }
  return known({
    surface: thread === undefined ? CHATS.get(words[chat]!) : 'thread',
    channel: chat > 0 ? first : undefined,
    account: joined(rest.slice(1, chat)),
    // Some networks have colons in their addresses.
    peer: joined(rest.slice(chat + 1, end)),
    thread,
  })
}

const joined = (parts: readonly string[]): string | undefined => parts.join(':') || undefined

/** Removes undefined fields, so that two sources can be merged. */
export function known<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}
