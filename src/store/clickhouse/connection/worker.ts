/** The thread that talks to ClickHouse, because the interface of stores is synchronous. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pass } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import type { SpaceAddress } from '../../team.ts'
import type { Answer, Fault, Request, Task, ThreadData } from './protocol.ts'

/** In ms. Longer than any statement should take. */
const PATIENCE_MS = 300_000
/** A statement whose connection broke is sent again after each of these pauses, in ms. */
const PAUSES_MS = [50, 400, 2000]
/** Not if it broke after a longer time than this, in ms. */
const SHORT_MS = 60_000
/** The names of faults after which a server may still be there. Others, such as a refusal, need the user. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'Error'])

const signal = new Int32Array((workerData as ThreadData).signal)
const clients = new Map<number, ClickHouseClient>()

const openPlain = (
  { url, user, password, database }: SpaceAddress,
  settings: ClickHouseSettings = {},
): ClickHouseClient =>
  createClient({
    url,
    username: user,
    password,
    database,
    application: 'scrollback',
    request_timeout: PATIENCE_MS,
    // It would print statements with their values.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: settings,
  })

const open = (address: SpaceAddress): ClickHouseClient =>
  openPlain(address, {
    output_format_json_quote_64bit_integers: 0,
    // Lists of ids are part of statements.
    max_query_size: '16777216',
    // Rows with the same key are of one month.
    do_not_merge_across_partitions_select_final: 1,
    // Parts of words are looked up in the list of tokens, however many contain them. Otherwise all texts
    // are read.
    text_index_like_min_pattern_length: '3',
    text_index_like_max_postings_to_read: '1000',
    // Filters that joins would add have texts read and split into tokens that no other condition needs.
    enable_join_runtime_filters: 0,
    // Files may be of any month.
    max_partitions_per_insert_block: '0',
    // An acknowledged insert is on disk: on most replicas of a replicated table, and on the shards of a
    // distributed one. Tables flush their files (see the migrations).
    async_insert: 0,
    insert_quorum: 'auto',
    distributed_foreground_insert: 1,
    // Files and messages are joined, and their rows are on different shards.
    distributed_product_mode: 'global',
    // These statements compute rows from what is stored. The same rows may be right a second time.
    deduplicate_insert_select: 'disable',
  })

/**
 * Executes a task, again if its connection breaks: the answer may have been lost after the server has worked.
 * Repeating is harmless. An insert has a token by which the server recognizes it, and every other statement
 * leaves the same rows when it runs twice.
 */
async function workUntilAnswered(connection: number, task: Task): Promise<string | undefined> {
  const token = randomUUID()
  for (const pause of PAUSES_MS) {
    const began = performance.now()
    try {
      return await work(connection, task, token)
    } catch (error) {
      if (!BROKEN.has(faultOf(error).name) || performance.now() - began > SHORT_MS) throw error
    }
    await pass(pause)
  }
  return work(connection, task, token)
}

async function work(connection: number, task: Task, token: string): Promise<string | undefined> {
  if (task.type === 'open') {
    clients.set(connection, open(task.address))
    return undefined
  }
  const client = clients.get(connection)!
  switch (task.type) {
    case 'close':
      clients.delete(connection)
      await client.close()
      return undefined
    case 'version':
      return await versionAt(task.address)
    case 'select':
      return await (await client.query({ query: task.sql, format: 'JSONCompactEachRow' })).text()
    case 'run':
      await client.command({ query: task.sql })
      return undefined
    case 'insert':
      await insert(client, task, token)
      return undefined
  }
}

/** The version of a server, which may be too old for the settings of other statements. */
async function versionAt(address: SpaceAddress): Promise<string> {
  const client = openPlain(address)
  try {
    return await (await client.query({ query: 'SELECT version()', format: 'JSONCompactEachRow' })).text()
  } finally {
    await client.close()
  }
}

/**
 * The rows are text already, so the client's own encoding of rows is not used. Without a token, a replicated
 * table compares the content of inserts and drops rows that were removed in between.
 */
async function insert(
  client: ClickHouseClient,
  { table, columns, lines }: Insert,
  token: string,
): Promise<void> {
  const { stream } = await client.exec({
    query: `INSERT INTO ${table} (${columns.join(', ')}) SETTINGS insert_deduplication_token = '${token}' FORMAT JSONCompactEachRow`,
    values: Readable.from([Buffer.from(lines)], { objectMode: false }),
  })
  await stream.toArray()
}

type Insert = Extract<Task, { type: 'insert' }>

/** The server names the rule, and then the values of the row. */
const RULE = /Constraint `?(\w+)/

function faultOf(error: unknown): Fault {
  const { code, type, name, message } = error as Record<'code' | 'type' | 'name' | 'message', unknown>
  if (typeof type === 'string') {
    const rule = RULE.exec(String(message))?.[1]
    return { name: type, code: Number(code), ...(rule === undefined ? {} : { rule }) }
  }
  return { name: typeof code === 'string' ? code : String(name ?? 'Error') }
}

async function answer(port: MessagePort, { id, connection, task }: Request): Promise<void> {
  let found: Answer
  try {
    const text = await workUntilAnswered(connection, task)
    found = text === undefined ? { id } : { id, text }
  } catch (error) {
    found = { id, fault: faultOf(error) }
  }
  port.postMessage(found)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}

parentPort!.once('message', ({ port }: { port: MessagePort }) => {
  port.on('message', (request: Request) => void answer(port, request))
})
