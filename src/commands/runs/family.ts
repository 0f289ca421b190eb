import type { Session } from '../../model/session.ts'
import { beginOfRun } from '../../model/subagent-run.ts'
import type { LinkedRun, LoadedRuns, Ran } from '../kit/runs.ts'

/** The subagents of some sessions, recursively: by the path of the transcript that started them, in order. */
type Family = ReadonlyMap<string, readonly LinkedRun[]>

export function familyOf(sessions: readonly Session[], loaded: LoadedRuns): Family {
  const { begin, end } = spanOf(sessions)
  const roots = new Set(sessions.map(({ root }) => root))
  const ids = new Set(sessions.map(({ id }) => id))
  // A direct subagent ran during these sessions or names its parent. Its own subagents may have run longer.
  const maybe = loaded.runs.filter((run) => {
    const at = begunAt(run)
    const isNamed = ids.has(run.record?.parentSessionId ?? run.session?.parentSessionId ?? '')
    return (
      roots.has((run.session ?? run.record)!.root) &&
      (isNamed || at === undefined || (at >= begin && at <= end))
    )
  })
  const children = Map.groupBy(loaded.link(maybe), ({ parent }) => parent?.path ?? '')
  const family = new Map<string, LinkedRun[]>()
  const seen = new Set(sessions.map(({ path }) => path))
  const waiting = [...seen]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const own = (children.get(path) ?? []).filter(
      ({ session }) => session === undefined || !seen.has(session.path),
    )
    const runs: LinkedRun[] = []
    for (const run of own.sort(inOrder)) {
      // A resumed subagent has the same transcript.
      if (run.session && seen.has(run.session.path)) continue
      runs.push(run)
      if (!run.session) continue
      seen.add(run.session.path)
      waiting.push(run.session.path)
    }
    if (runs.length > 0) family.set(path, runs)
  }
  return family
}

export const begunAt = ({ record, session }: Ran): number | undefined =>
  session?.startedMs ?? (record && beginOfRun(record))

/** How long a subagent may continue after its parent's last message, in ms. */
const LATER_MS = 86_400_000
const SLACK_MS = 60_000

const spanOf = (sessions: readonly Session[]): { begin: number; end: number } => ({
  begin:
    sessions.reduce((first, { startedMs }) => Math.min(first, startedMs ?? 0), Number.MAX_VALUE) - SLACK_MS,
  end:
    sessions.reduce(
      (last, { lastActivityMs, modifiedMs }) => Math.max(last, lastActivityMs ?? modifiedMs),
      0,
    ) + LATER_MS,
})

const inOrder = (one: LinkedRun, other: LinkedRun): number =>
  (one.line ?? 0) - (other.line ?? 0) || (begunAt(one) ?? 0) - (begunAt(other) ?? 0)
