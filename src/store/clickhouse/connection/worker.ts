/** The thread that talks to ClickHouse, because the interface of stores is synchronous. */
import { Readable } from 'node:stream'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Answer, Fault, Request, ServerAddress, Task, ThreadData } from './protocol.ts'

/** In ms. Longer than any statement should take. */
const PATIENCE_MS = 300_000

const signal = new Int32Array((workerData as ThreadData).signal)
const clients = new Map<number, ClickHouseClient>()

const open = ({ url, user, password, database }: ServerAddress): ClickHouseClient =>
  createClient({
    url,
    username: user,
    password,
    database,
    application: 'scrollback',
    request_timeout: PATIENCE_MS,
    // It would print statements with their values.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      // Lists of ids are part of statements.
      max_query_size: '16777216',
      // Dates of transcripts may be of any month.
      max_partitions_per_insert_block: '0',
    },
  })

async function work(connection: number, task: Task): Promise<string | undefined> {
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
    case 'select':
      return await (await client.query({ query: task.sql, format: 'JSONCompactEachRow' })).text()
    case 'run':
      await client.command({ query: task.sql })
      return undefined
    case 'insert':
      await insert(client, task)
      return undefined
  }
}

/** The rows are text already, so the client's own encoding of rows is not used. */
async function insert(client: ClickHouseClient, { table, columns, lines }: Insert): Promise<void> {
  const { stream } = await client.exec({
    query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`,
    values: Readable.from([Buffer.from(lines)], { objectMode: false }),
  })
  await stream.toArray()
}

type Insert = Extract<Task, { type: 'insert' }>

function faultOf(error: unknown): Fault {
  const { code, type, name } = error as { code?: unknown; type?: unknown; name?: unknown }
  if (typeof type === 'string') return { name: type, code: Number(code) }
  return { name: typeof code === 'string' ? code : String(name ?? 'Error') }
}

async function answer(port: MessagePort, { id, connection, task }: Request): Promise<void> {
  let found: Answer
  try {
    const text = await work(connection, task)
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
