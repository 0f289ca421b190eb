import type { Artifact } from '../artifact.ts'
import type { SessionKind } from '../event.ts'
import type { Accounting, Session } from '../session.ts'
import { cleanEntry } from '../session-entry.ts'
import type { Prompt } from './prompts.ts'
import type { Replies } from './replies.ts'
import type { Titles } from './titles.ts'
import { type createWhereabouts, ranked } from './whereabouts.ts'

/** Messages in a session row are cut to this many characters. Less is shown. */
export const QUOTE_LIMIT = 12_000
/** At most this many prompts from other sessions are listed. */
const MOST_SENT = 50
/** How many of the first human messages may name the project. */
const OPENING = 5

interface RowParts {
  artifact: Artifact
  clean(text: string): string
  prompts: readonly Prompt[]
  kind: SessionKind | null
  /** The only prompt of a session that a script may have started. */
  only: string | undefined
  replies: Replies
  titles: Titles
  whereabouts: ReturnType<typeof createWhereabouts>
  accounting: Accounting
  lines: number
  startedMs: number | undefined
  lastActivityMs: number | undefined
  /** Whether this file contains the record. */
  contains(id: string): boolean
}

/** The session row of a file, as far as it was read. */
export function sessionRow({
  artifact,
  clean,
  prompts,
  replies,
  titles,
  whereabouts,
  ...parts
}: RowParts): Session {
  const humanPrompts = prompts.filter((each) => each.speaker === 'human')
  const humanTexts = humanPrompts.flatMap((each) => (each.text === undefined ? [] : [quote(each.text)]))
  const program = prompts.find((each) => each.speaker === 'program' && each.text)?.text
  const firstProgram = program && quote(program)
  const { cwds, origins, parentSessionId, otherIds, version, ...branches } = whereabouts.row()
  const { counts } = replies
  return {
    id: artifact.sessionId,
    platform: artifact.platform,
    agent: artifact.agent,
    kind: parts.kind,
    state: artifact.state,
    path: artifact.path,
    root: artifact.root,
    bytes: artifact.bytes,
    modifiedMs: artifact.modifiedMs,
    startedMs: parts.startedMs,
    lastActivityMs: parts.lastActivityMs,
    lines: parts.lines,
    human: humanPrompts.length,
    agentMessages: replies.size(),
    toolCalls: counts.toolCalls,
    errors: counts.errors,
    possibleErrors: counts.possibleErrors,
    title: titles.best(humanTexts[0], parts.contains) ?? firstProgram,
    firstHuman: humanTexts[0],
    lastHuman: humanTexts.slice(-3),
    opening: artifact.slug === undefined && humanTexts.length > 1 ? humanTexts.slice(0, OPENING) : undefined,
    firstProgram,
    accounting: parts.accounting,
    cwds,
    touched: ranked(replies.touched),
    origins,
    slug: artifact.slug,
    sessionKey: artifact.sessionKey,
    entry: artifact.entry && cleanEntry(artifact.entry, clean),
    parentSessionId,
    parentCallId: artifact.parentCallId,
    fork: artifact.fork,
    subagent: artifact.subagent,
    otherIds,
    model: counts.model,
    version,
    ...branches,
    usage: replies.usages.total(),
    recorded: replies.usages.recorded(),
    ...sentTo(prompts),
    ...(parts.only !== undefined && artifact.links?.script ? { script: artifact.links.script } : {}),
  }
}

const quote = (text: string): string => (text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text)

function sentTo(prompts: readonly Prompt[]): Pick<Session, 'promptedBy'> {
  const sent = prompts.flatMap(({ by, event }) => (by ? [{ line: event.origin.line, by }] : []))
  return sent.length > 0 ? { promptedBy: sent.slice(0, MOST_SENT) } : {}
}
