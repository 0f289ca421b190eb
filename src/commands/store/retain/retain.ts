import { ScrollbackError } from '../../../errors.ts'
import { forgottenKey } from '../../../model/artifact.ts'
import { counted } from '../../../render/counted.ts'
import type { TeamStore } from '../../../store/clickhouse/open.ts'
import { confirm } from '../../choose/confirm.ts'
import type { Context } from '../../kit/command.ts'
import { openTeamStore } from '../../kit/remote/open-team-store.ts'
import type { Input, StoreAnswer } from '../answer.ts'

const DAYS: Record<string, number> = { d: 1, w: 7 }
const DAY_MS = 86_400_000

/** A file of a session, and when the session ended. */
interface Ended {
  id: number
  device: string
  bytes: number
  endedMs: number
  /** It is a subagent, which counts with its session. */
  isSubagent: boolean
}

/** Removes the sessions whose last message is older than a span, and has the machines leave them out. */
export async function retained(given: Input, context: Context): Promise<StoreAnswer> {
  const cutoffMs = context.now - spanOf(given.target)
  const store = await openTeamStore(context)
  const { team } = store
  const files = endedBefore(cutoffMs, store)
  const ids = files.map(({ id }) => id)
  const devices = figuresOf(files, team.messagesByFile(ids))
  const cutoff = new Date(cutoffMs).toISOString()
  const answer: StoreAnswer = { version: 1, action: 'retain', cutoff, devices }
  if (given.dryRun) return { ...answer, done: false }
  const sessions = devices.reduce((sum, each) => sum + each.sessions, 0)
  if (sessions > 0) await confirm(`Remove ${counted(sessions, 'session')}?`, given, context)
  // First the rule, so that no machine brings back what follows.
  team.leaveOutBefore(cutoffMs)
  context.progress?.start('Erasing', 0)
  team.eraseAll(ids)
  context.progress?.stop()
  return { ...answer, done: true }
}

function spanOf(text = ''): number {
  const [, count, unit] = /^(\d{1,5})([dw])$/.exec(text) ?? []
  if (count !== undefined && Number(count) > 0) return Number(count) * DAYS[unit!]! * DAY_MS
  throw new ScrollbackError(
    'bad-option',
    text === '' ? 'store retain: the span is missing' : `store retain: "${text}" is not a span`,
    'Give days or weeks: scrollback store retain 365d --dry-run --store …',
  )
}

/** The files of the sessions that ended earlier. A session ends with the last message of any of its files. */
function endedBefore(cutoffMs: number, store: TeamStore): Ended[] {
  const known = [...store.known().values()].filter(({ artifact }) => artifact.kind !== 'memory')
  const last = new Map(
    store
      .sessions()
      .map(({ session }) => [session.path, session.lastActivityMs ?? session.modifiedMs] as const),
  )
  const parents = new Map(
    known.flatMap(({ artifact: { platform, sessionId, parentSessionId } }) =>
      parentSessionId === undefined
        ? []
        : [[forgottenKey(platform, sessionId), forgottenKey(platform, parentSessionId)] as const],
    ),
  )
  const topOf = (key: string): string => {
    const seen = new Set<string>()
    for (let top = key; ; ) {
      const parent = parents.get(top)
      if (parent === undefined || seen.has(parent)) return top
      seen.add(parent)
      top = parent
    }
  }
  const ends = new Map<string, number>()
  const rows = known.flatMap(({ id, device = '', artifact, checkpoint }) => {
    const endedMs = last.get(artifact.path)
    if (endedMs === undefined) return []
    const top = topOf(forgottenKey(artifact.platform, artifact.sessionId))
    ends.set(top, Math.max(ends.get(top) ?? 0, endedMs))
    const isSubagent = artifact.parentSessionId !== undefined
    return [{ top, row: { id, device, bytes: checkpoint.size, endedMs, isSubagent } }]
  })
  return rows.filter(({ top }) => ends.get(top)! < cutoffMs).map(({ row }) => row)
}

type Figures = NonNullable<StoreAnswer['devices']>

function figuresOf(files: readonly Ended[], messages: ReadonlyMap<number, number>): Figures {
  const iso = (ms: number): string => new Date(ms).toISOString()
  return [...Map.groupBy(files, ({ device }) => device)]
    .map(([device, own]) => {
      let [oldest, newest, bytes, count] = [Number.POSITIVE_INFINITY, 0, 0, 0]
      for (const { id, endedMs, bytes: size } of own) {
        oldest = Math.min(oldest, endedMs)
        newest = Math.max(newest, endedMs)
        bytes += size
        count += messages.get(id) ?? 0
      }
      const sessions = own.filter(({ isSubagent }) => !isSubagent).length
      return { device, sessions, messages: count, bytes, oldestAt: iso(oldest), newestAt: iso(newest) }
    })
    .sort((one, other) => (one.device < other.device ? -1 : 1))
}
