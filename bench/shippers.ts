/**
 * `node bench/shippers.ts [program]`: which lines are delivered, by scrollback and, if installed, by rsyslog,
 * and how long a tree of 100 MB takes. The default program is `bin/scrollback.js`.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { generateTree } from './generate.ts'
import { processOf } from './process.ts'
import { end, nameOf, type Shipper, shippers } from './shipper-programs.ts'
import { createLines, situations, transcriptIn } from './shipper-situations.ts'

const STEP_MS = 250
/** The delivery is complete after this many steps without new lines. */
const SILENCE_STEPS = 16
const MEGABYTES = 100

/** Waits until nothing more arrives. Returns the number of lines. */
async function settled(shipper: Shipper, folder: string): Promise<number> {
  let last = -1
  for (let silent = 0; silent < SILENCE_STEPS; silent++) {
    await pass(STEP_MS)
    const { length } = shipper.arrived(folder)
    if (length !== last) silent = 0
    last = length
  }
  return last
}

const standingIn = (folder: string): string[] =>
  readdirSync(join(folder, '.claude'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.jsonl'))
    .flatMap((name) =>
      readFileSync(join(folder, '.claude', name), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => nameOf(name, line)),
    )

/** For one situation: lines that did not arrive, and lines that arrived but were never written. */
async function judge(shipper: Shipper, situation: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shippers-'))
  const ever = new Set<string>()
  const remember = (): void => {
    for (const name of standingIn(folder)) ever.add(name)
  }
  transcriptIn(folder, 'first')
  let child = shipper.start(folder)
  await pass(2000)
  await situations[situation]!({
    path: (name) => transcriptIn(folder, name),
    lines: createLines(),
    async settle() {
      remember()
      await settled(shipper, folder)
    },
    stop: () => end(child),
    start() {
      child = shipper.start(folder)
    },
  })
  await end(child)
  const arrived = new Set(shipper.arrived(folder))
  const standing = standingIn(folder)
  const lost = standing.filter((name) => !arrived.has(name)).length
  const altered = [...arrived].filter((name) => !ever.has(name)).length
  rmSync(folder, { recursive: true })
  return `${lost} of ${standing.length} lost, ${altered} altered`
}

/** The time until the last line of a tree has arrived, in seconds, and the peak memory. */
async function speed(shipper: Shipper, tree: string, lines: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shippers-'))
  cpSync(tree, join(folder, '.claude'), { recursive: true })
  const began = performance.now()
  const child = shipper.start(folder)
  let seconds = 0
  for (let last = 0, silent = 0; last < lines && silent < 3 * SILENCE_STEPS; silent++) {
    await pass(STEP_MS)
    const before = performance.now()
    const now = shipper.arrived(folder).length
    if (now !== last) [last, silent, seconds] = [now, 0, (before - began) / 1000]
  }
  const peak = processOf(child).peak()
  await end(child)
  rmSync(folder, { recursive: true })
  return `${seconds.toFixed(1)} s, ${Math.round(peak)} MB`
}

const program = resolve(process.argv[2] ?? 'bin/scrollback.js')
const all = shippers(program)
const rows: string[] = []
const row = (cells: string[]): void => {
  rows.push(`| ${cells.join(' | ')} |`)
  process.stderr.write(`${rows.at(-1)}\n`)
}
row(['', ...all.map(({ name }) => name)])
row(['---', ...all.map(() => '---')])
for (const situation of Object.keys(situations)) {
  const cells: string[] = []
  for (const shipper of all) cells.push(await judge(shipper, situation))
  row([situation, ...cells])
}
const home = mkdtempSync(join(tmpdir(), 'shippers-tree-'))
const tree = join(home, '.claude')
generateTree(tree, MEGABYTES, MEGABYTES)
const lines = standingIn(home).length
const cells: string[] = []
for (const shipper of all) cells.push(await speed(shipper, tree, lines))
row([`${MEGABYTES} MB of transcripts: until the last line, peak memory`, ...cells])
rmSync(home, { recursive: true })
process.stdout.write(`${rows.join('\n')}\n`)
