/**
 * `npm run bench`: every goal against its baseline, in one run on one machine. `--size 100` measures a tree of 100 MB
 * instead of a gigabyte, `--without jq` leaves a baseline out that takes minutes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generateTree } from './generate.ts'
import { best, type Measured, median, run } from './measure.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1000' },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const megabytes = Number(values.size)
const place = resolve('.bench')
const tree = join(place, `tree-${megabytes}`)
const many = join(place, 'tree-10000-files')
const long = join(place, 'tree-long-line')
const node = process.execPath

mkdirSync(place, { recursive: true })
if (!existsSync(tree)) generateTree(tree, megabytes, Math.max(8, Math.round(megabytes * 0.9)))
if (!existsSync(many)) generateTree(many, 100, 10_000)
if (!existsSync(long)) longLine(long)
const scrollback = packaged()

/** What a user installs, unpacked: the tarball, not the checkout. */
function packaged(): string {
  const folder = join(place, 'package')
  rmSync(folder, { recursive: true, force: true })
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
    stdio: 'ignore',
  })
  const tarball = readdirSync(place).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['-xzf', join(place, tarball), '-C', place])
  rmSync(join(place, tarball))
  return join(folder, 'bin', 'scrollback.js')
}

/** One line of nearly 64 MB that holds an image, between ordinary ones. */
function longLine(folder: string): void {
  const directory = join(folder, 'projects', '-home-dev-long')
  mkdirSync(directory, { recursive: true })
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(63_000_000) },
  }
  const line = (uuid: string, content: unknown) =>
    JSON.stringify({
      type: 'user',
      uuid,
      cwd: '/home/dev/long',
      timestamp: '2026-10-01T08:00:00.000Z',
      message: { role: 'user', content },
    })
  const lines = [
    line('a', 'before the picture'),
    line('b', [image, { type: 'text', text: 'what is this?' }]),
    line('c', 'after it'),
  ]
  writeFileSync(join(directory, 'long.jsonl'), `${lines.join('\n')}\n`)
}

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))

const ours = (folder: string, ...args: string[]): Measured =>
  run(node, [scrollback, ...args, '--claude-dir', folder], true)
const wc = (folder: string): Measured =>
  run('sh', ['-c', `find "${folder}" -name '*.jsonl' -print0 | xargs -0 wc -l`])

const rows: string[] = []
const report = (what: string, mine: Measured, theirs: Measured, goal: string, inverse = false): void => {
  const ratio = inverse ? mine.seconds / theirs.seconds : theirs.seconds / mine.seconds
  rows.push(
    `| ${what} | ${ratio.toFixed(2)} × | ${goal} | ${mine.seconds.toFixed(2)} s against ${theirs.seconds.toFixed(2)} s |`,
  )
  process.stderr.write(`${rows.at(-1)}\n`)
}

// Everything into the page cache, and the compile cache filled, before anything counts.
wc(tree)
ours(tree, 'sessions', '--all', '--json')

const size = megabytes >= 1000 ? `${megabytes / 1000} GB` : `${megabytes} MB`
const reading = best(4, () => ours(tree, 'read', '--all'))
if (!values.without.includes('jq')) {
  const theirs = run('jq', ['-r', '-f', 'bench/condense.jq', ...files(tree)])
  report(`condensed reading of ${size}, against \`jq\``, reading, theirs, '≥ 12 × faster')
}
report(
  `condensed reading of ${size}, against a \`JSON.parse\` loop`,
  reading,
  best(3, () => run(node, ['bench/loop.js', tree])),
  '≥ 3 × faster',
)
const index = best(5, () => ours(tree, 'sessions', '--all', '--limit', '0', '--json'))
report(
  `\`sessions\` over ${size}, time against \`wc -l\``,
  index,
  best(5, () => wc(tree)),
  '≤ 2 ×',
  true,
)
const indexMany = best(5, () => ours(many, 'sessions', '--all', '--limit', '0', '--json'))
report(
  '`sessions` over 10,000 files, time against `wc -l`',
  indexMany,
  best(5, () => wc(many)),
  '(no goal)',
  true,
)
report(
  '`scrollback --version`, time against `node -e 0`',
  median(31, () => run(node, [scrollback, '--version'])),
  median(31, () => run(node, ['-e', '0'])),
  '≤ 1.3 ×',
  true,
)

const memory = [
  [`\`read --all\` over ${size}`, reading, 200],
  [`\`sessions --all\` over ${size}`, index, 200],
  ['`sessions --all` over 10,000 files', indexMany, 200],
  ['`sessions --all` with a line of 63 MB', ours(long, 'sessions', '--all', '--json'), 400],
  ['`read --all` with a line of 63 MB', ours(long, 'read', '--all'), 400],
] as const

process.stdout.write(
  `| measure | ratio | goal | best times in this run |\n|---|---|---|---|\n${rows.join('\n')}\n\n`,
)
process.stdout.write('| peak memory | measured | goal |\n|---|---|---|\n')
for (const [what, { megabytes: peak }, goal] of memory)
  process.stdout.write(`| ${what} | ${peak} MB | ≤ ${goal} MB |\n`)
