/** How a team store on ClickHouse grows: rows a second, bytes a message, answers and memory. */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseQuery } from '../src/search/query.ts'
import { upgradeSpace } from '../src/store/clickhouse/administration.ts'
import { connect } from '../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../src/store/clickhouse/open.ts'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import type { Store } from '../src/store/store.ts'
import type { SpaceAddress } from '../src/store/team.ts'
import { DATABASE, hasLibrary, startOn } from '../test/clickhouse/restricted.ts'
import { WRITTEN_UNTIL, writeConversations } from './conversations.ts'
import { run } from './measure.ts'
import { type Million, millionStore } from './million.ts'
import { processOf } from './process.ts'
import { mixedQueries } from './queries.ts'
import { createReport, type Report } from './report.ts'
import { node, reusedFolder, type Setup, writeOnce } from './setup.ts'
import { addMachine } from './team-copies.ts'

/** Of the engine. */
const THREADS = '2'
/** Machines, each with the same number of messages. */
const MACHINES = [1, 10]
const MANY_MACHINES = 50
/** So many times the messages of a machine are asked for in SQLite, too. */
const MANY_IN_SQLITE = 5
const DAY = 86_400_000
/** When the questions are asked: after the last message. */
const NOW = WRITTEN_UNTIL + DAY
/** Of 200 queries, every so many-th is asked. */
const EVERY = 5
const RUNS = 3
/** How often statistics of so many days are asked for, and how far apart these spans end. */
const SPANS = { 1: 8, 7: 8, 30: 8, 90: 4, 365: 2 }
const APART = 50 * DAY
/** Room that is left on the disk, in bytes. */
const ROOM = 20e9

/**
 * Fills a store with one machine, multiplies its rows in the engine, and asks the same at each size. Then a
 * new machine collects into it, which adds a tenth of the messages of the first.
 * `fiftyMillion` adds a size that takes 20 to 50 minutes and 20 GB, with five million messages in SQLite.
 */
export async function measureTeam(setup: Setup, fiftyMillion: boolean): Promise<void> {
  const report = createReport('team store')
  if (!hasLibrary) {
    report.skip('a team store', 'ClickHouse as a library is not installed: `npm run test:clickhouse` does')
    report.print()
    return
  }
  const million = await millionStore(setup)
  const { tree, made } = million
  const data = mkdtempSync(join(tmpdir(), 'scrollback-bench-team-'))
  process.env.SCROLLBACK_CLICKHOUSE_THREADS = THREADS
  const { server, stop, ...started } = await startOn(join(data, 'data'))
  const address = { ...started.address, database: DATABASE }
  let isRunning = true
  try {
    createDatabase(started.address)
    askSqlite(million, report)
    const own = processOf(server)
    fill(collecting(setup, tree, address, 'machine-0'), report, 'an empty store', () => own.seconds())
    const connection = connect(address)
    const sizes = fiftyMillion ? [...MACHINES, MANY_MACHINES] : MACHINES
    let machines = 1
    for (const wanted of sizes) {
      for (; machines < wanted; machines++) {
        const { bavail, bsize } = statfsSync('/tmp')
        if (bavail * bsize < ROOM * 1.2) {
          report.skip(`${wanted} machines`, 'the disk has no room for them')
          break
        }
        const began = own.seconds()
        addMachine(connection, machines)
        process.stderr.write(`machine ${machines + 1}: ${(own.seconds() - began).toFixed(1)} s\n`)
      }
      if (machines < wanted) break
      reportSizes(connection, report, machines, made.messages)
      const store = openClickHouseStore({ ...address, device: 'bench' })
      const messages = grouped(made.messages * machines)
      ask(store, report, `ClickHouse, ${messages} messages`, () => own.seconds())
      store.close()
      askCommands(setup, address, report, messages)
      report.add(`${messages} messages: memory of the engine now`, own.megabytes(), { unit: 'MB' }, '')
      report.add(`${messages} messages: most memory so far`, own.peak(), { unit: 'MB' }, '')
      // After the questions, so that the engine has merged what it wrote for them.
      const newcomer = collecting(setup, newcomerTree(made.messages, machines), address, `new-${machines}`)
      fill(newcomer, report, `${messages} messages`, () => own.seconds())
    }
    connection.close()
    await stop()
    isRunning = false
    if (machines > 1) await askAsReader(join(data, 'data'), report, machines)
    // Last, because indexing so much takes longer than all the rest.
    if (fiftyMillion)
      askSqlite(await millionStore({ ...setup, megabytes: setup.megabytes * MANY_IN_SQLITE }), report)
  } finally {
    if (isRunning) await stop()
    rmSync(data, { recursive: true, force: true })
  }
  report.print()
}

