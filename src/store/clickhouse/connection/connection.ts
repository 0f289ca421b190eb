import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { ScrollbackError } from '../../../errors.ts'
import type { SpaceAddress } from '../../team.ts'
import { sql } from './literal.ts'
import type { Answer, Fault, Request, Task, ThreadData } from './protocol.ts'

/** A value of a column. */
export type Cell = string | number | null | boolean

/** A connection to one database. All methods wait for the server and throw a `ScrollbackError`. */
export interface Connection {
  /** The name of the database. */
  readonly database: string
  /** The version of the server, also if it does not know the settings of other statements. */
  serverVersion(): string
  /** The rows that a statement returns, as lists of its columns. */
  select<Row extends readonly unknown[]>(sql: string): Row[]
  /** Runs a statement that returns nothing. */
  run(sql: string): void
  /** Inserts rows, and returns how many bytes they are. No rows is no statement. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): number
  close(): void
}

/** Connects lazily: the first statement reaches the server. */
export function connect(address: SpaceAddress): Connection {
  const thread = answeringThread()
  const connection = nextConnection()
  let open = true
  const ask = (task: Task): string => {
    const answer: Answer | undefined = open
      ? thread.ask(connection, task)
      : { id: 0, fault: { name: 'CLOSED' } }
    const fault = answer ? answer.fault : { name: 'ETIMEDOUT' }
    if (fault) throw serverFault(fault, address)
    return answer!.text ?? ''
  }
  ask({ type: 'open', address })
  return {
    database: address.database,
    serverVersion: () => rowsIn<[string]>(ask({ type: 'version', address }))[0]![0],
    select: <Row extends readonly unknown[]>(sql: string) => rowsIn<Row>(ask({ type: 'select', sql })),
    run(sql) {
      ask({ type: 'run', sql })
    },
    insert(table, columns, rows) {
      if (rows.length === 0) return 0
      const lines = rows.map(lineOf).join('\n')
      ask({ type: 'insert', table, columns, lines })
      return lines.length
    },
    close() {
      if (!open) return
      ask({ type: 'close' })
      open = false
    },
  }
}

/** The server refuses text that is not well-formed Unicode. */
const lineOf = (row: readonly Cell[]): string =>
  JSON.stringify(row.map((cell) => (typeof cell === 'string' ? cell.toWellFormed() : cell)))

function rowsIn<Row>(text: string): Row[] {
  const rows: Row[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end > start) rows.push(JSON.parse(text.slice(start, end)) as Row)
    start = end + 1
  }
  return rows
}

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './clickhouse-worker.js', import.meta.url)

/** How long one answer may take. The client of the thread gives up earlier. */
const PATIENCE_MS = 330_000

/** A thread that answers while this one waits. */
interface AnsweringThread {
  /** Waits for the answer. Undefined if there is none in time. */
  ask(connection: number, task: Task): Answer | undefined
}

let shared: AnsweringThread | undefined
let connections = 0

/** The one thread of this process for all connections. It does not keep the process alive. */
function answeringThread(): AnsweringThread {
  shared ??= start()
  return shared
}

/** A number for a new connection. */
const nextConnection = (): number => ++connections

function start(): AnsweringThread {
  const { port1: own, port2: other } = new MessageChannel()
  const buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const signal = new Int32Array(buffer)
  const worker = new Worker(script(), {
    workerData: { signal: buffer } satisfies ThreadData,
    // The user's settings for proxies and certificates do not concern the thread.
    env: {},
    name: 'clickhouse',
  })
  worker.postMessage({ port: other }, [other])
  worker.unref()
  own.unref()
  let ids = 0
  return {
    ask(connection, task) {
      const id = ++ids
      own.postMessage({ id, connection, task } satisfies Request)
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const seen = Atomics.load(signal, 0)
        const answer = receiveMessageOnPort(own)?.message as Answer | undefined
        if (answer?.id === id) return answer
        if (answer) continue
        const left = until - Date.now()
        if (left <= 0) return undefined
        Atomics.wait(signal, 0, seen, left)
      }
    },
  }
}

/** Errors of the engine by number, where there is something to do about them. */
const AUTHENTICATION = new Set([192, 193, 194, 516])
const NOT_ALLOWED = new Set([164, 291, 392, 497])
const NOT_SUITED = new Set([36])
const NO_DATABASE = new Set([81])
const NO_TABLE = new Set([60])
const NO_SETTING = new Set([115])
const NO_COLUMN = new Set([16, 47])
const FULL = new Set([243])
/** What the names of rules begin with that an administrator has set. */
export const SPACE_RULE = 'space_'
const NOT_OWN = new Set([469])
const LIMITS = new Set([158, 159, 160, 201, 202, 241, 307, 396])

/** The user of the database lacks a right, or the tables of a cluster do not answer such a question. */
class NotAnswered extends ScrollbackError {}

/** A row breaks a rule of the space, such as that its session was forgotten. */
export class Refused extends ScrollbackError {}

