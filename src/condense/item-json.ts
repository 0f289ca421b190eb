import type { SessionEntry } from '../model/artifact.ts'
import type { Usage } from '../model/event.ts'
import type { Annotation, Item, Session } from '../model/session.ts'
import { addUsage } from '../model/usage.ts'

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())

/**
 * An item with the field names of `read --json`. `replies`: the replies of the session whose usage was
 * already written, so that it is written once per reply. Without it no usage is written, because replies may
 * still grow.
 */
export function itemJson(item: Item, session: Session, replies?: Set<number>) {
  const usage = replies && usageOnce(item, replies)
  return {
    session: session.id,
    who: item.who,
    at: iso(item.at),
    text: item.text || null,
    tool: item.tool ? { name: item.tool.name, target: item.tool.target ?? null } : null,
    path: session.path,
    line: item.line,
    offset: item.offset,
    length: item.length,
    ...(item.label === undefined ? {} : { label: item.label }),
    ...(item.marker === undefined ? {} : { marker: item.marker }),
    ...(item.who === 'error' ? { sure: item.sure !== false } : {}),
    ...(item.media === undefined ? {} : { media: item.media }),
    ...(item.readFiles === undefined ? {} : { readFiles: item.readFiles }),
    ...(item.modifiedFiles === undefined ? {} : { modifiedFiles: item.modifiedFiles }),
    ...(item.offBranch ? { offBranch: true } : {}),
    ...(item.cut ? { cut: true } : {}),
    ...(replies && item.usage?.model !== undefined ? { model: item.usage.model } : {}),
    ...(item.stopReason === undefined ? {} : { stopReason: item.stopReason }),
    ...(usage ? { usage } : {}),
    ...(item.holds === undefined || item.detail === undefined ? {} : { [item.holds]: item.detail }),
  }
}

/** The usage of an item's replies, as far as no earlier item contained it. */
function usageOnce(item: Item, replies: Set<number>): Usage | undefined {
  let sum: Usage | undefined
  for (const { reply, usage } of [item, ...(item.folded ?? [])]) {
    if (reply === undefined || !usage || replies.has(reply)) continue
    replies.add(reply)
    sum ??= { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    addUsage(sum, usage)
  }
  return sum
}

/** A session index entry with times as text. */
export function entryJson({ updatedMs, ...entry }: SessionEntry) {
  return { ...entry, ...(updatedMs === undefined ? {} : { updatedAt: iso(updatedMs)! }) }
}

/** What the user noted about a session. Absent fields mean nothing. */
export const annotationJson = (annotation: Annotation | undefined) => ({
  ...(annotation?.star ? { star: true } : {}),
  ...(annotation?.name === undefined ? {} : { name: annotation.name }),
  ...(annotation && annotation.tags.length > 0 ? { tags: annotation.tags } : {}),
})

/** A session with the field names of `sessions --json`. */
export function sessionJson(session: Session, project: string | undefined, matched?: string) {
  return {
    id: session.id,
    platform: session.platform,
    agent: session.agent,
    kind: session.kind,
    state: session.state,
    ...(session.open ? { open: true } : {}),
    project: project ?? null,
    cwd: session.cwds[0]?.[0] ?? null,
    startedAt: iso(session.startedMs),
    lastActivityAt: iso(session.lastActivityMs),
    modifiedAt: iso(session.modifiedMs),
    path: session.path,
    ...(session.device === undefined ? {} : { device: session.device }),
    ...(session.person === undefined ? {} : { person: session.person }),
    bytes: session.bytes,
    lines: session.lines,
    messages: { human: session.human, agent: session.agentMessages },
    toolCalls: session.toolCalls,
    errors: session.errors,
    possibleErrors: session.possibleErrors,
    title: session.title ?? null,
    firstHuman: session.firstHuman ?? null,
    lastHuman: session.lastHuman,
    ...(session.firstProgram === undefined ? {} : { firstProgram: session.firstProgram }),
    ...(session.parentSessionId === undefined ? {} : { parent: session.parentSessionId }),
    ...(session.fork === undefined ? {} : { fork: session.fork }),
    ...(session.subagent === undefined ? {} : { subagent: session.subagent }),
    ...(session.model === undefined ? {} : { model: session.model }),
    ...(session.version === undefined ? {} : { version: session.version }),
    ...(session.branches === undefined
      ? {}
      : { gitBranch: session.branches.at(-1), gitBranches: session.branches }),
    ...(session.usage === undefined ? {} : { usage: session.usage }),
    ...(session.recorded === undefined ? {} : { recorded: session.recorded }),
    ...(session.sessionKey === undefined ? {} : { sessionKey: session.sessionKey }),
    ...(session.entry === undefined ? {} : { entry: entryJson(session.entry) }),
    ...(session.ranThrough === undefined
      ? {}
      : { ranThrough: session.ranThrough.map(({ id, path }) => ({ session: id, path })) }),
    ...(session.promptedBy === undefined ? {} : { promptedBy: session.promptedBy }),
    ...(session.script === undefined ? {} : { script: session.script }),
    ...(session.otherIds.length === 0 ? {} : { alsoNamed: session.otherIds }),
    ...annotationJson(session.annotation),
    ...(matched === undefined ? {} : { matched }),
    ...(session.cut === undefined ? {} : { cut: session.cut }),
    ...(session.goneMs === undefined ? {} : { goneSince: iso(session.goneMs) }),
    accounting: session.accounting,
  }
}
