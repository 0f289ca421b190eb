import * as z from 'zod/mini'
import { entryJson, sessionJson } from '../condense/item-json.ts'
import type { Context } from '../context/context.ts'
import { type Filters, spanOf } from '../context/filters.ts'
import { withTexts } from '../context/read-files.ts'
import { isoTime } from '../context/time.ts'
import type { NamedSession } from '../model/artifact.ts'
import { beginningOf } from '../model/conversation.ts'
import { isEmptySession, type Session } from '../model/session.ts'
import { toBillionths } from '../model/usage.ts'
import { finishSession, withoutIdentities } from '../render/text.ts'
import type { Messages } from '../store/store.ts'
import { chooseSessions } from './choose-sessions.ts'
import { costsOf } from './costs.ts'
import { loadSessions } from './load-sessions.ts'
import { partOfList } from './session-names.ts'

/** A session in the list. `words` mention the requested name, if nothing else does. */
interface Listed {
  session: Session
  words: string | undefined
}

interface SessionsWanted extends Filters {
  project?: string | undefined
  identities: boolean
  mentioned?: boolean
  sort: Sort
}

/** The sessions that the filters choose, in order. Making a row takes longer than choosing it. */
export async function rowsOf(input: SessionsWanted, context: Context) {
  const loaded = loadSessions(input, context, partOf(input, context))
  const chosen = await chooseSessions(loaded, { ...input, name: input.project, orEverything: true }, context)
  const costOf = input.sort === 'cost' ? await costsOf(loaded.sessions, context) : undefined
  const own = sorted(chosen.sessions, input.sort, costOf ?? (() => undefined))
  const listed: Listed[] = [...own.map((session) => ({ session, words: undefined })), ...chosen.mentions]
  return {
    loaded,
    chosen,
    listed,
    rowOf: ({ session, words }: Listed) => ({
      ...sessionJson(
        finishSession(withTexts(session, context), input.identities),
        chosen.nameOf(session),
        words,
      ),
      ...(costOf && { cost: toBillionths(costOf(session)) }),
    }),
  }
}

/** What is enough of a team store. For an unknown agent, an error lists all others. */
const partOf = ({ project: name, agent, since }: SessionsWanted, context: Context) =>
  agent === undefined ? partOfList({ name, sinceMs: spanOf({ since }, context).since }) : undefined

export const SORTS = ['last', 'cost', 'tokens', 'size', 'duration'] as const

export type Sort = (typeof SORTS)[number]

export const tokensOf = ({ usage }: Pick<Session, 'usage'>): number =>
  usage ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : 0

/** The time between the first and the last timed item, in ms. Undefined if nothing has a time. */
const durationOf = ({
  startedMs,
  lastActivityMs,
}: Pick<Session, 'startedMs' | 'lastActivityMs'>): number | undefined =>
  startedMs === undefined || lastActivityMs === undefined ? undefined : lastActivityMs - startedMs

/** Sorts by the largest figure first. Equal rows stay newest first, and empty ones come last. */
export function sorted(
  sessions: readonly Session[],
  sort: Sort,
  costOf: (session: Session) => number | undefined,
): Session[] {
  const weigh: Record<Sort, (session: Session) => number> = {
    last: () => 0,
    cost: (session) => costOf(session) ?? -1,
    tokens: tokensOf,
    size: ({ bytes }) => bytes,
    duration: (session) => durationOf(session) ?? -1,
  }
  const weights = new Map(sessions.map((session) => [session, weigh[sort](session)]))
  return sessions.toSorted(
    (a, b) => Number(isEmptySession(a)) - Number(isEmptySession(b)) || weights.get(b)! - weights.get(a)!,
  )
}

/** With more sessions that began alike, only so many are compared. */
const MOST = 200

/** How many messages of a session one that is listed before it has, too. */
interface Repeated {
  human: number
  agent: number
}

/**
 * How many messages of a listed session are in one that is listed before it, by path: a fork begins with
 * those of its original. Sessions are compared that begin with the same prompt.
 */
export function repeatedMessages(
  sessions: readonly Session[],
  store: Messages | undefined,
): Record<string, Repeated> {
  const repeated: Record<string, Repeated> = {}
  const alike = Map.groupBy(sessions, beginningOf)
  for (const [beginning, group] of alike) {
    if (!store || group.length < 2 || beginning === undefined) continue
    const known = new Set<number>()
    for (const { path, human, agentMessages } of group.slice(0, MOST)) {
      if (human + agentMessages === 0) continue
      const own = store.messages(path, undefined, { usage: false })
      const many = (who: 'human' | 'agent'): number =>
        own.filter((each) => each.who === who && known.has(each.message)).length
      const found = { human: many('human'), agent: many('agent') }
      if (found.human + found.agent > 0) repeated[path] = found
      for (const { who, message } of own) if (who === 'human' || who === 'agent') known.add(message)
    }
  }
  return repeated
}

/** What OpenClaw's session index says about a session. */
export const entryShape = () => {
  const text = z.optional(z.string())
  const count = z.optional(z.number())
  return z.object({
    surface: text,
    channel: text,
    account: text,
    peer: text,
    thread: text,
    name: text,
    origin: text,
    model: text,
    provider: text,
    status: text,
    spawnedBy: text,
    updatedAt: text,
    skills: z.optional(z.array(z.string())),
    prompt: z.optional(
      z.object({
        total: count,
        tools: count,
        toolCharacters: count,
        skillCharacters: count,
        files: z.optional(z.array(z.object({ name: z.string(), characters: count }))),
      }),
    ),
    tokens: z.optional(z.object({ input: count, output: count, total: count, context: count })),
    runtimeSessions: z.optional(z.array(z.string())),
  })
}

