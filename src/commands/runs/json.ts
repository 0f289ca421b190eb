import * as z from 'zod/mini'
import type { Session } from '../../model/session.ts'
import { beginOfRun, durationOfRun } from '../../model/subagent-run.ts'
import type { LinkedRun } from './links.ts'

const text = () => z.nullable(z.string())

/** One subagent run as JSON. */
export const runShape = () =>
  z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    task: text(),
    label: text(),
    type: text(),
    model: text(),
    status: text(),
    error: text(),
    result: text(),
    startedAt: text(),
    endedAt: text(),
    durationMs: z.nullable(z.number()),
    toolCalls: z.nullable(z.number()),
    parent: z.nullable(z.object({ session: z.string(), path: z.string(), line: z.nullable(z.number()) })),
    outsideParent: z.optional(z.boolean()),
    child: z.nullable(z.object({ session: z.string(), path: z.string() })),
    path: z.string(),
  })

export type RunJson = z.output<ReturnType<typeof runShape>>

/** `clean` redacts what records contain. Sessions are already redacted. */
export function runJson(
  { record, session, parent, line, outside }: LinkedRun,
  clean: (text: string) => string,
): RunJson {
  const words = (value: string | undefined): string | null => (value ? clean(value) : null)
  const startedMs = (record && beginOfRun(record)) ?? session?.startedMs
  const endedMs = record ? record.endedMs : session?.lastActivityMs
  return {
    id: record?.id ?? session!.id,
    platform: (record ?? session)!.platform,
    agent: (record ?? session)!.agent,
    task: words(record?.task) ?? taskOf(session),
    label: words(record?.label) ?? session?.subagent?.description ?? null,
    type: session?.subagent?.type ?? null,
    model: words(record?.model) ?? session?.model ?? null,
    status: words(record?.status),
    error: words(record?.error),
    result: words(record?.result),
    startedAt: iso(startedMs),
    endedAt: iso(endedMs),
    durationMs: (record ? durationOfRun(record) : spanOf(startedMs, endedMs)) ?? null,
    toolCalls: session?.toolCalls ?? null,
    parent: parent ? { session: parent.id, path: parent.path, line: line ?? null } : null,
    ...(outside ? { outsideParent: true } : {}),
    child: session ? { session: session.id, path: session.path } : null,
    path: record?.path ?? session!.path,
  }
}

const taskOf = (session: Session | undefined): string | null => session?.firstProgram ?? null

const spanOf = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.max(0, to - from)

const iso = (ms: number | undefined): string | null =>
  ms === undefined || Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString()
