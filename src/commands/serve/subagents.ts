import type { Session } from '../../model/session.ts'
import { beginOfRun } from '../../model/subagent-run.ts'
import type { Context } from '../kit/context.ts'
import { cleaner } from '../kit/read-messages.ts'
import { type LoadedRuns, type Ran, type RunJson, runJson } from '../kit/runs.ts'

/** A subagent run that a session started. */
interface StartedRun {
  run: RunJson
  child: Session | undefined
}

/** The subagents of a session, in the order in which they began. */
export function subagentsOf(parent: Session, loaded: LoadedRuns, context: Context): StartedRun[] {
  const clean = cleaner(context.redact)
  const candidates = loaded.runs.filter((run) => mayBelong(run, parent))
  return loaded
    .link(candidates)
    .filter((run) => run.parent?.path === parent.path)
    .sort((a, b) => begun(a) - begun(b))
    .map((run) => ({ run: runJson(run, clean), child: run.session }))
}

/**
 * Whether the session may have started the run. Others are not linked, which would read the transcripts of
 * their parents. A subagent of a subagent names the session that started both.
 */
function mayBelong(
  run: Ran,
  { id, parentSessionId, startedMs, lastActivityMs, modifiedMs }: Session,
): boolean {
  const named = run.record?.parentSessionId ?? run.session?.parentSessionId
  if (named !== undefined) return named === id || named === parentSessionId
  return (startedMs ?? 0) <= begun(run) && begun(run) <= (lastActivityMs ?? modifiedMs)
}

const begun = ({ record, session }: Ran): number => (record && beginOfRun(record)) ?? session?.startedMs ?? 0
