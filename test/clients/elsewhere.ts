import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../program.ts'
import { type Client, workIn } from './clients.ts'
import type { ModelServer } from './model-server.ts'

const PROMPT = 'And now?'

/**
 * Takes the session of the prompts to other homes, in a pack, from an archive and into a folder that is
 * renamed afterward, and lets the client continue it there. Returns what the model did not get of the former
 * conversation, one per line.
 */
export async function elsewhere(home: string, client: Client, server: ModelServer): Promise<string[]> {
  const { proceed } = client
  if (!proceed) return []
  const id = longestSession(home)
  const prompts = client.prompts.flatMap((prompt) => (prompt.in === 'arguments' ? [prompt.text] : []))
  const former = [...prompts, ...server.served.words.slice(0, prompts.length)]
  const [pack, archive] = [join(home, 'session.pack'), join(home, 'archive')]
  ask(home, 'pack', id, '--out', pack)
  ask(home, 'collect', `file:${archive}`, '--history', 'all', '--tool-results')
  const unpacked = (other: string, folder: string): void =>
    ask(other, 'unpack', pack, '--map', `${workIn(home)}=${folder}`, '--yes')
  const ways: Record<string, (other: string) => void> = {
    unpack: (other) => unpacked(other, workIn(other)),
    restore: (other) => ask(other, 'restore', id, '--from', archive, '--yes'),
    move(other) {
      const before = join(other, 'before')
      renameSync(workIn(other), before)
      unpacked(other, before)
      renameSync(before, workIn(other))
      ask(other, 'move', before, workIn(other), '--yes')
    },
  }
  const wrong: string[] = []
  for (const [way, prepare] of Object.entries(ways)) {
    if (way === 'move' && !client.findsByFolder) continue
    const other = mkdtempSync(join(tmpdir(), 'scrollback-elsewhere-'))
    mkdirSync(workIn(other), { recursive: true })
    try {
      prepare(other)
      server.bodies.length = 0
      // After a move, the client has to find it as the last session of the folder.
      await proceed(other, server.address, way === 'move' ? undefined : id, PROMPT)
      const asked = server.bodies.filter((body) => body.includes(PROMPT)).at(-1) ?? ''
      for (const text of former)
        if (!asked.includes(JSON.stringify(text).slice(1, -1)))
          wrong.push(`${way}: the model did not get "${text}"`)
    } catch (error) {
      wrong.push(`${way}: ${(error as Error).message}`)
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  }
  return wrong
}

interface Listed {
  id: string
  kind: string
  messages: { agent: number }
}

/** The session with the most replies that is no subagent. */
function longestSession(home: string): string {
  const { stdout } = run(['sessions', '--all', '--json'], home)
  const { sessions } = JSON.parse(stdout) as { sessions: Listed[] }
  const own = sessions.filter(({ kind }) => kind !== 'subagent')
  return own.sort((one, other) => other.messages.agent - one.messages.agent)[0]!.id
}

function ask(home: string, ...args: string[]): void {
  const { stderr, code } = run(args, home)
  if (code !== 0) throw new Error(`scrollback ${args.join(' ')} ended with ${code}: ${stderr}`)
}
