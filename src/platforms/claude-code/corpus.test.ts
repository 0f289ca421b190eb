import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSession } from '../../collect/read-session.ts'
import type { Artifact } from '../../model/artifact.ts'

const FOLDER = process.env.SCROLLBACK_CORPUS && join(process.env.SCROLLBACK_CORPUS, 'claude-code')
const present = FOLDER !== undefined && existsSync(FOLDER)
if (!present)
  console.log('SCROLLBACK_CORPUS names no folder with claude-code in it: real transcripts are not read')

const artifactOf = (path: string): Artifact => ({
  platform: 'claude-code',
  root: dirname(path),
  path,
  kind: 'transcript',
  state: 'live',
  sessionId: path.split('/').at(-1)!.slice(0, -'.jsonl'.length),
  agent: 'claude',
  bytes: statSync(path).size,
  modifiedMs: 0,
})

const files = present
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(FOLDER, name))
      .filter((path) => statSync(path).isFile())
  : []

describe.skipIf(!present)('real transcripts', () => {
  it('are told the same with and without parsing every line, and every line is counted', () => {
    const unknown: Record<string, number> = {}
    let lines = 0
    let malformed = 0
    for (const artifact of files.map(artifactOf))
      for (const purpose of ['index', 'read'] as const) {
        const fast = readSession(artifact, { purpose })
        const slow = readSession(artifact, { purpose, parseAll: true })
        expect(fast.items, artifact.path).toEqual(slow.items)
        const counts = ({ session }: typeof fast) => [
          session.accounting,
          ...[session.human, session.agentMessages, session.toolCalls, session.errors, session.title],
        ]
        expect(counts(fast), artifact.path).toEqual(counts(slow))
        const { accounting } = fast.session
        const all = [accounting.skipped, accounting.unknown].flatMap((each) => Object.values(each))
        expect(all.reduce((sum, each) => sum + each, accounting.events + accounting.malformed)).toBe(
          fast.session.lines,
        )
        if (purpose === 'index') continue
        lines += fast.session.lines
        malformed += accounting.malformed
        for (const [name, count] of Object.entries(accounting.unknown))
          unknown[name] = (unknown[name] ?? 0) + count
      }
    console.log(
      `${files.length} files, ${lines} lines, ${malformed} malformed, unknown: ${JSON.stringify(unknown)}`,
    )
  }, 120_000)
})
