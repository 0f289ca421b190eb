import { confirm } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { endedFilesOf, endedTest } from '../../deliver/ended-sessions.ts'
import { ScrollbackError } from '../../errors.ts'
import { LAST_MS } from '../../model/json.ts'
import { counted } from '../../render/table.ts'
import type { Store } from '../../store/store.ts'
import type { Input, StoreAnswer } from './answer.ts'
import { eraseAll, openAdministration } from './team-store.ts'

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

/** Removes the sessions whose last message is older than a span, and has the space refuse them. */
export async function retained(given: Input, context: Context): Promise<StoreAnswer> {
  const cutoffMs = context.now - spanOf(given.target)
  const { store } = freshStore(context)
  const space = openAdministration(context)
  const files = endedBefore(cutoffMs, store)
  const ids = files.map(({ id }) => id)
  const devices = figuresOf(files, space.messagesByFile(ids))
  const cutoff = new Date(cutoffMs).toISOString()
  const answer: StoreAnswer = { version: 1, action: 'retain', cutoff, devices }
  if (given.dryRun) return { ...answer, done: false }
  const sessions = devices.reduce((sum, each) => sum + each.sessions, 0)
  if (sessions > 0) await confirm(`Remove ${counted(sessions, 'session')}?`, given, context)
  // First the rule, so that no machine brings back what follows.
  space.retain(cutoffMs)
  space.eraseRemoved()
  return { ...answer, done: true, left: eraseAll(space, ids, [], context) }
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

/** The files of the sessions that ended earlier. */
function endedBefore(cutoffMs: number, store: Store): Ended[] {
  const files = endedFilesOf(store)
  const isOver = endedTest(
    files.map(({ file }) => file),
    cutoffMs,
  )
  return files.flatMap(({ file, known: { id, device = '', checkpoint } }) =>
    isOver(file)
      ? [
          {
            id,
            device,
            bytes: checkpoint.size,
            // As the machine says, which may be no time at all.
            endedMs: Math.max(-LAST_MS, Math.min(LAST_MS, file.endedMs)),
            isSubagent: file.parentSessionId !== undefined,
          },
        ]
      : [],
  )
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
