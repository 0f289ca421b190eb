/** What other programs do with the same files, and what each of them takes. Linux only. */
import { spawn } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { historyTree } from './first.ts'
import { runsOf } from './measure.ts'
import { idleShare, pause, startServer } from './page-server.ts'
import { processOf } from './process.ts'
import { countRow } from './report.ts'
import { bytesIn, filesOf, homeOf, installed, node, reusedFolder, type Setup } from './setup.ts'
import { end } from './shipper-programs.ts'

const RUNS = 3
const PORT = '4792'

/** What a program takes. Seconds, megabytes, and percent of a core. */
interface Row {
  program: string
  does: string
  /** Until it answered for the first time, with nothing stored. */
  first?: number
  second?: number
  search?: number
  /** The most memory of any of these. */
  memory?: number
  idle?: number
  /** What it left on the disk. */
  disk?: number
  missing?: string
}

interface Ran {
  seconds: number
  megabytes: number
}

/** Runs a command to its end. */
async function ran(command: string, args: readonly string[], variables = {}): Promise<Ran> {
  const began = performance.now()
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...variables } })
  const peak = processOf(child).watchPeak()
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error(`${command} is not installed`) : error),
      )
      child.once('exit', resolve)
    })
    const seconds = (performance.now() - began) / 1000
    // `rg` ends with 1 if nothing matches.
    if (code !== 0 && code !== 1) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
    return { seconds, megabytes: peak.stop() }
  } finally {
    // Also of a program that is not installed. The timer would keep this process alive.
    peak.stop()
  }
}

async function best(run: () => Promise<Ran>): Promise<Ran> {
  const runs: Ran[] = []
  for (let time = 0; time < runsOf(RUNS); time++) runs.push(await run())
  return {
    seconds: Math.min(...runs.map(({ seconds }) => seconds)),
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  }
}

const mostOf = (...runs: readonly Ran[]): number => Math.max(...runs.map(({ megabytes }) => megabytes))

/** Every program over the same tree, in one table. */
export async function measurePeers(setup: Setup): Promise<void> {
  const tree = historyTree('wordy', setup)
  // Fill the page cache before measuring.
  await ran('sh', ['-c', `find "${tree}" -name '*.jsonl' -print0 | xargs -0 cat > /dev/null`])
  const idleSeconds = setup.megabytes < 100 ? 2 : 30
  const rows: Row[] = []
  for (const measure of [ourCommands, ourIndex, ourPage, ccusage, claudeRun, ripgrep, jq, rsyslog]) {
    const row = await measure({ setup, tree, idleSeconds })
    rows.push(row)
    if (row.missing === undefined) countRow()
    process.stderr.write(`${lineOf(row)}\n`)
  }
  const size = `${Math.round(bytesIn(tree) / 1e6)} MB in ${filesOf(tree).length.toLocaleString('en')} files`
  process.stdout.write(
    `\n| ${size} | what it does | first start | second start | search | peak memory | idle, of a core | disk |\n` +
      `|---|---|---|---|---|---|---|---|\n${rows.map((row) => `${lineOf(row)}\n`).join('')}`,
  )
}

interface Given {
  setup: Setup
  tree: string
  idleSeconds: number
}

function lineOf({ program, does, first, second, search, memory, idle, disk, missing }: Row): string {
  const cell = (value: number | undefined, unit: string, digits = 2): string =>
    value === undefined ? '' : `${value.toFixed(digits)} ${unit}`
  const cells = [
    cell(first, 's'),
    cell(second, 's'),
    cell(search, 's'),
    cell(memory, 'MB', 0),
    cell(idle, '%'),
    cell(disk, 'MB', 0),
  ]
  return `| ${program} | ${missing ?? does} | ${cells.join(' | ')} |`
}

/** Three words of a prompt in the middle of the tree. */
function phraseIn(tree: string): string {
  const files = filesOf(tree)
  const text = readFileSync(files[Math.floor(files.length / 2)]!, 'utf8')
  const [, words] = /"role":"user","content":"(?:\w+ )(\w+ \w+ \w+) /.exec(text) ?? []
  if (words === undefined) throw new Error(`no prompt in the middle of ${tree}`)
  return words
}

