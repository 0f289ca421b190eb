import type { Artifact } from '../artifact.ts'
import type { SessionKind } from '../event.ts'
import type { Accounting, Session } from '../session.ts'
import { cleanEntry } from '../session-entry.ts'
import type { Replies } from './replies.ts'
import type { PromptRow } from './speakers.ts'
import type { Titles } from './titles.ts'
import { type createWhereabouts, ranked } from './whereabouts.ts'

interface RowParts {
  artifact: Artifact
  clean(text: string): string
  prompts: PromptRow
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
  const { first, firstProgram, sent } = prompts
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
    human: prompts.human,
    agentMessages: replies.texts.size(),
    toolCalls: counts.toolCalls,
    errors: counts.errors,
    possibleErrors: counts.possibleErrors,
    title: titles.best(first[0], parts.contains) ?? firstProgram,
    firstHuman: first[0],
    lastHuman: prompts.last,
    opening: artifact.slug === undefined && first.length > 1 ? first : undefined,
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
    ...(sent.length > 0 ? { promptedBy: sent } : {}),
    ...(parts.only !== undefined && artifact.links?.script ? { script: artifact.links.script } : {}),
  }
}
