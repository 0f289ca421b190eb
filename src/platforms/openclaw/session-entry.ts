import { asArray, asNumber, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { SessionEntry } from '../../model/session-entry.ts'
import { known, placeOfKey, surfaceOfChat } from './session-place.ts'

/** A label or an address is shorter; what is longer is something else. */
const LONGEST = 300

/** What is known of a session beside its key: the columns of a database, or what an index entry says under other names. */
export interface EntryFacts extends Omit<SessionEntry, 'surface'> {
  chatType?: string
}

/** A key goes before what stands beside it: that tells of the last message, which may have come by another way. */
export function entryOf(key: string, { chatType, ...facts }: EntryFacts = {}): SessionEntry | undefined {
  const entry: SessionEntry = { surface: surfaceOfChat(chatType), ...known(facts), ...placeOfKey(key) }
  const plain = known(entry)
  return Object.keys(plain).length > 0 ? plain : undefined
}

/** An entry of `sessions.json`, of any version: fields were renamed, and lately moved into `deliveryContext` and `route`. */
export function factsOf(fields: JsonObject): EntryFacts {
  const origin = asObject(fields.origin)
  const delivery = asObject(fields.deliveryContext) ?? asObject(fields.route)
  const channel =
    word(fields.channel) ??
    word(fields.provider) ??
    word(origin?.provider) ??
    word(delivery?.channel) ??
    word(fields.lastChannel) ??
    word(fields.lastProvider)
  const peer = word(fields.groupId) ?? word(origin?.from) ?? word(delivery?.to) ?? word(fields.lastTo)
  return {
    chatType: word(fields.chatType) ?? word(origin?.chatType),
    channel,
    account: word(origin?.accountId) ?? word(delivery?.accountId) ?? word(fields.lastAccountId),
    peer: channel !== undefined && peer?.startsWith(`${channel}:`) ? peer.slice(channel.length + 1) : peer,
    thread: word(origin?.threadId) ?? word(delivery?.threadId) ?? word(fields.lastThreadId),
    name: word(fields.displayName) ?? word(fields.subject) ?? word(fields.groupChannel) ?? word(fields.room),
    origin: word(origin?.label),
    model: word(fields.model) ?? word(asObject(fields.model)?.model),
    provider: word(fields.modelProvider) ?? word(asObject(fields.model)?.provider),
    updatedMs: asTime(fields.updatedAt),
    skills: skillsOf(fields),
    prompt: promptOf(fields),
    status: word(fields.status),
    tokens: tokensOf(fields),
    spawnedBy: word(fields.spawnedBy) ?? word(fields.parentSessionKey),
    runtimeSessions: runtimesOf(fields),
  }
}

/** What an entry in a database is asked for beside its columns, in this order: all else in it stays unread. */
export const ENTRY_FIELDS = [
  ...['inputTokens', 'outputTokens', 'totalTokens', 'contextTokens', 'origin'],
  ...['claudeCliSessionId', 'cliSessionIds', 'cliSessionBindings'],
  ...['modelProvider', 'updatedAt', 'tokenCounts'],
] as const

/** The answer to that, a JSON list, as the facts of an entry. */
export function factsOfList(
  text: string | null,
): Pick<EntryFacts, 'origin' | 'tokens' | 'runtimeSessions' | 'provider' | 'updatedMs'> {
  const values = text === null ? [] : (JSON.parse(text) as unknown[])
  const { origin, tokens, runtimeSessions, provider, updatedMs } = factsOf(
    Object.fromEntries(ENTRY_FIELDS.map((name, index) => [name, values[index]])),
  )
  return { origin, tokens, runtimeSessions, provider, updatedMs }
}

/** Sessions of Claude Code that ran this one: under one name, under that of the runtime, and with what else is bound to it. */
function runtimesOf(fields: JsonObject): string[] | undefined {
  const ids = [fields.claudeCliSessionId, asObject(fields.cliSessionIds)?.[RUNTIME]]
  const bound = asObject(fields.cliSessionBindings)?.[RUNTIME]
  for (const each of asArray(bound) ?? [bound]) ids.push(asObject(each)?.sessionId)
  const found = [...new Set(ids.flatMap((id) => word(id) ?? []))]
  return found.length > 0 ? found : undefined
}

const RUNTIME = 'claude-cli'

/** Names and sizes beyond these tell nothing more. */
const MOST_SKILLS = 200
const MOST_FILES = 50

/** A list of its own once, and a snapshot since. */
function skillsOf(fields: JsonObject): string[] | undefined {
  const listed = asArray(fields.skills) ?? asArray(asObject(fields.skillsSnapshot)?.skills) ?? []
  const names = listed.flatMap((skill) => word(asObject(skill)?.name) ?? word(skill) ?? [])
  return names.length > 0 ? names.slice(0, MOST_SKILLS) : undefined
}

function promptOf(fields: JsonObject): SessionEntry['prompt'] {
  const report = asObject(fields.systemPromptReport)
  if (!report) return undefined
  const files = (asArray(report.injectedWorkspaceFiles) ?? []).slice(0, MOST_FILES).flatMap((value) => {
    const file = asObject(value)
    const name = word(file?.name) ?? word(value)
    return name === undefined
      ? []
      : known({ name, characters: count(file?.injectedChars) ?? count(file?.rawChars) })
  })
  const tools = asObject(report.tools)
  const sizes = known({
    total: count(asObject(report.systemPrompt)?.chars) ?? count(report.totalSize),
    files: files.length > 0 ? files : undefined,
    tools: asArray(tools?.entries)?.length ?? count(report.toolSchemas),
    toolCharacters: tools && sumOf(tools.listChars, tools.schemaChars),
    skillCharacters: count(asObject(report.skills)?.promptChars),
  })
  return Object.keys(sizes).length > 0 ? sizes : undefined
}

function sumOf(...values: readonly unknown[]): number | undefined {
  const counts = values.flatMap((value) => count(value) ?? [])
  return counts.length > 0 ? counts.reduce((sum, each) => sum + each) : undefined
}

function tokensOf(fields: JsonObject): SessionEntry['tokens'] {
  const counts = asObject(fields.tokenCounts)
  const tokens = known({
    input: count(fields.inputTokens) ?? count(counts?.inputTokens),
    output: count(fields.outputTokens) ?? count(counts?.outputTokens),
    total: count(fields.totalTokens) ?? count(counts?.totalTokens),
    context: count(fields.contextTokens) ?? count(counts?.contextTokens),
  })
  return Object.keys(tokens).length > 0 ? tokens : undefined
}

function count(value: unknown): number | undefined {
  const number = asNumber(value)
  return number !== undefined && number >= 0 ? number : undefined
}

/** Numbers of threads and chats are numbers in some versions. */
export function word(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : asText(value)
  return asText(text?.trim().slice(0, LONGEST))
}
