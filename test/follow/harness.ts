import { createRandom } from '../random.ts'
import { createBusySessions, wordsOf } from './busy-sessions.ts'
import { startFollowing } from './following.ts'

export interface FollowReport {
  /** What was done to transcripts, by how often. */
  done: Record<string, number>
  /** Lines that were written, and those that stood long enough to be seen. */
  lines: number
  seen: number
  /** Those that were not told although they stood so long; told more than once; told behind a later one of their session. */
  lost: number
  doubled: number
  disordered: number
  /** The first of them, for whoever looks into it. */
  examples: string[]
  /** From a write to its words, in ms: half are quicker than the first, 95 of 100 than the second. */
  median: number
  p95: number
}

/** A line that stands so long has to be told, in ms, however busy the machine is. */
const SEEN_MS = 2000
const PATIENCE_MS = 20_000
const MOST_EXAMPLES = 5

/** Follows transcripts in an empty folder for so many seconds, while anything happens to them. */
export async function followBusySessions(wanted: {
  seconds: number
  seed: number
  folder: string
}): Promise<FollowReport> {
  const sessions = createBusySessions(wanted.folder, createRandom(wanted.seed))
  const told: { number: number; at: number }[] = []
  let rest = ''
  const screen = await startFollowing(wanted.folder, ['--jsonl'], (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    const at = performance.now()
    for (const line of lines) {
      const number = /^words-(\d+)\.$/.exec((JSON.parse(line) as { text: string }).text)?.[1]
      told.push({ number: Number(number), at })
    }
  })
  try {
    for (const began = performance.now(); performance.now() - began < wanted.seconds * 1000; )
      await sessions.act()
    const standing = [...sessions.stood].filter(([, { until }]) => until === Number.POSITIVE_INFINITY)
    await screen.until(() => {
      const numbers = new Set(told.map(({ number }) => number))
      return standing.every(([number]) => numbers.has(number))
    }, PATIENCE_MS)
    await screen.stop()
  } finally {
    screen.kill()
  }
  return judge(sessions, told)
}

function judge(
  { stood, done }: Pick<ReturnType<typeof createBusySessions>, 'stood' | 'done'>,
  told: readonly { number: number; at: number }[],
): FollowReport {
  const report: FollowReport = {
    ...{ done, lines: stood.size, seen: 0, lost: 0, doubled: 0, disordered: 0 },
    ...{ examples: [], median: 0, p95: 0 },
  }
  const note = (what: 'lost' | 'doubled' | 'disordered', number: number): void => {
    report[what]++
    if (report.examples.length < MOST_EXAMPLES) report.examples.push(`${what}: ${wordsOf(number)}`)
  }
  const times = new Map<number, number>()
  const latest = new Map<string, number>()
  for (const { number, at } of told) {
    if (times.has(number)) note('doubled', number)
    times.set(number, at)
    const { session } = stood.get(number)!
    if ((latest.get(session) ?? 0) > number) note('disordered', number)
    latest.set(session, number)
  }
  const delays: number[] = []
  for (const [number, { since, until }] of stood) {
    const at = times.get(number)
    if (at !== undefined) delays.push(at - since)
    if (until - since < SEEN_MS) continue
    report.seen++
    if (at === undefined) note('lost', number)
  }
  delays.sort((a, b) => a - b)
  const part = (share: number): number => Math.round(delays[Math.floor(delays.length * share)] ?? 0)
  return { ...report, median: part(0.5), p95: part(0.95) }
}
