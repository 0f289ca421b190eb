import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
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
  const former = wordsOf(home, id)
  const [pack, archive] = [join(home, 'session.pack'), join(home, 'archive')]
  ask(home, 'pack', id, '--out', pack)
  ask(home, 'collect', `file:${archive}`, '--history', 'all', '--tool-results')
  const unpacked = (other: string, folder: string): void =>
    ask(other, 'unpack', pack, '--map', `${workIn(home)}=${folder}`, '--yes')
  /** Each returns the id of the session there, and none if the client has to find the last one of the folder. */
  const ways: Record<string, (other: string) => string | undefined> = {
    unpack(other) {
      unpacked(other, workIn(other))
      return id
    },
    restore(other) {
      ask(other, 'restore', id, '--from', archive, '--yes')
      return id
    },
    condensed(other) {
      for (const name of ['.claude', '.openclaw'])
        if (existsSync(join(home, name))) cpSync(join(home, name), join(other, name), { recursive: true })
      ask(other, 'index')
      for (const name of ['.claude/projects', '.openclaw/agents'])
        rmSync(join(other, name), { recursive: true, force: true })
      const { stdout } = run(['restore', id, '--condensed', '--yes', '--json'], other)
      return (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions[0]!.id
    },
    move(other) {
      const before = join(other, 'before')
      renameSync(workIn(other), before)
      unpacked(other, before)
      renameSync(before, workIn(other))
      ask(other, 'move', before, workIn(other), '--yes')
      return undefined
    },
  }
  const wrong: string[] = []
  for (const [way, prepare] of Object.entries(ways)) {
    if (way === 'move' && !client.findsByFolder) continue
    if (way === 'restore' && client.staysInFolder) continue
    if (way === 'condensed' && !client.readsCondensed) continue
    const other = mkdtempSync(join(tmpdir(), 'scrollback-elsewhere-'))
    mkdirSync(workIn(other), { recursive: true })
    try {
      const own = prepare(other)
      server.bodies.length = 0
      await proceed(other, server.address, own, PROMPT)
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

/** What was said in a session, as it is read. That this is right was compared before. */
function wordsOf(home: string, id: string): string[] {
  const { items } = JSON.parse(run(['read', id, '--json'], home).stdout) as {
    items: { who: string; text: string | null }[]
  }
  const said = items.filter(({ who, text }) => /^(?:human|program|agent)$/.test(who) && text !== null)
  if (said.length < 4) throw new Error(`only ${said.length} messages are in the session ${id}`)
  return said.map(({ text }) => text!)
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
