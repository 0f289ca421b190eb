import { createRandom } from '../random.ts'
import { createBusySessions, wordsOf } from './busy-sessions.ts'
import { startFollowing } from './following.ts'

export interface FollowReport {
  /** The changes of transcripts, with counts. */
  done: Record<string, number>
  /** Lines that were written, and those that had to be shown: they are still there, or were for long enough. */
  lines: number
  seen: number
  /**
   * Lines that were not shown although they existed long enough, that were shown more than once, or that were
   * shown after a later one of their session.
   */
  lost: number
  doubled: number
  disordered: number
  /** The first of them, for debugging. */
  examples: string[]
  /** The time from a write to its output, in ms: the median and the 95th percentile. */
  median: number
  p95: number
}

/**
 * A line that is withdrawn has to be shown if a line that was written this much later was shown this long before.
 * A busy machine makes both late, in ms.
 */
const SEEN_MS = 1000
const PATIENCE_MS = 120_000
const MOST_EXAMPLES = 5

/** Follows transcripts in an empty folder for some seconds, while they change. */
export async function followBusySessions(wanted: {
  seconds: number
  seed: number
  folder: string
}): Promise<FollowReport> {
  const sessions = createBusySessions(wanted.folder, createRandom(wanted.seed))
  const shown: { number: number; at: number }[] = []
  let rest = ''
  const screen = await startFollowing(wanted.folder, ['--jsonl'], (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    const at = performance.now()
    for (const line of lines) {
      const number = /^words-(\d+)\.$/.exec((JSON.parse(line) as { text: string }).text)?.[1]
      shown.push({ number: Number(number), at })
    }
  })
  try {
    for (const began = performance.now(); performance.now() - began < wanted.seconds * 1000; )
      await sessions.act()
    const present = [...sessions.lifetimes].filter(([, { until }]) => until === Number.POSITIVE_INFINITY)
    await screen.until(() => {
      const numbers = new Set(shown.map(({ number }) => number))
      return present.every(([number]) => numbers.has(number))
    }, PATIENCE_MS)
    await screen.stop()
  } finally {
    screen.kill()
  }
  return judge(sessions, shown)
}

function judge(
  { lifetimes, done }: Pick<ReturnType<typeof createBusySessions>, 'lifetimes' | 'done'>,
  shown: readonly { number: number; at: number }[],
): FollowReport {
  const report: FollowReport = {
    done,
    lines: lifetimes.size,
    seen: 0,
    lost: 0,
    doubled: 0,
    disordered: 0,
    examples: [],
    median: 0,
    p95: 0,
  }
  const note = (what: 'lost' | 'doubled' | 'disordered', number: number): void => {
    report[what]++
    if (report.examples.length < MOST_EXAMPLES) report.examples.push(`${what}: ${wordsOf(number)}`)
  }
  const times = new Map<number, number>()
  const latest = new Map<string, number>()
  for (const { number, at } of shown) {
    if (times.has(number)) note('doubled', number)
    times.set(number, at)
    const { session } = lifetimes.get(number)!
    if ((latest.get(session) ?? 0) > number) note('disordered', number)
    latest.set(session, number)
  }
  const delays: number[] = []
  const reachedBy = (moment: number): number =>
    shown.reduce((latest, { number, at }) => {
      const { since } = lifetimes.get(number)!
      return at <= moment && since > latest ? since : latest
    }, Number.NEGATIVE_INFINITY)
  for (const [number, { since, until }] of lifetimes) {
    const at = times.get(number)
    if (at !== undefined) delays.push(at - since)
    if (until !== Number.POSITIVE_INFINITY && reachedBy(until - SEEN_MS) < since + SEEN_MS) continue
    report.seen++
    if (at === undefined) note('lost', number)
  }
  delays.sort((a, b) => a - b)
  const part = (share: number): number => Math.round(delays[Math.floor(delays.length * share)] ?? 0)
  return { ...report, median: part(0.5), p95: part(0.95) }
}
