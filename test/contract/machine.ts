import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { environment } from '../clickhouse/kills/collector.ts'
import { type Answer, sourceProgram } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { emptyServer } from './engines.ts'

const start = promisify(execFile)

/**
 * A machine with one session, and what asks the team store behind a port. Waits without blocking, so that the
 * port may be one of the test.
 */
export function machine() {
  const server = emptyServer()
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
  const ask = async (
    words: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const options = { cwd: home, env: { ...environment(home, server), ...variables } }
    try {
      return { ...(await start(process.execPath, [sourceProgram, ...words], options)), code: 0 }
    } catch (error) {
      return error as Answer
    }
  }
  const at = (port: number): string => `clickhouse://${server.user}@127.0.0.1:${port}/${server.database}`
  const basic = Buffer.from(`${server.user}:${server.password}`).toString('base64')
  return { server, home, ask, at, basic, port: Number(new URL(server.url).port) }
}
