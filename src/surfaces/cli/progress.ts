import type { Context } from '../../commands/kit/context.ts'
import { readableBytes } from '../../render/table.ts'
import type { Output } from './output.ts'

/** Short work needs no bar, so nothing is drawn before this time. */
const QUIET_MS = 400
const REDRAW_MS = 100
const WIDTH = 24

/**
 * A progress bar on stderr with the rate and remaining time. It is drawn as the work advances, because the
 * work blocks timers.
 */
export function createProgress(columns: number, output: Output): NonNullable<Context['progress']> {
  let label = ''
  let unit: 'messages' | undefined
  let total = 0
  let done = 0
  let started = 0
  let drawn = 0
  return {
    start(text, count, counted) {
      label = text
      total = count
      unit = counted
      done = 0
      started = performance.now()
      drawn = 0
    },
    advance(count) {
      done += count
      const now = performance.now()
      if (total === 0 || now - started < QUIET_MS || now - drawn < REDRAW_MS) return
      drawn = now
      const part = Math.min(1, done / total)
      const rate = (done / (now - started)) * 1000
      const left = Math.ceil((total - done) / rate)
      const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')
      const text = `${label} ${bar} ${Math.round(part * 100)}%  ${unit ? `${Math.round(rate).toLocaleString('en')} ${unit}` : readableBytes(rate)}/s  ${left} s left`
      output.draw(text.slice(0, Math.max(0, columns - 1)))
    },
    stop() {
      if (drawn > 0) output.draw('')
    },
  }
}