/** The server does not know a setting that every statement has. */
export class UnknownSetting extends ScrollbackError {}

/**
 * What a user can do about a failure. Names only the host and the database: messages of the engine quote
 * statements with their values.
 */
export function serverFault({ name, code, rule }: Fault, { url, database }: SpaceAddress): ScrollbackError {
  const host = hostOf(url)
  const unreadable = (message: string, wayOut: string): ScrollbackError =>
    new ScrollbackError('store-unreadable', message, wayOut)
  if (code === undefined)
    return new ScrollbackError(
      'store-unreachable',
      `The store at ${host} does not answer (${name}).`,
      wayTo(name),
    )
  if (AUTHENTICATION.has(code))
    return unreadable(
      `The store at ${host} does not accept this user and password.`,
      'Check the user in the address, and the password in SCROLLBACK_STORE_PASSWORD or in the password file.',
    )
  if (NOT_ALLOWED.has(code))
    return new NotAnswered(
      'store-unreadable',
      `The store at ${host} does not allow this user to do that.`,
      'Ask the administrator of the store for the right to do it.',
    )
  if (NOT_OWN.has(code) && rule?.startsWith(SPACE_RULE))
    return new Refused(
      'store-unreadable',
      `The space at ${host} refuses a session that was forgotten there, or is too old.`,
    )
  if (NOT_OWN.has(code))
    return unreadable(
      `The store at ${host} takes from this user only what its own machine has.`,
      'Check --device: it is the name that the administrator of the space granted.',
    )
  if (NO_COLUMN.has(code))
    return unreadable(
      `The space ${database} at ${host} has an older format than this version of scrollback writes.`,
      'Ask the administrator of the space to run: scrollback store upgrade --dry-run --store …',
    )
  if (NO_DATABASE.has(code))
    return unreadable(
      `The store at ${host} has no database ${database}.`,
      'Check the name after the host in the address, or ask the administrator to create the database.',
    )
  if (NO_TABLE.has(code))
    return unreadable(
      `The database ${database} at ${host} is not a store of scrollback, or its tables are incomplete.`,
      'Ask the administrator to create them: scrollback store upgrade --store …',
    )
  if (NO_SETTING.has(code))
    return new UnknownSetting(
      'store-unreadable',
      `The store at ${host} does not know a setting of ClickHouse that scrollback needs.`,
      'Ask the administrator of the store to update ClickHouse.',
    )
  if (FULL.has(code))
    return new ScrollbackError(
      'store-full',
      `The store at ${host} has no room left.`,
      'Ask the administrator of the store to free space.',
    )
  if (LIMITS.has(code))
    return unreadable(
      `The store at ${host} stopped this question at a limit of its own (${name}).`,
      'Ask for less, for example with after: or project:, or ask the administrator to raise the limit.',
    )
  return new (NOT_SUITED.has(code) ? NotAnswered : ScrollbackError)(
    'store-unreadable',
    `The store at ${host} failed with ${name} (error ${code} of ClickHouse).`,
    'The log of the server says more. If the question was valid, please report this.',
  )
}

/** By the names that Node and OpenSSL give to faults of a connection. */
function wayTo(name: string): string {
  if (/ALTNAME/.test(name))
    return 'The certificate of the server is for another host. Use the name that it is for.'
  if (/EPROTO|WRONG_VERSION|SSL|TLS/.test(name))
    return 'It does not speak TLS on this port. ClickHouse does on its https_port, by default 8443. ?tls=off works on this machine only.'
  if (/CERT|VERIFY|SELF_SIGNED|ISSUER|CA_/.test(name))
    return 'The certificate of the server is not trusted. To trust one of your own, set NODE_EXTRA_CA_CERTS to its file.'
  return 'Check the host and the port in the address, and whether the server runs.'
}

/** The host with its port. Addresses never reach a message as they are. */
function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'this address'
  }
}

/**
 * What `work` returns. Undefined if the server does not allow it to this user, or its tables do not answer
 * it.
 */
export function ifAllowed<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NotAnswered) return undefined
    throw error
  }
}

/** The cluster whose tables are behind the distributed ones of a store. Undefined on one server. */
export const clusterOf = (connection: Connection): string | undefined =>
  connection
    .select<[string]>(
      sql`SELECT engine_full FROM system.tables
        WHERE database = ${connection.database} AND name = 'item' AND engine = 'Distributed'`,
    )
    .flatMap(([engine]) => clusterIn(engine) ?? [])[0]

/**
 * The name of the cluster in the definition of a distributed table.
 *
 * @example
 * clusterIn("Distributed('prod', 'team', 'item_local', intHash64(artifact))") // 'prod'
 */
export const clusterIn = (engine: string): string | undefined =>
  /^Distributed\('((?:[^'\\]|\\.)*)'/.exec(engine)?.[1]?.replaceAll(/\\(.)/g, '$1')
