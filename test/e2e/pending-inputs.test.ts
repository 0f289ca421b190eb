import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentDatabase } from '../agent-databases.ts'
import { archiveOf, collect } from '../deliveries.ts'
import { type Json, json, run } from '../program.ts'
import { openclaw, temporaryHome, text } from '../records.ts'

/** As the real client of 2026.9.6 creates it, without its foreign keys. */
const TABLE = `CREATE TABLE session_pending_inputs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, input_id TEXT NOT NULL UNIQUE, session_key TEXT NOT NULL, session_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL, run_id TEXT NOT NULL, request_hash TEXT NOT NULL, message_json TEXT NOT NULL,
  lifecycle_generation TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('queued', 'interrupted', 'cancelled')),
  accepted_at INTEGER NOT NULL, consumed_event_id TEXT, UNIQUE (session_id, idempotency_key)) STRICT`

function waitingHome() {
  const home = temporaryHome()
  const made = agentDatabase(join(home, '.openclaw'), 23)
  made.session('moss', [
    openclaw.header('moss'),
    openclaw.user(1, 'Water the moss'),
    openclaw.reply(2, [text('I water it.')]),
  ])
  made.database.exec(TABLE)
  let count = 0
  const accept = (words: string, state = 'queued', session = 'moss') =>
    made.database
      .prepare("INSERT INTO session_pending_inputs VALUES (NULL, ?, 'k', ?, ?, 'r', 'h', ?, 'l', ?, ?, NULL)")
      .run(
        ...[`i${++count}`, session, `i${count}`],
        JSON.stringify({ role: 'user', content: words }),
        ...[state, Date.UTC(2026, 10, 1, 10, 5 + count)],
      )
  const read = (...args: string[]): string[] =>
    json(home, 'read', '--all', ...args).items.map(
      ({ who, text: content, label }: Json) => `${who}: ${content}${label ? ` (${label})` : ''}`,
    )
  return { home, made, accept, read }
}

const MESSAGES = ['human: Water the moss', 'agent: I water it.']

describe('prompts that OpenClaw has accepted and not consumed', () => {
  it('are shown after the transcript, except those that were taken back', () => {
    const { made, accept, read, home } = waitingHome()
    expect(read()).toEqual(MESSAGES)
    accept('And the ferns')
    accept('No, leave them', 'cancelled')
    accept('And the lupins', 'interrupted')
    const all = [...MESSAGES, 'human: And the ferns (waiting)', 'human: And the lupins (waiting)']
    expect(read()).toEqual(all)
    expect(read()).toEqual(all)
    expect(json(home, 'search', 'lupins')).toMatchObject({ total: 1 })
    made.close()
  })

  it('are shown once after they were consumed, and no longer after they were taken back', () => {
    const { made, accept, read, home } = waitingHome()
    accept('And the ferns')
    accept('And the lupins')
    expect(read()).toHaveLength(4)
    made.append('moss', [openclaw.user(3, 'And the ferns'), openclaw.reply(4, [text('Those too.')])])
    made.database.exec(
      "UPDATE session_pending_inputs SET consumed_event_id = '00000003' WHERE input_id = 'i1'",
    )
    const taken = [...MESSAGES, 'human: And the ferns', 'agent: Those too.']
    expect(read()).toEqual([...taken, 'human: And the lupins (waiting)'])
    made.database.exec("UPDATE session_pending_inputs SET state = 'cancelled' WHERE input_id = 'i2'")
    expect(read()).toEqual(taken)
    expect(run(['doctor', '--deep'], home).code).toBe(0)
    made.close()
  })

  it('are shown in a session without messages, and survive text that is not a message', () => {
    const { made, accept, read } = waitingHome()
    made.session('new', [], { key: 'agent:main:new' })
    accept('Good morning', 'queued', 'new')
    made.database.exec("UPDATE session_pending_inputs SET message_json = 'no JSON' WHERE input_id = 'i9'")
    expect(read()).toEqual([...MESSAGES, 'human: Good morning (waiting)'])
    accept('x', 'queued', 'new')
    made.database.exec("UPDATE session_pending_inputs SET message_json = 'no JSON' WHERE input_id = 'i2'")
    expect(read()).toEqual([...MESSAGES, 'human: Good morning (waiting)'])
    made.close()
  })

  it('are shown from an archive, too, and once where the client took them before they were collected again', () => {
    const { made, accept, read, home } = waitingHome()
    const fromArchive = ['--from', archiveOf(home)]
    accept('And the ferns')
    accept('And the lupins')
    expect(collect(home).code).toBe(0)
    expect(read()).toEqual([...MESSAGES, 'human: And the ferns (waiting)', 'human: And the lupins (waiting)'])
    expect(read(...fromArchive)).toEqual(read())
    made.append('moss', [openclaw.user(9, 'And the ferns'), openclaw.reply(10, [text('Those too.')])])
    made.database.exec(
      "UPDATE session_pending_inputs SET consumed_event_id = '00000009' WHERE input_id = 'i1'",
    )
    made.close()
    expect(collect(home).code).toBe(0)
    expect(read(...fromArchive).toSorted()).toEqual(read().toSorted())
    const messages = (...args: string[]) => json(home, 'stats', ...args).totals.messages
    expect(messages(...fromArchive)).toEqual(messages())
  })
})
