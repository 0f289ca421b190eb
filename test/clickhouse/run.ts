/**
 * Runs the contract of stores on ClickHouse: on the server of `--server` or SCROLLBACK_CLICKHOUSE
 * (`http://user:password@host:8123/database`, whose databases of this name are emptied), or on the engine as a
 * library, which is installed on demand. Other arguments are passed to vitest.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const { server: named, others: given } = argumentsIn(process.argv.slice(2))
const top = join(here, '../..')
/** Every statement of a server takes milliseconds, and on a busy machine much more. */
const PATIENCE = '--testTimeout=600000'
/** The tests that run for each engine. */
const CONTRACT = ['test/contract', 'test/judged']
  .flatMap((folder) => readdirSync(join(top, folder)).map((name) => join(folder, name)))
  .filter(
    (path) =>
      path.endsWith('.test.ts') &&
      /engines\.ts|cuts\.ts|databases\.ts/.test(readFileSync(join(top, path), 'utf8')),
  )

/** `--server <address>`, and what vitest gets. */
function argumentsIn(words: readonly string[]): { server: string | undefined; others: string[] } {
  const at = words.indexOf('--server')
  if (at < 0) return { server: undefined, others: [...words] }
  return { server: words[at + 1], others: words.toSpliced(at, 2) }
}

/** The engine has prebuilt libraries for some systems only, so the others are not required. */
function install(): void {
  if (existsSync(join(here, 'node_modules/chdb'))) return
  const { status } = spawnSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: here,
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exit(status ?? 1)
}

async function startServer(account: string): Promise<{ port: string; server: ChildProcess }> {
  const server = spawn(process.execPath, [join(here, 'server.ts')], {
    env: { ...process.env, SCROLLBACK_CLICKHOUSE_ACCOUNT: account },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  server.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
  server.once('exit', () => reject(new Error('The engine did not start.')))
  return { port: await promise, server }
}

function runTests(address: string): number {
  const { status } = spawnSync(
    process.execPath,
    [join(top, 'node_modules/vitest/vitest.mjs'), 'run', PATIENCE, ...(given.length > 0 ? given : CONTRACT)],
    {
      cwd: top,
      env: { ...process.env, SCROLLBACK_CLICKHOUSE: address },
      stdio: 'inherit',
    },
  )
  return status ?? 1
}

const server = named ?? process.env.SCROLLBACK_CLICKHOUSE
if (server !== undefined) process.exitCode = runTests(server)
else {
  install()
  const account = `scrollback:${randomBytes(12).toString('hex')}`
  const { port, server } = await startServer(account)
  process.exitCode = runTests(`http://${account}@127.0.0.1:${port}/contract`)
  server.stdin?.end()
}
