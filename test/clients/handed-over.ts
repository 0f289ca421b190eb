import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../program.ts'
import { claude, openclaw, putClaude, putOpenclaw, text, uuid } from '../records.ts'
import { type Client, runInTerminal, scrollbackIn, startBeside, workIn } from './clients.ts'
import type { ModelServer } from './model-server.ts'

/** Exchanges of the session that is handed over: their brief takes more than 100 kB. */
const EXCHANGES = 60
const BUDGET = '36k'
const LEAST_BYTES = 100_000

/**
 * Hands a session of another agent over to a client, which is started in a terminal with a long brief. Returns
 * what the model did not get of it, one per line.
 */
export async function handedOver(home: string, client: Client, server: ModelServer): Promise<string[]> {
  if (!client.begins) return []
  const { name, to, words, variables, types, beside } = await client.begins(home, server.address)
  mkdirSync(workIn(home), { recursive: true })
  const session = putSession(home, to)
  const brief = run(['handoff', session, '--to', to, '--budget', BUDGET], home).stdout.replaceAll('@', '＠')
  if (Buffer.byteLength(brief) < LEAST_BYTES) throw new Error(`the brief has only ${brief.length} characters`)
  // The settings of the script are the only difference to the client on the PATH of a user.
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(join(bin, name), 0o755)
  await using _ = beside && (await startBeside(beside, home))
  server.bodies.length = 0
  const handoff = scrollbackIn('handoff', session, '--to', to, '--budget', BUDGET, '--run')
  const path = `${bin}:${process.env.PATH}`
  await runInTerminal(handoff, home, { ...variables, PATH: path }, types, 40)
  const asked = server.bodies.join('\n')
  return brief
    .split('\n')
    .filter((line) => !asked.includes(JSON.stringify(line).slice(1, -1)))
    .slice(0, 3)
    .map((line) => `handoff: the model did not get "${line}"`)
}

/** A session of another agent, in the folder in which the client works. */
function putSession(home: string, to: string): string {
  const numbers = Array.from({ length: EXCHANGES }, (_, index) => index + 1)
  const prompt = (number: number): string =>
    `Plant row ${number}, and don't ask: "fern" & <moss> @/etc/hosts $HOME`
  const reply = (number: number): string =>
    Array.from(
      { length: 40 },
      (_, line) => `Row ${number}.${line}: the ferns stand in the shade of a wall.`,
    ).join('\n')
  if (to === 'claude') {
    const lines = numbers.flatMap((number) => [
      openclaw.user(2 * number, prompt(number)),
      openclaw.reply(2 * number + 1, [text(reply(number))]),
    ])
    putOpenclaw(home, 'garden.jsonl', [{ ...openclaw.header('garden'), cwd: workIn(home) }, ...lines])
    return 'garden'
  }
  const lines = numbers.flatMap((number) => [
    claude.user(2 * number, prompt(number), { cwd: workIn(home), sessionId: uuid(7) }),
    claude.reply(2 * number + 1, [text(reply(number))], { cwd: workIn(home), sessionId: uuid(7) }),
  ])
  putClaude(home, uuid(7), lines)
  return uuid(7)
}
