/**
 * Writes transcripts as agents do, until it is stopped: `node writer.ts <home> <journal> <seed>`. Every line
 * is in the journal before it is in a file. No two lines are the same, except for those that are rewritten
 * under their own id.
 */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { createRandom } from '../random.ts'
import { claude, openclaw, uuid } from '../records.ts'

const [home = '', journal = '', seed = '1'] = process.argv.slice(2)
const random = createRandom(Number(seed))
/** Files that are written to; older ones remain unchanged. */
const LIVE = 8
/** The maximum length of a session, after which another one starts. */
const MOST_LINES = 250
const LONGEST_PAUSE = 25
const WORDS = 'fern moss pump leaf stone river Wörter 木々 '

interface File {
  path: string
  /** Its lines, each with its newline. */
  lines: string[]
}

let numbers = 0
let files: File[] = []
const claudes = join(home, '.claude/projects/-home-ann-garden')
const sessions = join(home, '.openclaw/agents/main/sessions')
const runs = join(home, '.openclaw/cron/runs')
for (const folder of [claudes, sessions, runs, dirname(journal)]) mkdirSync(folder, { recursive: true })

const words = (): string => `w${++numbers}x ${WORDS.repeat(1 + random(random(30) === 0 ? 400 : 12))}`

function record(path: string): object {
  if (path.startsWith(runs)) return { ts: 1793527260000 + ++numbers, jobId: 'j1', status: words() }
  if (random(12) === 0) return { type: 'summary', summary: words() }
  return path.startsWith(claudes) ? claude.user(++numbers, words()) : openclaw.user(++numbers, words())
}

/** Before the lines are in a file. */
function writeJournal(path: string, lines: readonly string[]): void {
  const scope = path.startsWith(runs) ? 'cron-runs' : basename(path).split('.jsonl')[0]!
  appendFileSync(journal, lines.map((line) => `${scope} ${line}`).join(''))
}

const newLines = (path: string): string[] =>
  Array.from({ length: 1 + random(5) }, () => `${JSON.stringify(record(path))}\n`)

function add(file: File, lines: string[]): void {
  writeJournal(file.path, lines)
  file.lines.push(...lines)
}

function begin(): File {
  const folder = [claudes, claudes, sessions, sessions, runs][random(5)]!
  const name = folder === claudes ? uuid(++numbers) : `s${++numbers}`
  const file: File = { path: join(folder, `${name}.jsonl`), lines: [] }
  const lines = newLines(file.path)
  add(file, lines)
  appendFileSync(file.path, lines.join(''))
  return file
}

/** The same records with other text. */
const reworded = (line: string): string => line.replace(/w\d+x /, () => `w${++numbers}x `)
const hasId = (line: string): boolean => /"uuid"|"type":"message"/.test(line)

const happenings: ((file: File) => void | Promise<void>)[] = [
  function appends(file) {
    const lines = newLines(file.path)
    add(file, lines)
    appendFileSync(file.path, lines.join(''))
  },
  async function appendsInHalves(file) {
    const lines = newLines(file.path)
    add(file, lines)
    const bytes = Buffer.from(lines.join(''))
    const cut = 1 + random(bytes.length - 1)
    appendFileSync(file.path, bytes.subarray(0, cut))
    await pass(random(40))
    appendFileSync(file.path, bytes.subarray(cut))
  },
  function rewritesItsEnd(file) {
    const from = Math.max(0, file.lines.length - 1 - random(6))
    const lines = file.lines.slice(from).map((line) => (hasId(line) ? reworded(line) : line))
    writeJournal(file.path, lines)
    const before = Buffer.byteLength(file.lines.slice(0, from).join(''))
    file.lines.splice(from, lines.length, ...lines)
    truncateSync(file.path, before)
    appendFileSync(file.path, lines.join(''))
  },
  function takesItsEndBack(file) {
    file.lines = file.lines.slice(0, Math.max(1, file.lines.length - 1 - random(3)))
    truncateSync(file.path, Buffer.byteLength(file.lines.join('')))
  },
  async function isTruncatedAndWrittenAgain(file) {
    const bytes = Buffer.from(file.lines.join(''))
    const cut = random(bytes.length)
    truncateSync(file.path, cut)
    await pass(random(30))
    appendFileSync(file.path, bytes.subarray(cut))
  },
  function isReplaced(file) {
    const lines = newLines(file.path)
    add(file, lines)
    writeFileSync(join(home, 'other'), file.lines.join(''))
    renameSync(join(home, 'other'), file.path)
  },
  function isReset(file) {
    if (!file.path.startsWith(sessions)) return
    renameSync(file.path, `${file.path}.reset.2026-11-01T00-00-00.${String(++numbers).padStart(3, '0')}Z`)
    const lines = newLines(file.path)
    file.lines = []
    add(file, lines)
    appendFileSync(file.path, lines.join(''))
  },
  function isForked(file) {
    if (file.path.startsWith(runs)) return
    const fork = { path: join(dirname(file.path), `${uuid(++numbers)}.jsonl`), lines: [...file.lines] }
    writeJournal(fork.path, fork.lines)
    copyFileSync(file.path, fork.path)
    files.push(fork)
  },
]
/** How often each of them happens. */
const WEIGHTS = [60, 20, 6, 3, 4, 3, 2, 1]
const drawn = WEIGHTS.flatMap((weight, index) => Array.from({ length: weight }, () => happenings[index]!))

process.send?.('begun')
let stopped = false
process.on('disconnect', () => process.exit())
process.on('message', () => {
  stopped = true
})
while (!stopped) {
  files = files.filter(({ lines }) => lines.length < MOST_LINES).slice(-LIVE)
  while (files.length < LIVE) files.push(begin())
  await drawn[random(drawn.length)]!(files[random(files.length)]!)
  await pass(random(LONGEST_PAUSE))
}
process.send?.({ lines: readFileSync(journal).reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0) })
process.disconnect?.()
