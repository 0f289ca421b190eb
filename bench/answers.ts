/** Statistics, the live view and the export, each compared with a baseline. */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bestInTurn, run } from './measure.ts'
import { createReport, type Report } from './report.ts'
import { installed, node, reusedFolder, type Setup } from './setup.ts'

const FILES = 10_000
const WRITES = 500
const IDLE_MS = 240_000
/** Messages of the exported session. */
const MESSAGES = 100_000

export async function measureAnswers(setup: Setup): Promise<void> {
  const report = createReport('answers')
  statistics(setup, report)
  await following(setup, report)
  exporting(setup, report)
  report.print()
}

function statistics({ tree, megabytes, scrollback }: Setup, report: Report): void {
  const what = `\`stats\` of ${megabytes} MB after the first index, as fast as \`ccusage claude daily --offline\``
  const ccusage = installed('ccusage', '20.0.24')
  if ('missing' in ccusage) {
    report.skip(what, ccusage.missing)
    return
  }
  const counted = { variables: { CLAUDE_CONFIG_DIR: tree, TZ: 'UTC' } }
  scrollback(tree, ['index'])
  const { ours, theirs } = bestInTurn(5, {
    ours: () => scrollback(tree, ['stats', '--json']),
    theirs: () => run(ccusage.path, ['claude', 'daily', '--offline', '--json'], counted),
  })
  report.faster(what, ours, theirs, { least: 5 })
  const totals = (answer: string): { inputTokens: number; outputTokens: number } =>
    (JSON.parse(answer) as { totals: { inputTokens: number; outputTokens: number } }).totals
  const own = totals(scrollback(tree, ['stats', '--json'], { keep: true }).answer!)
  const other = totals(
    run(ccusage.path, ['claude', 'daily', '--offline', '--json'], { ...counted, keep: true }).answer!,
  )
  report.add(
    'tokens that the two count differently',
    Math.abs(own.inputTokens - other.inputTokens) + Math.abs(own.outputTokens - other.outputTokens),
    { most: 0, unit: 'tokens' },
    `${own.inputTokens} and ${other.inputTokens} in, ${own.outputTokens} and ${other.outputTokens} out`,
  )
}

/** The time from the write of a line to its output, and the cost of waiting for one. */
async function following({ program, scaled }: Setup, report: Report): Promise<void> {
  const files = scaled(FILES)
  const writes = Math.max(20, scaled(WRITES))
  const idleMs = Math.max(2000, scaled(IDLE_MS))
  const home = reusedFolder('followed-home')
  rmSync(home, { recursive: true, force: true })
  const line = (id: string, words: string): string =>
    `${JSON.stringify({ type: 'user', uuid: id, sessionId: 's', cwd: '/srv/x', timestamp: new Date().toISOString(), message: { role: 'user', content: words } })}\n`
  for (let file = 0; file < files; file++) {
    const folder = join(home, '.claude/projects', `-srv-${file % 300}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `s${file}.jsonl`), line(`a${file}`, 'first words'))
  }
  const child = spawn(node, [program, 'follow'], {
    env: { HOME: home, PATH: process.env.PATH, SCROLLBACK_HOME: join(home, 'data') },
  })
  let output = ''
  let said = ''
  let heard: (() => void) | undefined
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes
  })
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes
    heard?.()
  })
  while (!said.includes('Following')) await wait(20)
  await wait(2000)
  const busyMs = (): number => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  }
  const before = busyMs()
  await wait(idleMs)
  report.add(
    `\`follow\` over ${files.toLocaleString('en')} files where nothing happens, of one core`,
    ((busyMs() - before) / idleMs) * 100,
    { most: 0.5, unit: '%' },
    `over ${Math.round(idleMs / 1000)} s, a look around included`,
  )
  const path = join(home, '.claude/projects/-srv-0/s0.jsonl')
  const took: number[] = []
  for (let number = 0; number < writes; number++) {
    const words = `words-${number}.`
    output = ''
    const seen = new Promise<number>((resolve) => {
      heard = () => output.includes(words) && resolve(performance.now())
    })
    const written = performance.now()
    appendFileSync(path, line(`b${number}`, words))
    took.push((await seen) - written)
    await wait(20)
  }
  child.kill()
  took.sort((a, b) => a - b)
  report.add(
    `\`follow\`: from the write to the screen, median of ${writes}`,
    took[Math.floor(writes / 2)]!,
    { most: 100, unit: 'ms' },
    `95 of 100 within ${took[Math.floor(writes * 0.95)]!.toFixed(0)} ms, the slowest ${took.at(-1)!.toFixed(0)} ms`,
  )
}

function exporting({ scrollback, scaled }: Setup, report: Report): void {
  const messages = scaled(MESSAGES)
  const tree = reusedFolder(`long-session-${messages}`)
  const folder = join(tree, 'projects/-srv-long')
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const lines: string[] = []
  for (let number = 0; number < messages; number++) {
    const human = number % 2 === 0
    const words = `message ${number}: ${'some words of it, with <b>markup</b> & more. '.repeat(4)}`
    lines.push(
      JSON.stringify({
        type: human ? 'user' : 'assistant',
        uuid: `u${number}`,
        sessionId: 's',
        cwd: '/srv/long',
        timestamp: new Date(1_790_000_000_000 + number * 1000).toISOString(),
        message: human
          ? { role: 'user', content: words }
          : { id: `m${number}`, role: 'assistant', model: 'x', content: [{ type: 'text', text: words }] },
      }),
    )
  }
  writeFileSync(join(folder, 'long.jsonl'), `${lines.join('\n')}\n`)
  scrollback(tree, ['index'])
  const page = join(tree, 'page.html')
  const { ours, theirs } = bestInTurn(5, {
    ours: () => scrollback(tree, ['export', 'long', '--out', page, '--force']),
    theirs: () => scrollback(tree, ['read', 'long', '--format', 'json']),
  })
  report.slower(
    `\`export\` of ${messages.toLocaleString('en')} messages to HTML, against \`read --format json\` of them`,
    ours,
    theirs,
    {
      most: 2,
    },
  )
  report.add('peak memory of that export', ours.megabytes!, { most: 200, unit: 'MB' }, '')
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