/** The call in another session that sent a prompt. */
const senderShape = () => {
  const text = z.string()
  return z.object({ platform: text, agent: text, session: text, path: text, line: z.number() })
}

/** Tokens, and dollars if the client recorded them. */
const usageShape = () =>
  z.object({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    cacheWriteHour: z.optional(z.number()),
    reasoning: z.optional(z.number()),
    cost: z.optional(z.number()),
  })

/** One session row as JSON. */
export const sessionShape = () => {
  const time = z.nullable(z.string())
  const count = z.number()
  return z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    kind: z.nullable(z.string()),
    state: z.string(),
    /** A client has it open now. */
    open: z.optional(z.boolean()),
    project: z.nullable(z.string()),
    cwd: z.nullable(z.string()),
    startedAt: time,
    lastActivityAt: time,
    modifiedAt: time,
    path: z.string(),
    /** The machine it is on, and who works there. Only in a team store. */
    device: z.optional(z.string()),
    person: z.optional(z.string()),
    bytes: count,
    lines: count,
    messages: z.object({ human: count, agent: count }),
    toolCalls: count,
    errors: count,
    possibleErrors: count,
    title: z.nullable(z.string()),
    /** The session that it is a fork or copy of: the one that a person would resume. */
    copyOf: z.optional(z.string()),
    firstHuman: z.nullable(z.string()),
    lastHuman: z.array(z.string()),
    firstProgram: z.optional(z.string()),
    parent: z.optional(z.string()),
    fork: z.optional(z.string()),
    subagent: z.optional(z.object({ type: z.optional(z.string()), description: z.optional(z.string()) })),
    model: z.optional(z.string()),
    /** The client version that wrote the last prompt. */
    version: z.optional(z.string()),
    /** The last branch, and all branches. */
    gitBranch: z.optional(z.string()),
    gitBranches: z.optional(z.array(z.string())),
    usage: z.optional(usageShape()),
    recorded: z.optional(usageShape()),
    sessionKey: z.optional(z.string()),
    entry: z.optional(entryShape()),
    ranThrough: z.optional(z.array(z.object({ session: z.string(), path: z.string() }))),
    promptedBy: z.optional(z.array(z.object({ line: count, by: senderShape() }))),
    script: z.optional(z.object({ confidence: count, sessions: count })),
    alsoNamed: z.optional(z.array(z.string())),
    /**
     * In US dollars at list price, without subagents: with `--sort cost`, and of a single session. `null` if
     * no model in it has a price.
     */
    cost: z.optional(z.nullable(count)),
    /** The session is listed only because its first human messages mention the name: these words. */
    matched: z.optional(z.string()),
    /** What the user noted about it. */
    star: z.optional(z.boolean()),
    name: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
    cut: z.optional(z.number()),
    goneSince: z.optional(z.nullable(z.string())),
    accounting: z.object({
      events: count,
      skipped: z.record(z.string(), count),
      unknown: z.record(z.string(), count),
      malformed: count,
      malformedAt: z.optional(z.array(count)),
    }),
  })
}

/** One message or tool call as JSON. */
export const itemShape = () =>
  z.object({
    session: z.string(),
    who: z.enum(['human', 'agent', 'program', 'tool', 'error', 'marker']),
    at: z.nullable(z.string()),
    text: z.nullable(z.string()),
    tool: z.nullable(z.object({ name: z.string(), target: z.nullable(z.string()) })),
    path: z.string(),
    line: z.number(),
    offset: z.number(),
    length: z.number(),
    label: z.optional(z.string()),
    marker: z.optional(z.string()),
    sure: z.optional(z.boolean()),
    media: z.optional(z.array(z.string())),
    readFiles: z.optional(z.array(z.string())),
    modifiedFiles: z.optional(z.array(z.string())),
    offBranch: z.optional(z.boolean()),
    cut: z.optional(z.boolean()),
    model: z.optional(z.string()),
    stopReason: z.optional(z.string()),
    usage: z.optional(usageShape()),
    thinking: z.optional(z.string()),
    input: z.optional(z.string()),
    summary: z.optional(z.string()),
    output: z.optional(z.string()),
  })

/** A session that appears only in a session index, as JSON. */
export const namedShape = () =>
  z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    path: z.string(),
    kind: z.nullable(z.string()),
    title: z.nullable(z.string()),
    updatedAt: z.nullable(z.string()),
    sessionKey: z.optional(z.string()),
    entry: z.optional(z.looseObject({})),
  })

export type NamedJson = z.output<ReturnType<typeof namedShape>>

export function namedJson({ hint, ...named }: NamedSession, identities: boolean): NamedJson {
  const { kindHint: kind, titleHint: title, sessionKey, entry, updatedMs } = hint
  const row = { title, sessionKey, entry } as Session
  const shown = identities ? row : withoutIdentities(row)
  const { id, platform, agent, path } = named
  return {
    id,
    platform,
    agent,
    path,
    kind: kind ?? null,
    title: shown.title ?? null,
    updatedAt: isoTime(updatedMs),
    ...(shown.sessionKey === undefined ? {} : { sessionKey: shown.sessionKey }),
    ...(shown.entry === undefined ? {} : { entry: entryJson(shown.entry) }),
  }
}
