import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, ROLE, rightsOf } from '../../src/store/clickhouse/access.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { RULES } from '../../src/store/clickhouse/schema.ts'
import type { Account, SpaceAddress } from '../../src/store/team.ts'

const here = import.meta.dirname

/** Whether the engine is installed as a library. */
export const hasLibrary = existsSync(join(here, 'node_modules/chdb'))

/** The database that the rights are about. */
export const DATABASE = 'team'

/** A server of its own process, until `stop` is called. */
export interface OwnServer {
  server: ChildProcess
  address: SpaceAddress
  /** `clickhouse://…` */
  store: string
  stop(): Promise<void>
}

/**
 * Starts the engine with the data in a folder. With an account, the only user of the engine has its rights,
 * as a file of users: a library has no place to which `CREATE USER` could write. `settings` are further
 * elements of its configuration.
 */
export async function startOn(folder: string, account?: Account, settings = ''): Promise<OwnServer> {
  if (account?.kind === 'device') await nameUser(folder, account.name)
  return start(folder, account, settings)
}

/** The user of a library is called `default`. The rules of its tables get the name that the user of a machine has. */
async function nameUser(folder: string, user: string): Promise<void> {
  const server = await start(folder)
  const connection = connect({ ...server.address, database: DATABASE })
  const named = connection.select<[string]>(
    sql`SELECT table FROM system.tables WHERE database = ${DATABASE} AND position(create_table_query, 'CONSTRAINT own') > 0`,
  )
  const tables = new Set(named.map(([table]) => table))
  for (const [table, rule] of Object.entries(RULES))
    if (tables.has(table)) {
      connection.run(`ALTER TABLE ${table} DROP CONSTRAINT own`)
      connection.run(`ALTER TABLE ${table} ADD ${rule.replaceAll('currentUser()', sql`${user}`)}`)
    }
  connection.close()
  await server.stop()
}

async function start(folder: string, account?: Account, settings = ''): Promise<OwnServer> {
  const config = join(folder, '..', `${account?.name ?? 'everything'}.xml`)
  const isConfigured = account !== undefined || settings !== ''
  if (account) writeFileSync(`${config}.users`, usersOf(account))
  const users = `<user_directories><users_xml><path>${config}.users</path></users_xml></user_directories>`
  if (isConfigured) writeFileSync(config, `<clickhouse>${account ? users : ''}${settings}</clickhouse>`)
  const server = spawn(process.execPath, [join(here, 'server.ts')], {
    env: {
      ...process.env,
      SCROLLBACK_CLICKHOUSE_ACCOUNT: 'tester:secret-of-tester',
      SCROLLBACK_CLICKHOUSE_FOLDER: folder,
      ...(isConfigured && { SCROLLBACK_CLICKHOUSE_CONFIG: config }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = await portOf(server)
  const ended = once(server, 'exit')
  return {
    server,
    address: {
      url: `http://127.0.0.1:${port}`,
      user: 'tester',
      password: 'secret-of-tester',
      database: account ? DATABASE : 'default',
    },
    store: `clickhouse://tester@127.0.0.1:${port}/${DATABASE}?tls=off`,
    async stop() {
      server.stdin?.end()
      await ended
    },
  }
}

function portOf(server: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  server.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
  server.once('exit', () => reject(new Error('The engine did not start.')))
  return promise
}

/** The rights and limits of an account, as ClickHouse reads them from a file. */
function usersOf(account: Account): string {
  const rights = rightsOf(account, { databases: [DATABASE] })
  const grants = [...rights, ROLE].map((right) => `<query>GRANT ${escaped(right)}</query>`)
  const limits = account.kind === 'reader' ? Object.entries(LIMITS) : []
  const settings = limits.map(([name, value]) => `<${name}>${value}</${name}>`)
  const constant = limits.map(([name]) => `<${name}><const/></${name}>`)
  const readonly = account.kind === 'reader' ? '<readonly>2</readonly>' : ''
  return `<clickhouse><profiles><default>${readonly}${settings.join('')}<constraints>${constant.join('')}</constraints></default></profiles>
    <quotas><default/></quotas><roles><${ROLE}/></roles>
    <users><default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants>${grants.join('')}</grants></default></users></clickhouse>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
