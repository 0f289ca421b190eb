/**
 * ClickHouse in this process, behind as much of its HTTP interface as the official client uses. Prints its
 * port. The account is that of SCROLLBACK_CLICKHOUSE_ACCOUNT (`user:password`), the
 * number of threads that of SCROLLBACK_CLICKHOUSE_THREADS. With SCROLLBACK_CLICKHOUSE_FOLDER,
 * the data remains there. SCROLLBACK_CLICKHOUSE_CONFIG is a configuration of the engine, whose users have the
 * rights that it gives them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const account = `Basic ${Buffer.from(process.env.SCROLLBACK_CLICKHOUSE_ACCOUNT ?? 'default:').toString('base64')}`
/** The library is installed on demand, so it is not known when the sources are checked. */
interface Engine {
  query(statement: string, format: string): string
  close(): void
}
const library = 'chdb'
const { Session } = (await import(library)) as {
  Session: new (folder: string, options: { connectionArgs: string[] }) => Engine
}
const { SCROLLBACK_CLICKHOUSE_FOLDER: folder = '', SCROLLBACK_CLICKHOUSE_CONFIG: config } = process.env
const session = new Session(folder, {
  connectionArgs: config === undefined ? [] : [`--config-file=${config}`],
})
// Tests run beside it.
const threads = Number(process.env.SCROLLBACK_CLICKHOUSE_THREADS ?? 1)
session.query(`SET max_threads = ${threads}`, 'TabSeparated')

/** Names in the address that are not settings of the engine. */
const NOT_SETTINGS = new Set(['database', 'query', 'query_id', 'session_id', 'role', 'wait_end_of_query'])
const set = new Map<string, string>()
let current = ''

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** Settings last for the session, so they are only set when they change. */
function prepare(wanted: URLSearchParams): void {
  for (const [name, value] of wanted) {
    if (NOT_SETTINGS.has(name) || set.get(name) === value) continue
    session.query(`SET ${name} = '${value.replaceAll("'", "\\'")}'`, 'TabSeparated')
    set.set(name, value)
  }
  const database = wanted.get('database') ?? 'default'
  if (database !== current) {
    current = ''
    session.query(`USE \`${database}\``, 'TabSeparated')
    current = database
  }
}

function answer(response: ServerResponse, address: URL, body: string): void {
  const given = address.searchParams.get('query')
  prepare(address.searchParams)
  const found = session.query(given === null ? body : `${given}\n${body}`, 'TabSeparated')
  response.writeHead(200, { 'content-type': 'text/plain; charset=UTF-8', 'x-clickhouse-summary': '{}' })
  response.end(found)
}

function fail(response: ServerResponse, status: number, text: string): void {
  const code = /Code: (\d+)/.exec(text)?.[1] ?? '1002'
  response.writeHead(status, { 'x-clickhouse-exception-code': code })
  response.end(text)
}

const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
  const execute = (body: string): void => {
    if (request.headers.authorization !== account) {
      fail(response, 403, 'Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
      return
    }
    try {
      answer(response, new URL(request.url ?? '/', 'http://localhost'), body)
    } catch (error) {
      fail(response, 500, String((error as Error).message).replace('Query failed: ', ''))
    }
  }
  // Of a request whose sender was killed, nothing is executed.
  void bodyOf(request).then(execute, () => request.socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
// Ends with the process that started it.
process.stdin.resume().on('end', () => {
  session.close()
  process.exit(0)
})
