import { type Artifact, type ArtifactState, type SessionEntry, SURFACES } from '../../model/artifact.ts'
import type { SessionKind } from '../../model/event.ts'
import {
  asArray,
  asCount,
  asObject,
  asText,
  asTime,
  asTrimmed,
  firstOf,
  type JsonObject,
} from '../../model/json.ts'
import { kindOfKey, known, surfaceOfChat, surfaceOfKey } from './session-key.ts'

/** Facts that a session index adds to an artifact. */
export type SessionHint = Pick<
  Artifact,
  'kindHint' | 'sessionKey' | 'titleHint' | 'titleHintByHand' | 'entry' | 'updatedMs' | 'parentSessionId'
> & { state?: ArtifactState }

/** Hints by file name without `.jsonl`. `file`: the file of the session, if it has another name. */
export type SessionIndex = ReadonlyMap<string, SessionHint & { file?: string }>

/**
 * What a `sessions.json` says, in both forms: a map from key to entry, and that map wrapped in
 * `{version, agents}`. It is only a hint: entries whose file is gone are ignored, and most files of a long
 * history have no entry.
 */
export function indexOf(value: unknown): SessionIndex {
  const entries = entriesOf(value)
  const idByKey = new Map(entries.map(({ key, sessionId }) => [key, sessionId]))
  const index = new Map<string, SessionHint>()
  for (const { key, sessionId, fields } of entries) {
    const hint = isRow(fields) ? hintOfRow(key, fields) : hintOf(key, fields, idByKey)
    const file = stemOf(asText(fields.sessionFile))
    for (const stem of new Set([file ?? sessionId, sessionId]))
      add(index, stem, stem === file || file === undefined ? hint : { ...hint, file })
    for (const earlier of asArray(fields.usageFamilySessionIds) ?? [])
      if (typeof earlier === 'string' && earlier !== sessionId)
        add(index, earlier, {
          kindHint: hint.kindHint,
          sessionKey: key,
          entry: entryOf(key),
          parentSessionId: hint.parentSessionId,
        })
  }
  return index
}

/**
 * Several keys may lead to one session, such as those of a cron job and its run. Their facts are merged;
 * `human` takes precedence.
 */
function add(
  index: Map<string, SessionHint & { file?: string }>,
  stem: string,
  hint: SessionHint & { file?: string },
): void {
  const known = index.get(stem)
  if (!known) {
    index.set(stem, hint)
    return
  }
  index.set(stem, {
    kindHint:
      known.kindHint === 'human' || hint.kindHint === 'human' ? 'human' : (known.kindHint ?? hint.kindHint),
    sessionKey: known.sessionKey,
    ...(known.titleHint !== undefined ? titleFacts(known) : titleFacts(hint)),
    entry: known.entry && hint.entry ? bothOf(known.entry, hint.entry) : (known.entry ?? hint.entry),
    state: known.state ?? hint.state,
    updatedMs: Math.max(known.updatedMs ?? 0, hint.updatedMs ?? 0) || undefined,
    parentSessionId: known.parentSessionId ?? hint.parentSessionId,
  })
}

/** A job's own key leads to its last run. That the session is a run remains true when another run follows. */
const bothOf = (known: SessionEntry, other: SessionEntry): SessionEntry => ({
  ...other,
  ...known,
  ...(other.surface === 'cron-run' && { surface: 'cron-run' }),
})

function hintOf(key: string, fields: JsonObject, idByKey: ReadonlyMap<string, string>): SessionHint {
  const parentKey = asText(fields.spawnedBy) ?? asText(fields.parentSessionKey)
  return {
    kindHint: kindOfKey(key) as SessionKind | undefined,
    sessionKey: key,
    titleHint: titleOf(fields),
    // A person gave the label. The rest are names that the client or a channel has for it.
    ...(asTrimmed(fields.label) !== undefined && { titleHintByHand: true }),
    entry: entryOf(key, factsOf(fields)),
    updatedMs: asTime(fields.updatedAt),
    parentSessionId: parentKey ? idByKey.get(parentKey) : undefined,
  }
}

/** An entry that `collect` made from the row of a database, with the names of `SessionEntry`. */
export const isRow = (fields: JsonObject): boolean => 'state' in fields && 'sessionKey' in fields

function hintOfRow(key: string, fields: JsonObject): SessionHint {
  const title = asTrimmed(fields.title)
  return {
    ...(key !== '' && { kindHint: kindOfKey(key), sessionKey: key }),
    titleHint: title,
    ...(title !== undefined && fields.titleByHand !== false && { titleHintByHand: true }),
    entry: entryOf(key, {
      surface: SURFACES.find((each) => each === fields.surface),
      channel: word(fields.channel),
      account: word(fields.account),
      peer: word(fields.peer),
      thread: word(fields.thread),
      name: word(fields.name),
      origin: word(fields.origin),
      model: word(fields.model),
      provider: word(fields.provider),
      updatedMs: asTime(fields.updatedMs),
      status: word(fields.status),
      tokens: countsOf(asObject(fields.tokens)),
      spawnedBy: word(fields.spawnedBy),
      runtimeSessions: asArray(fields.runtimeSessions)?.flatMap((id) => word(id) ?? []),
    }),
    parentSessionId: asText(fields.parentSessionId),
    ...((fields.state === 'reset' || fields.state === 'archived') && { state: fields.state }),
  }
}

