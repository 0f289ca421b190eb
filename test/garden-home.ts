import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putSessionIndex,
  temporaryHome,
  text,
  uuid,
} from './records.ts'

/** The folder of the project's transcripts. */
export const PROJECT = '.claude/projects/-home-ann-garden'
export const KEY = `AKIA${'IOSFODNN7EXAMPLQ'}`
export const MOSS = 'agent:main:telegram:direct:5550100'

/** A home: a session with a subagent, a secret, and output of a tool in a file of its own, and one of OpenClaw. */
export function garden(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), [
    claude.user(1, `Prune the fern with ${KEY}.`),
    claude.reply(2, [text('It is pruned.')]),
  ])
  const side = { isSidechain: true, agentId: 'a1', sessionId: uuid(1) }
  putClaude(home, `${uuid(1)}/subagents/agent-a1`, [claude.user(7, 'Look for lice', side)])
  put(join(home, PROJECT, uuid(1), 'tool-results/b1.txt'), 'one\r\ntwo')
  putClaude(home, uuid(20), [claude.user(21, 'Water the moss.')])
  putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'Good morning')])
  putSessionIndex(home, { [MOSS]: { sessionId: 'moss', updatedAt: 5, sessionFile: '/elsewhere/moss.jsonl' } })
  return home
}

export function bytesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isFile() ? [[name, readFileSync(path, 'latin1')]] : []
    }),
  )
}
