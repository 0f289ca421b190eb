import { ScrollbackError } from '../errors.ts'

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/**
 * A moment as people write it: `7d`, `12h`, `30m`, `2w` ago, `today`, `yesterday`, a date, or a date with a time. A
 * whole day means its first moment for `since` and its last for `until`, in local time.
 */
export function parseTime(text: string, edge: 'since' | 'until', now: number): number {
  const wanted = text.trim().toLowerCase()
  const ago = /^(\d+(?:\.\d+)?)\s*([mhdw])$/.exec(wanted)
  if (ago) return now - Number(ago[1]) * UNITS[ago[2]!]!
  if (wanted === 'now') return now
  if (wanted === 'today' || wanted === 'yesterday')
    return dayEdge(new Date(now), wanted === 'today' ? 0 : -1, edge)
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(wanted)
  if (date) {
    const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3] ?? '1')]
    const start = new Date(year, month - 1, day)
    if (start.getMonth() === month - 1 && start.getDate() === day) {
      if (edge === 'since') return start.getTime()
      return (date[3] ? new Date(year, month - 1, day + 1) : new Date(year, month, 1)).getTime() - 1
    }
  } else if (/^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}/.test(wanted)) {
    const time = Date.parse(text.trim().replace(' ', 'T'))
    if (!Number.isNaN(time)) return time
  }
  throw new ScrollbackError(
    'bad-time',
    `--${edge} ${text}: this is no time that I understand`,
    'Write 7d, 12h, 2w, today, yesterday, 2026-01-31, 2026-01 or 2026-01-31T14:00.',
  )
}

function dayEdge(now: Date, days: number, edge: 'since' | 'until'): number {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  if (edge === 'since') return start.getTime()
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime() - 1
}

/** `0.4s`, `14s`, `1m 29s`, `2h 5m`. */
export function duration(ms: number | null): string {
  if (ms === null) return '-'
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  return seconds < 3600
    ? `${Math.floor(seconds / 60)}m ${seconds % 60}s`
    : `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}
