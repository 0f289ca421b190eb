/** How the cost of one more line depends on the length of its session. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runsOf } from './measure.ts'
import type { Report } from './report.ts'
import { homeOf, reusedFolder, type Setup } from './setup.ts'
import { indexAnswerOf } from './store.ts'

const LINES = [10_000, 50_000, 200_000]
const SESSION = '00000000-0000-4000-8000-000000000001'
const RUNS = 7
/** The most that a line more may cost, against the same in the shortest session. */
const MOST = 1.5

/** Adds the processor time of `index` after one more line, in sessions of different lengths. */
export function measureLongSession(setup: Setup, report: Report): void {
  const sizes = new Set(LINES.map((whole) => Math.max(100, setup.scaled(whole))))
  let shortest: { lines: number; seconds: number } | undefined
  for (const lines of sizes) {
    const seconds = ofLines(setup, lines)
    const name = `one line more in a session of ${lines.toLocaleString('en')} lines`
    if (!shortest) {
      shortest = { lines, seconds }
      report.add(name, seconds, { unit: 's' }, 'processor time of `index`')
    } else {
      const other = `${shortest.lines.toLocaleString('en')}`
      const detail = `${seconds.toFixed(3)} s of processor time`
      report.add(`${name} against ${other}`, seconds / shortest.seconds, { most: MOST }, detail)
    }
  }
}

/** The shortest of several runs, in seconds. */
function ofLines(setup: Setup, lines: number): number {
  const tree = reusedFolder(`growth-${lines}-lines`)
  const path = join(tree, 'projects/-home-dev-code-project-00', `${SESSION}.jsonl`)
  rmSync(homeOf(tree), { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  for (let from = 0; from < lines; from += 10_000)
    appendFileSync(path, linesOf(from, Math.min(10_000, lines - from)))
  const index = () => setup.scrollback(tree, ['index', '--json'], { keep: true, processor: true })
  index()
  const times = Array.from({ length: runsOf(RUNS) }, (_, run) => {
    appendFileSync(path, linesOf(lines + run, 1))
    const measured = index()
    if (indexAnswerOf(measured).read !== 1) throw new Error('The session was not read')
    return measured.processor!
  })
  return Math.min(...times)
}

/** Lines that follow each other, every other one a prompt. */
const linesOf = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify(lineOf(from + index))}\n`).join('')

function lineOf(number: number): object {
  const common = {
    uuid: idOf(number),
    parentUuid: number === 0 ? null : idOf(number - 1),
    sessionId: SESSION,
    cwd: '/home/dev/code/project-00',
    timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  }
  if (number % 2 === 0)
    return { ...common, type: 'user', message: { role: 'user', content: `Question ${number}` } }
  const usage = { input_tokens: number % 100, output_tokens: 20 }
  const content = [{ type: 'text', text: `Answer ${number}` }]
  return {
    ...common,
    type: 'assistant',
    message: { id: `msg_${number}`, role: 'assistant', model: 'claude-sonnet-4-6', content, usage },
  }
}

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