/** Where our store of the tree is, empty. */
function emptyHome(tree: string): string {
  const home = homeOf(`${basename(tree)}-beside-peers`)
  rmSync(home, { recursive: true, force: true })
  return home
}

const ours = ({ setup, tree }: Given, home: string, ...args: string[]): Promise<Ran> =>
  ran(node, [setup.program, ...args, '--claude-dir', tree], { SCROLLBACK_HOME: home })

async function ourCommands(given: Given): Promise<Row> {
  const home = emptyHome(given.tree)
  const first = await best(() => {
    rmSync(home, { recursive: true, force: true })
    return ours(given, home, 'sessions', '--all')
  })
  await ours(given, home, 'index')
  const second = await best(() => ours(given, home, 'sessions', '--all'))
  const search = await best(() => ours(given, home, 'search', `"${phraseIn(given.tree)}"`))
  return {
    program: '`scrollback sessions`, `search`',
    does: 'lists all sessions; searches all messages, ranked',
    first: first.seconds,
    second: second.seconds,
    search: search.seconds,
    memory: mostOf(first, second, search),
    disk: bytesIn(home) / 1e6,
  }
}

async function ourIndex(given: Given): Promise<Row> {
  const home = emptyHome(given.tree)
  const first = await best(() => {
    rmSync(home, { recursive: true, force: true })
    return ours(given, home, 'index')
  })
  const second = await best(() => ours(given, home, 'index'))
  return {
    program: '`scrollback index`',
    does: 'stores all messages, figures and words, without secrets',
    first: first.seconds,
    second: second.seconds,
    memory: mostOf(first, second),
    disk: bytesIn(home) / 1e6,
  }
}

async function ourPage({ setup, tree, idleSeconds }: Given): Promise<Row> {
  const home = emptyHome(tree)
  const start = () =>
    startServer([setup.program, 'serve', '--no-open', '--port', '0', '--claude-dir', tree], {
      SCROLLBACK_HOME: home,
    })
  const listed = async (url: string): Promise<void> => {
    const { origin, searchParams } = new URL(url)
    const token = searchParams.get('token') ?? ''
    await answered(`${origin}/api/sessions?all=true`, { authorization: `Bearer ${token}` })
  }
  const measured = await servers(start, listed, idleSeconds)
  return { program: '`scrollback serve`', does: 'shows everything live on a page', ...measured }
}

async function ccusage({ tree }: Given): Promise<Row> {
  const program = 'ccusage 20.0.24'
  const does = 'counts tokens and cost; no messages, no search, stores nothing'
  const found = installed('ccusage', '20.0.24')
  if ('missing' in found) return { program, does, missing: found.missing }
  const run = () => ran(found.path, ['claude', 'daily', '--offline'], { CLAUDE_CONFIG_DIR: tree })
  const [first, second] = [await best(run), await best(run)]
  return { program, does, first: first.seconds, second: second.seconds, memory: mostOf(first, second) }
}

async function claudeRun({ setup, tree, idleSeconds }: Given): Promise<Row> {
  const program = 'claude-run 0.3.0'
  const does = 'shows one session at a time on a page, live; searches prompts in its list, no statistics'
  const found = installed('claude-run', '0.3.0')
  if ('missing' in found) return { program, does, missing: found.missing }
  const folder = withHistory(tree, setup)
  const start = () => startServer([found.path, '--no-open', '-d', folder, '-p', PORT])
  const listed = (url: string) => answered(`${new URL(url).origin}/api/sessions`)
  return { program, does, ...(await servers(start, listed, idleSeconds)) }
}

async function ripgrep({ tree }: Given): Promise<Row> {
  const phrase = phraseIn(tree)
  const program = '`rg -cF`'
  const does = 'counts lines of the files with these words; knows no messages and takes out no secrets'
  try {
    const found = await best(() => ran('rg', ['-cF', phrase, tree]))
    return { program, does, search: found.seconds, memory: found.megabytes }
  } catch (error) {
    return { program, does, missing: (error as Error).message }
  }
}

