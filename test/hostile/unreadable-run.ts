/**
 * Takes the rights from each file and folder of a home in turn, asks commands about the rest, and prints the
 * answers that are wrong, as JSON. Runs as a user whom rights bind.
 */
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { main } from '../../src/surfaces/cli/main.ts'
import type { Host } from '../../src/surfaces/host.ts'
import { collected, noStream } from '../collected.ts'

const [home = ''] = process.argv.slice(2)
const COMMANDS = [
  ['collect', 'stdout:', '--history', 'all', '--redeliver'],
  ['sessions', '--all', '--kind', 'all'],
  ['memory'],
  ['runs', '--all'],
  ['doctor'],
]

async function answer(args: readonly string[]): Promise<{ code: number; lines: number; stderr: string }> {
  const [stdout, stderr] = [collected(), collected()]
  const host: Host = {
    ...{
      isOurs: false,
      env: { HOME: home, TZ: 'UTC', SCROLLBACK_HOME: join(home, 'own') },
      cwd: () => home,
      now: () => Date.now(),
    },
    ...{ stdin: { isTTY: false, stream: noStream }, stdout, stderr },
    started: {
      executable: process.execPath,
      script: resolve(import.meta.dirname, '../../bin/scrollback.js'),
    },
    ...{ on: () => () => {}, raise: () => {}, exit: noStream },
  }
  const code = await main(args, host, '0.0.0')
  return { code, lines: stdout.text().split('\n').length, stderr: stderr.text() }
}

const whole = new Map<string, { code: number; lines: number }>()
for (const command of COMMANDS) whole.set(command[0]!, await answer(command))

const wrong: string[] = []
const entries = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
  (name) => !/^(?:own|\.cache|\.config)/.test(name),
)
for (const name of entries) {
  const path = join(home, name)
  if (!existsSync(path)) continue
  const { mode } = statSync(path)
  chmodSync(path, 0)
  for (const command of COMMANDS) {
    const { code, lines, stderr } = await answer(command)
    const before = whole.get(command[0]!)!
    const isSame = code === before.code && lines === before.lines
    if (/fault of the program/.test(stderr)) wrong.push(`${command[0]} without ${name}: ${stderr}`)
    // A diagnosis prints what it finds.
    else if (!isSame && command[0] !== 'doctor' && (stderr === '' || code !== 3))
      wrong.push(
        `${command[0]} without ${name}: exit code ${code}, ${lines} of ${before.lines} lines, ${stderr}`,
      )
  }
  chmodSync(path, mode)
}
process.stdout.write(JSON.stringify({ tried: entries.length, wrong }))