function askSqlite({ home, made }: Million, report: Report): void {
  const { store } = openSqliteStore(join(home, 'store.sqlite'), Date.now())
  const name = `SQLite, ${grouped(made.messages)} messages`
  ask(store, report, name)
  store.close()
  report.add(`${name}: bytes a message`, made.bytes / made.messages, { unit: 'bytes' }, '')
}

function createDatabase(address: SpaceAddress): void {
  const connection = connect(address)
  connection.run(`CREATE DATABASE ${DATABASE} ENGINE = Atomic`)
  connection.close()
  upgradeSpace({ ...address, database: DATABASE }, false)
}

/** The same questions by a reader, within the limits of readers. */
async function askAsReader(folder: string, report: Report, machines: number): Promise<void> {
  const { server, address, stop } = await startOn(folder, { kind: 'reader', name: 'ann' })
  const own = processOf(server)
  const store = openClickHouseStore({ ...address, device: 'bench' })
  ask(store, report, `a reader of ${machines} machines`, () => own.seconds())
  store.close()
  await stop()
}

const addressOf = ({ user, url, database }: SpaceAddress): string =>
  `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`

/** What a person waits for, and the memory that it takes: all sessions, those of one machine, and one. */
function askCommands({ program }: Setup, to: SpaceAddress, report: Report, messages: string): void {
  const store = openClickHouseStore({ ...to, device: 'bench' })
  const { id } = store.sessions().find(({ session }) => session.device === 'machine-0')!.session
  store.close()
  const variables = {
    SCROLLBACK_STORE_PASSWORD: to.password,
    SCROLLBACK_HOME: reusedFolder('home-of-reader'),
  }
  for (const words of [
    ['sessions', '--all', '--limit', '20'],
    ['sessions', 'device:machine-0', '--limit', '20'],
    ['session', id],
  ]) {
    const args = [program, ...words, '--store', addressOf(to)]
    const { seconds, processor, megabytes } = run(node, args, { memory: true, processor: true, variables })
    report.add(
      `${messages} messages: \`${words.slice(0, 2).join(' ').replace(id, '<id>')}\``,
      seconds * 1000,
      { unit: 'ms' },
      `processor time ${processor!.toFixed(1)} s; ${megabytes!.toFixed(0)} MB`,
    )
  }
}

/** What `collect` does with a tree, as a machine that is new to the store. */
function collecting({ scrollback }: Setup, tree: string, to: SpaceAddress, device: string) {
  const at = addressOf(to)
  const variables = { SCROLLBACK_STORE_PASSWORD: to.password, SCROLLBACK_HOME: `${tree}-${device}` }
  return () =>
    scrollback(tree, ['collect', at, '--device', device, '--projects', '*', '--person', 'ann', '--json'], {
      keep: true,
      processor: true,
      variables,
    })
}

/** Conversations of another machine, whose messages no other one has: a tenth of those of the first. */
function newcomerTree(messages: number, machines: number): string {
  // The number of messages is also the seed of everything in them.
  const own = Math.round(messages / 10) + machines
  const tree = reusedFolder(`newcomer-${own}`)
  writeOnce(tree, 'conversations.ts', () => writeConversations(tree, own))
  return tree
}

/** Has a machine collect for the first time, measures how many messages a second it stores, and again. */
function fill(
  collect: ReturnType<typeof collecting>,
  report: Report,
  into: string,
  engineSeconds: () => number,
): void {
  const name = `\`collect\` of a new machine into ${into}`
  const before = engineSeconds()
  const first = collect()
  const own = engineSeconds() - before
  const [{ records }] = (JSON.parse(first.answer!) as { destinations: [{ records: number }] }).destinations
  report.add(
    name,
    records / first.seconds,
    { unit: 'messages a second' },
    `${grouped(records)} in ${first.seconds.toFixed(0)} s; processor time: ${first.processor!.toFixed(0)} s here, ${own.toFixed(0)} s in the engine`,
  )
  report.add(`${name}: peak memory`, first.megabytes!, { unit: 'MB' }, '')
  report.add(`${name}: again, with nothing new`, collect().seconds * 1000, { unit: 'ms' }, '')
}

