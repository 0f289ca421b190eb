import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, run } from '../program.ts'
import { openclaw, put, putOpenclaw, putSessionIndex, temporaryHome, text } from '../records.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const MOSS = 'moss'

/** A session with a copy that has one reply more, a deleted one, and everything of the fixtures of two clients. */
function home(): string {
  const made = temporaryHome()
  const lines = [
    openclaw.header(MOSS),
    openclaw.user(1, 'Water the moss'),
    openclaw.reply(2, [text('Done.')]),
  ]
  const more = openclaw.reply(3, [text('And the fern.')])
  putOpenclaw(made, `${MOSS}.jsonl`, lines)
  putOpenclaw(made, `${MOSS}.jsonl.bak`, [...lines, more])
  putOpenclaw(made, `${MOSS}.jsonl.deleted.2026-11-01T00-00-00.000Z`, [...lines, more])
  const old = [openclaw.header('old'), openclaw.user(4, 'Cut the ivy'), openclaw.reply(5, [text('Cut.')])]
  putOpenclaw(made, 'old.jsonl.deleted.2026-11-01T00-00-00.000Z', old)
  putSessionIndex(made, { 'agent:main:main': { sessionId: MOSS } })
  cpSync(join(fixtures, 'claude-code/answers/.claude'), join(made, '.claude'), { recursive: true })
  put(join(made, '.claude/projects/-srv-x/notes.txt'), 'x')
  return made
}

const QUESTIONS = [
  ['sessions', '--all', '--kind', 'all', '--limit', '0'],
  ['projects'],
  ['stats', '--all', '--by', 'session'],
  ['stats', '--all', '--by', 'model'],
  ['search', 'moss OR fern OR ivy', '--limit', '0'],
  ['read', MOSS],
  ['runs', '--all'],
]

/** Flags that read more, show more, or read something else. */
const FLAGS = [
  ['--backups'],
  ['--deleted'],
  ['--backups', '--deleted'],
  ['--no-redact'],
  ['--agent', 'main'],
  ['--retention', '5'],
  ['--claude-dir', 'HOME/.claude/projects'],
  ['--claude-dir', 'HOME'],
  ['--openclaw-dir', 'HOME/.openclaw'],
]

describe('a flag of one call', () => {
  it.each(FLAGS.map((flags) => [flags]))('changes no later answer: %j', (wanted) => {
    const made = home()
    const flags = wanted.map((each) => each.replace('HOME', made))
    run(['index'], made)
    const answers = () =>
      QUESTIONS.map((words) => JSON.stringify(json(made, ...words)).replace(/"score":[\d.]+/g, ''))
    const before = answers()
    for (const words of QUESTIONS) run([...words, ...flags], made)
    run(['index', ...flags], made)
    for (const [index, after] of answers().entries())
      expect(after, `${QUESTIONS[index]!.join(' ')} after ${flags.join(' ')}`).toBe(before[index])
  })
})
