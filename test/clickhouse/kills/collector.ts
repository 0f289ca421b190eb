import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { SpaceAddress } from '../../../src/store/team.ts'
import { program, variablesOf } from '../../program.ts'

export const environment = (home: string, { password }: SpaceAddress): NodeJS.ProcessEnv => ({
  ...variablesOf(home),
  SCROLLBACK_STORE_PASSWORD: password,
})

export const addressOf = ({ url, user, database }: SpaceAddress): string =>
  `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`

/** The name of the machine. */
export const DEVICE = 'moss'

/** Starts `collect` into a space. */
export const collector = (home: string, server: SpaceAddress): ChildProcess =>
  spawn(
    process.execPath,
    [program, 'collect', addressOf(server), '--device', DEVICE, '--projects', '*', '--person', 'ann'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: home,
      env: environment(home, server),
    },
  )

/** Waits until a collector has ended. Throws if it failed. */
export async function complete(child: ChildProcess): Promise<void> {
  const errors = textOf(child)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`a collector ended with ${code}: ${errors()}`)
}

function textOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr!.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  return () => text
}