function reportSizes(
  connection: ReturnType<typeof connect>,
  report: Report,
  machines: number,
  messages: number,
): void {
  const [[found] = [0]] = connection.select<[number]>('SELECT count() FROM item')
  if (found < messages * machines * 0.99)
    throw new Error(`${found} messages instead of ${messages * machines}`)
  const parts = connection.select<[string, number, number, number]>(
    `SELECT table, sum(rows), sum(bytes_on_disk), count() FROM system.parts
      WHERE database = '${DATABASE}' AND active GROUP BY table ORDER BY 3 DESC`,
  )
  const rows = parts.find(([table]) => table === 'item')![1]
  const bytes = parts.reduce((sum, [, , each]) => sum + each, 0)
  const most = parts
    .slice(0, 3)
    .map(([table, , each, count]) => `${table} ${Math.round(each / rows)} in ${count} parts`)
  report.add(
    `${machines} machines: bytes a message on disk`,
    bytes / rows,
    { unit: 'bytes' },
    most.join(', '),
  )
}

/**
 * Asks what commands ask. The result is processor time of the engine, or of this process for a store in it,
 * which the load of the machine changes little.
 */
function ask(store: Store, report: Report, name: string, engineSeconds = ownSeconds): void {
  const timed = (work: () => unknown): Taken => {
    const [began, before] = [performance.now(), engineSeconds()]
    work()
    return { processor: (engineSeconds() - before) * 1000, wall: performance.now() - began }
  }
  const again = (work: () => unknown, times = RUNS): Taken[] =>
    Array.from({ length: times }, () => timed(work))
  const add = (what: string, taken: readonly Taken[]): void => {
    const times = taken.map(({ processor }) => processor)
    const walls = taken.map(({ wall }) => wall)
    report.add(
      `${name}: ${what}, processor time, p95`,
      share(times, 0.95),
      { unit: 'ms' },
      `p50 ${share(times, 0.5).toFixed(0)} ms; on the clock p50 ${share(walls, 0.5).toFixed(0)} ms, p95 ${share(walls, 0.95).toFixed(0)} ms; of ${times.length}`,
    )
  }
  const searches = mixedQueries(1).filter((_, index) => index % EVERY === 0)
  const search = (query: string): void => {
    const asked = { query: parseQuery(query, 0, () => undefined), limit: 20, enough: 1000, now: NOW }
    let hits = 0
    for (const _ of store.search(asked).hits) if (++hits >= 20) break
  }
  search(searches[0]!.query)
  const taken = searches.map(({ kind, query }) => ({ kind, ...timed(() => search(query)) }))
  add('search', taken)
  for (const [kind, some] of Map.groupBy(taken, (each) => each.kind)) add(`search for ${kind}`, some)
  const zone = [{ fromMs: 0, offsetMs: 0 }]
  const until = Date.UTC(2026, 9, 1)
  const month = { zone, fromMs: until - 30 * DAY, untilMs: until }
  add(
    'statistics of a month',
    again(() => Array.from(store.figures(month))),
  )
  add('statistics of everything', [timed(() => Array.from(store.figures({ zone })))])
  add(
    'statistics of any span',
    spansUntil(until).map((span) => timed(() => Array.from(store.figures({ zone, ...span })))),
  )
  add(
    'the list of sessions',
    again(() => store.sessions(), 2),
  )
  const paths = store.sessions().map(({ session }) => session.path)
  const some = Array.from({ length: 20 }, (_, index) => paths[Math.floor((index * paths.length) / 20)]!)
  add(
    'one session',
    some.map((path) => timed(() => store.messages(path))),
  )
}

/** Spans that somebody may ask for: mostly short ones, at moments all over the store. */
function spansUntil(until: number): { fromMs?: number; untilMs?: number }[] {
  const spans = Object.entries(SPANS).flatMap(([days, times]) =>
    Array.from({ length: times }, (_, index) => {
      const untilMs = until - index * APART
      return { fromMs: untilMs - Number(days) * DAY, untilMs }
    }),
  )
  return [...spans, {}]
}

/** In ms. */
interface Taken {
  processor: number
  wall: number
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const share = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1]!

const grouped = (count: number): string => count.toLocaleString('en')