function countsOf(tokens: JsonObject | undefined): SessionEntry['tokens'] {
  const counts = known({
    input: asCount(tokens?.input),
    output: asCount(tokens?.output),
    total: asCount(tokens?.total),
    context: asCount(tokens?.context),
  })
  return Object.keys(counts).length > 0 ? counts : undefined
}

const titleFacts = ({ titleHint, titleHintByHand }: SessionHint): SessionHint => ({
  titleHint,
  ...(titleHintByHand && { titleHintByHand }),
})

const titleOf = (fields: JsonObject): string | undefined =>
  firstOf(asTrimmed, fields, 'label', 'autoLabel', 'displayName', 'subject') ??
  asTrimmed(asObject(fields.origin)?.label)

function entriesOf(value: unknown) {
  const root = asObject(value)
  const wrapped = asObject(root?.agents)
  const map = wrapped && !('sessionId' in wrapped) ? wrapped : root
  const pairs: [key: string, fields: JsonObject][] = []
  for (const item of asArray(value) ?? []) {
    const fields = asObject(item)
    if (fields) pairs.push([asText(fields.key) ?? asText(fields.sessionKey) ?? '', fields])
  }
  for (const [key, item] of Object.entries(map ?? {})) {
    const fields = asObject(item)
    // Rows of a database are listed by their sessions, of which several have one key.
    if (fields) pairs.push([isRow(fields) ? (asText(fields.sessionKey) ?? '') : key, fields])
  }
  return pairs.flatMap(([key, fields]) => {
    const sessionId = asText(fields.sessionId) ?? asText(fields.activeSessionId)
    return sessionId ? [{ key, sessionId, fields }] : []
  })
}

/** The path may be from another machine, so only the file name counts, after either separator. */
function stemOf(file: string | undefined): string | undefined {
  const name = file?.split(/[\\/]/).at(-1)
  const end = name?.indexOf('.jsonl') ?? -1
  return name && end > 0 ? name.slice(0, end) : undefined
}

/** Labels and addresses are shorter. A longer value is something else. */
const LONGEST = 300

/** Facts about a session besides its key, from the columns of a database or the fields of an index entry. */
interface EntryFacts extends SessionEntry {
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
function factsOf(fields: JsonObject): EntryFacts {
  const origin = asObject(fields.origin)
  const delivery = asObject(fields.deliveryContext) ?? asObject(fields.route)
  const channel =
    firstOf(word, fields, 'channel', 'provider') ??
    word(origin?.provider) ??
    word(delivery?.channel) ??
    firstOf(word, fields, 'lastChannel', 'lastProvider')
  const peer = word(fields.groupId) ?? word(origin?.from) ?? word(delivery?.to) ?? word(fields.lastTo)
  return {
    chatType: word(fields.chatType) ?? word(origin?.chatType),
    channel,
    account: word(origin?.accountId) ?? word(delivery?.accountId) ?? word(fields.lastAccountId),
    peer: channel !== undefined && peer?.startsWith(`${channel}:`) ? peer.slice(channel.length + 1) : peer,
    thread: word(origin?.threadId) ?? word(delivery?.threadId) ?? word(fields.lastThreadId),
    name: firstOf(word, fields, 'displayName', 'subject', 'groupChannel', 'room'),
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
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'contextTokens',
  'origin',
  'claudeCliSessionId',
  'cliSessionIds',
  'cliSessionBindings',
  'modelProvider',
  'updatedAt',
  'tokenCounts',
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
      : known({ name, characters: asCount(file?.injectedChars) ?? asCount(file?.rawChars) })
  })
  const tools = asObject(report.tools)
  const sizes = known({
    total: asCount(asObject(report.systemPrompt)?.chars) ?? asCount(report.totalSize),
    files: files.length > 0 ? files : undefined,
    tools: asArray(tools?.entries)?.length ?? asCount(report.toolSchemas),
    toolCharacters: tools && sumOf(tools.listChars, tools.schemaChars),
    skillCharacters: asCount(asObject(report.skills)?.promptChars),
  })
  return Object.keys(sizes).length > 0 ? sizes : undefined
}

function sumOf(...values: readonly unknown[]): number | undefined {
  const counts = values.flatMap((value) => asCount(value) ?? [])
  return counts.length > 0 ? counts.reduce((sum, each) => sum + each) : undefined
}

function tokensOf(fields: JsonObject): SessionEntry['tokens'] {
  const counts = asObject(fields.tokenCounts)
  const tokens = known({
    input: asCount(fields.inputTokens) ?? asCount(counts?.inputTokens),
    output: asCount(fields.outputTokens) ?? asCount(counts?.outputTokens),
    total: asCount(fields.totalTokens) ?? asCount(counts?.totalTokens),
    context: asCount(fields.contextTokens) ?? asCount(counts?.contextTokens),
  })
  return Object.keys(tokens).length > 0 ? tokens : undefined
}

/** Some versions write the ids of threads and chats as numbers. */
export function word(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : asText(value)
  return asText(text?.trim().slice(0, LONGEST))
}
