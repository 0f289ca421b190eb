import type { SessionEntry } from '../../../model/artifact.ts'
import { asArray, asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { known, surfaceOfChat, surfaceOfKey } from './session-surface.ts'

/** Labels and addresses are shorter. A longer value is something else. */
const LONGEST = 300

/** Facts about a session besides its key, from the columns of a database or the fields of an index entry. */
interface EntryFacts extends Omit<SessionEntry, 'surface'> {
  chatType?: string
}

/** The key takes precedence over the facts, which are about the last message and may name another channel. */
export function entryOf(key: string, { chatType, ...facts }: EntryFacts = {}): SessionEntry | undefined {
  const entry: SessionEntry = { surface: surfaceOfChat(chatType), ...known(facts), ...surfaceOfKey(key) }
  const plain = known(entry)
  return Object.keys(plain).length > 0 ? plain : undefined
}

/**
 * Reads an entry of `sessions.json`, of any version. Fields were renamed, and recently moved into
 * `deliveryContext` and `route`.
 */
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

/** The fields that are read from an entry in a database, in this order. Nothing else in it is read. */
export const ENTRY_FIELDS = [
  ...['inputTokens', 'outputTokens', 'totalTokens', 'contextTokens', 'origin'],
  ...['claudeCliSessionId', 'cliSessionIds', 'cliSessionBindings'],
  ...['modelProvider', 'updatedAt', 'tokenCounts'],
] as const

/** Converts their values, a JSON list, to facts. */
export function factsOfList(
  text: string | null,
): Pick<EntryFacts, 'origin' | 'tokens' | 'runtimeSessions' | 'provider' | 'updatedMs'> {
  const values = text === null ? [] : (JSON.parse(text) as unknown[])
  const { origin, tokens, runtimeSessions, provider, updatedMs } = factsOf(
    Object.fromEntries(ENTRY_FIELDS.map((name, index) => [name, values[index]])),
  )
  return { origin, tokens, runtimeSessions, provider, updatedMs }
}

/**
 * The Claude Code sessions that ran this one: under one name, under that of the runtime, and bound to other
 * values.
 */
function runtimesOf(fields: JsonObject): string[] | undefined {
  const ids = [fields.claudeCliSessionId, asObject(fields.cliSessionIds)?.[RUNTIME]]
  const bound = asObject(fields.cliSessionBindings)?.[RUNTIME]
  for (const each of asArray(bound) ?? [bound]) ids.push(asObject(each)?.sessionId)
  const found = [...new Set(ids.flatMap((id) => word(id) ?? []))]
  return found.length > 0 ? found : undefined
}

const RUNTIME = 'claude-cli'

/** Limit of skill names. */
const MOST_SKILLS = 200
const MOST_FILES = 50

/** The skills: a list in older versions, a snapshot since. */
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

/** Some versions write the ids of threads and chats as numbers. */
export function word(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : asText(value)
  return asText(text?.trim().slice(0, LONGEST))
}
