import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { generateTree } from '../../bench/generate.ts'
import { program, variablesOf } from '../program.ts'
import { claude, temporaryHome, uuid } from '../records.ts'
import type { WorkCounts } from './work-counter.ts'

const MEGABYTES = 2
const FILES = 30
const COUNTER = resolve(import.meta.dirname, 'work-counter.ts')
const SLUG = '-home-dev-code-project-05'

/** What may be allocated beyond the same command over an empty folder, in MB: less than twice what it is. */
const ALLOCATED: Readonly<Record<string, number>> = {
  'first index': 26,
  'index, nothing new': 1,
  'index, one line more': 4,
  'index, one new file': 4,
  search: 1.5,
  'stats, first': 11,
  'stats, again': 11,
  sessions: 4.5,
  read: 5,
}

interface Counted {
  counts: WorkCounts
  megabytes: number
}

async function counted(home: string, folder: string, args: readonly string[]): Promise<Counted> {
  const result = join(home, 'counts.json')
  const { status, stdout, stderr } = await start(
    // On one thread, so that the same work allocates the same on a busy machine.
    [
      '--single-threaded',
      '--expose-gc',
      '--trace-gc-nvp',
      '--import',
      COUNTER,
      program,
      ...args,
      '--claude-dir',
      folder,
    ],
    {
      ...{ cwd: home, encoding: 'utf8', maxBuffer: 1 << 28 },
      env: variablesOf(home, { COUNTED_FOLDER: folder, COUNTED_RESULT: result }),
    },
  )
  // The empty tree has nothing to find.
  expect([status, stderr]).toEqual([
    folder.endsWith('empty') && args[0] !== 'index' ? 1 : 0,
    expect.any(String),
  ])
  // Memory that was freed in between is a negative number there, printed without its sign.
  const bytes = [...stdout.matchAll(/\ballocated=(\d+)/g)].reduce(
    (sum, [, bytes]) => sum + Number(BigInt.asIntN(64, BigInt(bytes!))),
    0,
  )
  return { counts: JSON.parse(readFileSync(result, 'utf8')) as WorkCounts, megabytes: bytes / 1e6 }
}

/** The same as `spawnSync`, while this process goes on. */
const start = (args: readonly string[], options: object) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout: String(stdout), stderr: String(stderr) }),
    )
  })

/** Files change long before they are read, so that none is checked again. */
function date(path: string, day: string): void {
  const at = Date.parse(`${day}T10:00:00Z`) / 1000
  utimesSync(path, at, at)
}

// The numbers of calls differ between systems.
it.skipIf(process.platform !== 'linux')('every command does the recorded amount of work', async () => {
  const home = temporaryHome()
  let homes = 0
  const nothing = (): string => {
    const other = join(home, `home-${homes++}`)
    mkdirSync(other)
    return other
  }
  const [tree, empty] = [join(home, 'tree'), join(home, 'empty')]
  generateTree(tree, MEGABYTES, FILES)
  mkdirSync(join(empty, 'projects'), { recursive: true })
  for (const name of readdirSync(tree, { recursive: true, encoding: 'utf8' }))
    date(join(tree, name), '2026-10-01')
  const folder = join(tree, 'projects', SLUG)
  const [first] = readdirSync(folder).sort()
  const line = (number: number): string => `${JSON.stringify(claude.user(number, `one more ${number}`))}\n`

  const runs: [name: string, args: string[], change?: () => void][] = [
    ['first index', ['index']],
    ['index, nothing new', ['index']],
    [
      'index, one line more',
      ['index'],
      () => {
        appendFileSync(join(folder, first!), line(1))
        date(join(folder, first!), '2026-10-02')
      },
    ],
    [
      'index, one new file',
      ['index'],
      () => {
        const path = join(folder, `${uuid(7)}.jsonl`)
        writeFileSync(path, line(2))
        date(path, '2026-10-03')
      },
    ],
    ['search', ['search', 'more']],
    ['stats, first', ['stats']],
    ['stats, again', ['stats']],
    ['sessions', ['sessions', '--all']],
    ['read', ['read', '--all']],
  ]
  // The first process may have to compile what the others find compiled.
  await counted(nothing(), empty, ['index'])
  const found: Counted[] = []
  /** What each command allocates over the empty folder. Counted while the command itself is. */
  const least = new Map<string, Promise<Counted>>()
  for (const [, args, change] of runs) {
    change?.()
    const command = args.join(' ')
    if (!least.has(command)) least.set(command, counted(nothing(), empty, args))
    found.push(await counted(home, tree, args))
  }
  const rows = found.map(({ counts }) => counts)
  const allocated: Record<string, number> = {}
  for (const [index, [name, args]] of runs.entries())
    allocated[name] = found[index]!.megabytes - (await least.get(args.join(' '))!).megabytes
  await expect(
    tableOf(
      runs.map(([name]) => name),
      rows,
    ),
  ).toMatchFileSnapshot('output/work.txt')
  for (const [name, megabytes] of Object.entries(allocated))
    expect(megabytes, `MB that \`${name}\` allocates`).toBeLessThan(ALLOCATED[name]!)
})

function tableOf(names: readonly string[], rows: readonly WorkCounts[]): string {
  const columns = Object.keys(rows[0]!) as (keyof WorkCounts)[]
  const text = [
    ['', ...columns],
    ...rows.map((row, index) => [names[index]!, ...columns.map((each) => String(row[each]))]),
  ]
  const widths = text[0]!.map((_, column) => Math.max(...text.map((row) => row[column]!.length)))
  return text
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .concat('')
    .join('\n')
}
