import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../program.ts'
import { type Client, workIn } from './clients.ts'
import type { ModelServer } from './model-server.ts'

const PROMPT = 'And now?'

/**
 * Takes the session of the prompts to another home, once in a pack and once from an archive, and lets the client
 * continue it there. Returns what the model did not get of the former conversation, one per line.
 */
export async function elsewhere(home: string, client: Client, server: ModelServer): Promise<string[]> {
  const { proceed } = client
  if (!proceed) return []
  const [{ id } = { id: '' }] = sessionsOf(home, client)
  const words = client.prompts
    .filter((prompt) => prompt.in === 'arguments')
    .map(({ text }) => text)
    .concat(server.served.words.slice(0, client.prompts.length - 1))
  const wrong: string[] = []
  const pack = join(home, 'session.pack')
  const archive = join(home, 'archive')
  ask(home, 'pack', id, '--out', pack)
  ask(home, 'collect', `file:${archive}`, '--history', 'all', '--tool-results')
  for (const [way, words_] of [
    ['unpack', (other: string) => ['unpack', pack, '--map', `${workIn(home)}=${workIn(other)}`, '--yes']],
    ['restore', () => ['restore', id, '--from', archive, '--yes']],
  ] as const) {
    const other = mkdtempSync(join(tmpdir(), 'scrollback-elsewhere-'))
    mkdirSync(workIn(other), { recursive: true })
    try {
      ask(other, ...words_(other))
      server.bodies.length = 0
      await proceed(other, server.address, id, PROMPT)
      const asked = server.bodies.filter((body) => body.includes(PROMPT)).at(-1) ?? ''
      const missing = words.filter((text) => !asked.includes(JSON.stringify(text).slice(1, -1)))
      if (asked === '') wrong.push(`${way}: the client did not ask the model`)
      for (const text of missing) wrong.push(`${way}: the model did not get "${text}"`)
    } catch (error) {
      wrong.push(`${way}: ${(error as Error).message}`)
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  }
  void [readdirSync, readFileSync]
  return wrong
}

interface Listed {
  id: string
  messages: { human: number; agent: number }
  kind: string
}

/** The sessions of a home without subagents, the longest first. */
const sessionsOf = (home: string, { name }: Client): Listed[] =>
  (JSON.parse(ask(home, 'sessions', '--all', '--json')) as { sessions: Listed[] }).sessions
    .filter(({ kind }) => kind !== 'subagent' && name !== '')
    .sort((one, other) => other.messages.agent - one.messages.agent)

function ask(home: string, ...args: string[]): string {
  const { stdout, stderr, code } = run(args, home)
  if (code !== 0) throw new Error(`scrollback ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}