async function jq({ tree }: Given): Promise<Row> {
  const program = '`jq`'
  const does = 'extracts messages, tool names and errors; stores nothing'
  const filter = join(import.meta.dirname, 'condense.jq')
  const command = `find "$0" -name '*.jsonl' -print0 | xargs -0 jq -r -f "$1" > /dev/null`
  try {
    const { seconds } = await ran('sh', ['-c', command, tree, filter])
    return { program, does, first: seconds, second: seconds }
  } catch (error) {
    return { program, does, missing: (error as Error).message }
  }
}

/** Until the file that it writes no longer grows. */
async function rsyslog({ tree, idleSeconds }: Given): Promise<Row> {
  const program = 'rsyslog imfile'
  const does = 'copies lines to a place; `bench/shippers.ts` shows which it loses'
  const folder = reusedFolder('rsyslog')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'work'), { recursive: true })
  const out = join(folder, 'out')
  writeFileSync(
    join(folder, 'rsyslog.conf'),
    `global(workDirectory="${join(folder, 'work')}" maxMessageSize="8m")
module(load="imfile" mode="inotify")
template(name="plain" type="string" string="%msg%\\n")
input(type="imfile" file="${tree}/projects/*/*.jsonl" tag="t" reopenOnTruncate="on")
action(type="omfile" file="${out}" template="plain")
`,
  )
  const began = performance.now()
  const child = spawn('rsyslogd', ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')], {
    stdio: 'ignore',
  })
  if (
    !(await new Promise((resolve) =>
      child.once('spawn', () => resolve(true)).once('error', () => resolve(false)),
    ))
  )
    return { program, does, missing: 'rsyslogd is not installed' }
  const running = processOf(child)
  const peak = running.watchPeak()
  const sizeNow = (): number => statSync(out, { throwIfNoEntry: false })?.size ?? 0
  let grewAt = began
  for (let size = -1; performance.now() - grewAt < 3000; await pause(50)) {
    if (sizeNow() === size) continue
    size = sizeNow()
    grewAt = performance.now()
  }
  const idle = await idleShare(running, idleSeconds)
  await end(child)
  return {
    program,
    does,
    first: (grewAt - began) / 1000,
    memory: peak.stop(),
    idle,
    disk: bytesIn(folder) / 1e6,
  }
}

/** First and second start of a server until it lists sessions, then how much it does without a page. */
async function servers(
  start: () => ReturnType<typeof startServer>,
  listed: (url: string) => Promise<void>,
  idleSeconds: number,
): Promise<Pick<Row, 'first' | 'second' | 'memory' | 'idle'>> {
  const times: number[] = []
  let memory = 0
  let idle = 0
  for (let time = 0; time < 2; time++) {
    const began = performance.now()
    const server = await start()
    try {
      await listed(server.url)
      times.push((performance.now() - began) / 1000)
      // The rest of a first index.
      if (time === 0) await pause(idleSeconds * 1000)
      else idle = await idleShare(server, idleSeconds)
      memory = Math.max(memory, server.megabytes())
    } finally {
      await server.close()
    }
  }
  return { first: times[0], second: times[1], memory, idle }
}

async function answered(url: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await fetch(url, { headers })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  await answer.arrayBuffer()
}

/** The same files with the prompt history that the other page lists. */
function withHistory(tree: string, { megabytes }: Setup): string {
  const folder = reusedFolder(`peers-${megabytes}`)
  rmSync(folder, { recursive: true, force: true })
  let history = ''
  for (const file of filesOf(tree)) {
    const copy = join(folder, relative(tree, file))
    mkdirSync(dirname(copy), { recursive: true })
    linkSync(file, copy)
    const lines = readFileSync(file, 'utf8').split('\n', 20)
    const project = lines.map((line) => /"cwd":"([^"]+)"/.exec(line)?.[1]).find((each) => each !== undefined)
    const { mtimeMs: timestamp } = statSync(file)
    history += `${JSON.stringify({ display: 'a prompt', timestamp, project, sessionId: basename(file, '.jsonl') })}\n`
  }
  writeFileSync(join(folder, 'history.jsonl'), history)
  return folder
}
