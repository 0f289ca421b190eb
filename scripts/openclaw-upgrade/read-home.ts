import { join, resolve } from 'node:path'
import { discover } from '../../src/sync/discover.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { finished } from './release.ts'

const PROGRAM = resolve(import.meta.dirname, '../../bin/scrollback.js')

/** What Scrollback reads from a home directory. */
export interface HomeContents {
  /**
   * Session, record, speaker and, unless a human wrote it, the content. A migration may wrap the text of
   * human messages differently.
   */
  messages: ReadonlySet<string>
  /** Sessions as listed: id, messages of humans and of the agent, tool calls. */
  sessions: readonly string[]
  /** How many messages contain each word. */
  found: ReadonlyMap<string, number>
  /** The problems that `doctor --deep` reports. */
  problems: readonly string[]
}

interface Row {
  id: string
  messages: { human: number; agent: number }
  toolCalls: number
}

/** Runs the program on a home directory, with a store of its own. */
export async function readHome(home: string, words: Iterable<string>): Promise<HomeContents> {
  const ask = async <Answer>(...args: string[]): Promise<Answer> => {
    const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC', SCROLLBACK_HOME: join(home, 'scrollback') }
    return JSON.parse(
      await finished(process.execPath, [PROGRAM, ...args, '--json'], { cwd: home, env, minutes: 2 }),
    ) as Answer
  }
  const { sessions } = await ask<{ sessions: Row[] }>('sessions', '--all')
  const found = new Map<string, number>()
  for (const word of words)
    found.set(word, (await ask<{ total: number }>('search', `${word} -who:memory`)).total)
  const { artifacts } = await ask<{ artifacts: { path: string; problems: string[] }[] }>('doctor', '--deep')
  return {
    messages: messagesIn(home),
    sessions: sessions
      .map(
        ({ id, messages: { human, agent }, toolCalls }) =>
          `${id}: ${human} human, ${agent} agent, ${toolCalls} tools`,
      )
      .sort(),
    found,
    problems: artifacts.flatMap(({ path, problems }) => problems.map((problem) => `${path}: ${problem}`)),
  }
}

function messagesIn(home: string): Set<string> {
  const messages = new Set<string>()
  for (const artifact of discover({ home, variables: {} }, 'openclaw').artifacts)
    for (const { who, id, text, tool } of readSession(artifact).items) {
      if (who === 'marker') continue
      const content = who === 'human' || who === 'program' ? '' : (text ?? `${tool?.name} ${tool?.target}`)
      messages.add([artifact.sessionId, id, who, content].join(' | '))
    }
  return messages
}
