import type { Artifact } from '../../../model/artifact.ts'
import { hash53 } from '../../../model/hash.ts'
import { LAST_MS } from '../../../model/json.ts'
import type { Session, Who } from '../../../model/session.ts'
import type { Checkpoint, MessageExtra } from '../../increment.ts'
import type { StoredMessage } from '../../stored.ts'

/**
 * What machines write as JSON and as times, of which the server only checks the type. Whatever a row
 * contains, it must not break the answers about other rows.
 */

/** No count, size or sum is larger. */
export const MOST = 1e15

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const flag: Check = (value) => typeof value === 'boolean'
const upTo =
  (most: number): Check =>
  (value) =>
    typeof value === 'number' && Math.abs(value) <= most
const count = upTo(MOST)
const whole = upTo(Number.MAX_SAFE_INTEGER)
const time = upTo(LAST_MS)
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value)
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const pair =
  (first: Check, second: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1])
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const each =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check)

/** Fields whose names end with a question mark may be missing. Others than these are not checked. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const all = Object.entries(checks).map(([name, check]) => {
    const isOptional = name.endsWith('?')
    return { name: isOptional ? name.slice(0, -1) : name, check, isOptional }
  })
  return (value) =>
    isObject(value) &&
    all.every(
      ({ name, check, isOptional }) => (isOptional && value[name] === undefined) || check(value[name]),
    )
}

const kind = oneOf('human', 'cron', 'subagent', 'heartbeat', 'hook', 'program')
const state = oneOf('live', 'reset', 'deleted', 'archived', 'purged', 'backup')
const subagent = fields({ 'type?': text, 'description?': text, 'status?': text })
const usage = fields({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  'cacheWriteHour?': count,
  'reasoning?': count,
  'cost?': count,
})
const sender = fields({ platform: text, agent: text, session: text, path: text, line: count })
const directories = list(pair(text, count))

const entry = fields({
  'surface?': text,
  'channel?': text,
  'account?': text,
  'peer?': text,
  'thread?': text,
  'name?': text,
  'origin?': text,
  'model?': text,
  'provider?': text,
  'updatedMs?': time,
  'skills?': list(text),
  'prompt?': fields({
    'total?': count,
    'tools?': count,
    'toolCharacters?': count,
    'skillCharacters?': count,
    'files?': list(fields({ name: text, 'characters?': count })),
  }),
  'status?': text,
  'tokens?': each(count),
  'spawnedBy?': text,
  'runtimeSessions?': list(text),
})

const session = fields({
  id: text,
  platform: text,
  agent: text,
  kind: (value) => value === null || kind(value),
  state,
  path: text,
  root: text,
  otherIds: list(text),
  'sessionKey?': text,
  'entry?': entry,
  bytes: count,
  modifiedMs: time,
  lines: count,
  'startedMs?': time,
  'lastActivityMs?': time,
  accounting: fields({ events: count, skipped: each(count), unknown: each(count), malformed: count }),
  human: count,
  agentMessages: count,
  toolCalls: count,
  errors: count,
  possibleErrors: count,
  'title?': text,
  'firstHuman?': text,
  lastHuman: list(text),
  'opening?': list(text),
  'asked?': text,
  'firstProgram?': text,
  'firstPromptMs?': time,
  'firstPromptId?': text,
  cwds: directories,
  touched: directories,
  origins: list(text),
  'slug?': text,
  'branches?': list(text),
  'parentSessionId?': text,
  'parentCallId?': text,
  'fork?': text,
  'undoneFrom?': count,
  'forked?': flag,
  'forkedMs?': time,
  'subagent?': subagent,
  'promptedBy?': list(fields({ line: count, by: sender })),
  'script?': fields({ confidence: count, sessions: count }),
  'ranThrough?': list(fields({ id: text, path: text })),
  'model?': text,
  'version?': text,
  'usage?': usage,
  'recorded?': usage,
})

const artifact = fields({
  platform: text,
  root: text,
  path: text,
  kind: oneOf('transcript', 'prompt-history', 'memory'),
  state,
  sessionId: text,
  agent: text,
  'slug?': text,
  bytes: count,
  modifiedMs: time,
  'directory?': text,
  'database?': text,
  'identity?': text,
  'besideMs?': time,
  'kindHint?': kind,
  'sessionKey?': text,
  'titleHint?': text,
  'titleHintByHand?': flag,
  'entry?': entry,
  'updatedMs?': time,
  'parentSessionId?': text,
  'parentCallId?': text,
  'fork?': text,
  'undoneFrom?': count,
  'subagent?': subagent,
})

const extra = fields({
  'label?': text,
  'marker?': text,
  'sure?': flag,
  'media?': list(text),
  'reply?': whole,
  'stopReason?': text,
  'readFiles?': list(text),
  'modifiedFiles?': list(text),
})

const checkpoint = fields({
  offset: count,
  line: count,
  identity: text,
  headLength: count,
  head: text,
  tail: text,
  parser: count,
  recentlyModified: flag,
})

function parsed<Value>(json: string, check: Check): Value | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return check(value) ? (value as Value) : undefined
  } catch {
    return undefined
  }
}

/** Each of these returns undefined if the JSON is something else. */
export const sessionIn = (json: string): Session | undefined => parsed(json, session)
export const artifactIn = (json: string): Artifact | undefined => parsed(json, artifact)
export const checkpointIn = (
  json: string,
): Omit<Checkpoint, 'generation' | 'size' | 'modifiedMs'> | undefined => parsed(json, checkpoint)
export const extraIn = (json: string): MessageExtra | undefined => parsed(json, extra)

/** A list of objects with these numbers. Empty if the JSON is something else. */
export const rowsIn = <Row extends Record<string, number>>(
  json: string,
  names: readonly (keyof Row & string)[],
): Row[] => parsed<Row[]>(json, list(fields(Object.fromEntries(names.map((name) => [name, whole]))))) ?? []

/** A time in ms, if it is one. */
export const timeIn = (value: number | null): number | undefined =>
  value !== null && time(value) ? value : undefined

/** The columns of an item that make a message, in the order of `ItemValues`. */
export const ITEM_COLUMNS = `i.record, i.digest, i.at, i.who, i.text, i.tool, i.target, i.more, i.line, i.place, i.offset,
  i.length, i.aside`

export type ItemValues = readonly [
  record: number,
  digest: number,
  at: number | null,
  who: Who,
  text: string | null,
  tool: string | null,
  target: string | null,
  more: string | null,
  line: number,
  order: number,
  offset: number,
  length: number,
  aside: number,
]

/** The number of a message in answers. Two messages are the same if record and digest are. */
export const messageNumber = (record: number, digest: number): number => hash53([`${record}.${digest}`], 0)

export function storedMessage(values: ItemValues): StoredMessage {
  const [record, digest, at, who, text, tool, target, more, line, order, offset, length, aside] = values
  const message: StoredMessage = {
    message: messageNumber(record, digest),
    who,
    at: timeIn(at),
    text: text ?? undefined,
    line,
    offset,
    length,
    order,
    label: undefined,
  }
  if (more !== null) Object.assign(message, extraIn(more))
  if (tool !== null) message.tool = { name: tool, target: target ?? undefined }
  if (record >= 0) message.record = record
  if (aside === 1) message.offBranch = true
  return message
}
