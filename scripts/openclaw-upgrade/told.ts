import { join, resolve } from 'node:path'
import { discover } from '../../src/collect/discover.ts'
import { readSession } from '../../src/collect/read-session.ts'
import { finished } from './release.ts'

const PROGRAM = resolve(import.meta.dirname, '../../bin/scrollback.js')

/** What a home tells. */
export interface Told {
  /** Session, record, speaker, and what was said or done unless a person said it: a migration may frame their words anew. */
  messages: ReadonlySet<string>
  /** Sessions as they are listed: id, messages of people and of the agent, tool calls. */
  sessions: readonly string[]
  /** How many messages hold each word. */
  found: ReadonlyMap<string, number>
  /** What `doctor --deep` finds wrong. */
  problems: readonly string[]
}

interface Row {
  id: string
  messages: { human: number; agent: number }
  toolCalls: number
}

/** As the program answers over a home, with the store it keeps beside it. */
export async function toldIn(home: string, words: Iterable<string>): Promise<Told> {
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
    for (const { who, id, text, tool } of readSession(artifact, { purpose: 'read' }).items) {
      if (who === 'marker') continue
      const said = who === 'human' || who === 'program' ? '' : (text ?? `${tool?.name} ${tool?.target}`)
      messages.add([artifact.sessionId, id, who, said].join(' | '))
    }
  return messages
}
