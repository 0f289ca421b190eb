import { parseLocal } from './clock.ts'
import { telegramId, type WrittenSession } from './openclaw-transcript.ts'
import { createSeeded } from './seeded.ts'
import { stockJobId } from './shop-assistant.ts'

const day = 86_400_000
const berlin = 'Europe/Berlin'
const toTelegram = { mode: 'announce', channel: 'telegram', to: telegramId }

/** A scheduled job of the story, and how it went. */
export interface Job {
  id: string
  agent: 'main' | 'ops'
  name: string
  made: string
  enabled?: boolean
  schedule: Record<string, unknown>
  payload: Record<string, unknown>
  delivery?: Record<string, unknown>
  /** How long after a run the next one is due. */
  every?: number
  nextRunAtMs?: number
  runs: Run[]
}

export interface Run {
  at: number
  /** What was said in it, or what went wrong. */
  summary?: string
  error?: string
  skipped?: boolean
  durationMs: number
}

/** What both agents do by themselves. */
export const jobsOf = (kept: readonly WrittenSession[]): Job[] => [
  stockCheck(kept),
  weeklyNumbers,
  christmas,
  coldCopy,
  healthCheck,
]

function stockCheck(kept: readonly WrittenSession[]): Job {
  const days = [10, 11, 12, 13, 14, 15].map((date) => `2026-11-${date}`)
  return {
    id: stockJobId,
    agent: 'main',
    name: 'Stock check',
    made: '2026-10-05 07:51',
    schedule: { kind: 'cron', expr: '30 7 * * *', tz: berlin },
    payload: {
      kind: 'agentTurn',
      message:
        'Look at the stock of eastore and report every product below three. If there is none, answer NO_REPLY.',
    },
    delivery: toTelegram,
    every: day,
    runs: days.map((date) => {
      const at = parseLocal(`${date} 07:30`)
      const session = kept.find(({ startedAt }) => startedAt === at)
      if (session) return { at, durationMs: session.endedAt - at, summary: session.lastWords }
      if (date !== '2026-11-12') return { at, durationMs: 14_000, summary: 'NO_REPLY' }
      return {
        at,
        durationMs: 30_012,
        error: 'connection to server on socket failed: the database system is starting up',
      }
    }),
  }
}

const weeklyNumbers: Job = {
  id: createSeeded('weekly numbers').uuid(),
  agent: 'main',
  name: 'Weekly numbers',
  made: '2026-10-16 17:20',
  enabled: false,
  schedule: { kind: 'cron', expr: '0 18 * * 5', tz: berlin },
  payload: {
    kind: 'agentTurn',
    message: 'Count the orders of this week, by day, and compare with the target.',
  },
  delivery: toTelegram,
  runs: [
    { at: parseLocal('2026-10-23 18:00'), durationMs: 41_310, summary: 'Week 43: 61 orders in five days.' },
    { at: parseLocal('2026-10-30 18:00'), durationMs: 38_904, summary: 'Week 44: 66 orders in five days.' },
    { at: parseLocal('2026-11-06 18:00'), durationMs: 44_127, summary: 'Week 45: 70 orders in five days.' },
  ],
}

const christmas: Job = {
  id: createSeeded('christmas').uuid(),
  agent: 'main',
  name: 'Christmas boxes',
  made: '2026-11-06 18:12',
  schedule: { kind: 'at', at: '2026-12-01T07:00:00.000Z' },
  payload: {
    kind: 'systemEvent',
    text: 'Remind: gift boxes must be ordered today to be here for Christmas.',
  },
  nextRunAtMs: parseLocal('2026-12-01 08:00'),
  runs: [],
}

/** The disk filled up with what was moved there in October and never deleted. */
const full = "cp: error writing '/mnt/cold/2026-11.tgz': No space left on device"

const coldCopy: Job = {
  id: createSeeded('cold copy').uuid(),
  agent: 'ops',
  name: 'Copy to the cold disk',
  made: '2026-10-15 09:00',
  schedule: { kind: 'cron', expr: '0 4 * * 0', tz: berlin },
  payload: { kind: 'agentTurn', message: 'Copy the newest backup to /mnt/cold and compare the checksums.' },
  delivery: toTelegram,
  every: 7 * day,
  runs: [
    {
      at: parseLocal('2026-10-25 04:00'),
      durationMs: 131_207,
      summary: 'Copied 1.3 GB, checksums are the same.',
    },
    {
      at: parseLocal('2026-11-01 04:00'),
      durationMs: 135_660,
      summary: 'Copied 1.3 GB, checksums are the same.',
    },
    { at: parseLocal('2026-11-08 04:00'), durationMs: 96_018, error: full },
    { at: parseLocal('2026-11-15 04:00'), durationMs: 95_774, error: full },
  ],
}

const healthCheck: Job = {
  id: createSeeded('health check').uuid(),
  agent: 'ops',
  name: 'Health of the API',
  made: '2026-11-06 10:45',
  schedule: { kind: 'every', everyMs: day / 48, anchorMs: parseLocal('2026-11-06 10:45') },
  payload: { kind: 'agentTurn', message: 'Ask /health and count the errors since the last time.' },
  delivery: { mode: 'none' },
  every: day / 48,
  runs: ['05:45', '06:15', '06:45', '07:15'].map((time) => ({
    at: parseLocal(`2026-11-15 ${time}`),
    durationMs: 8200,
    ...(time === '06:45' ? { skipped: true } : { summary: 'Healthy: 0 errors, memory 141 MB.' }),
  })),
}
