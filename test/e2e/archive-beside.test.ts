import { cpSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { agentDatabase } from '../agent-databases.ts'
import { archiveOf, collect } from '../deliveries.ts'
import { opencodeDatabase, text as words } from '../opencode-databases.ts'
import { type Json, json } from '../program.ts'
import { openclaw, temporaryHome, text } from '../records.ts'
import { stateDatabase } from '../state-database.ts'

const NOON = Date.parse('2026-11-01T12:00:00Z')

/** What a command says of the files of this machine, and of those in the archive. */
function bothWays(home: string, ...args: string[]): { live: Json; archived: Json } {
  return { live: json(home, ...args), archived: json(home, ...args, '--from', archiveOf(home)) }
}

describe('what clients keep beside transcripts', () => {
  it('is read from an archive: prompts that wait in the queue of Codex', () => {
    const home = temporaryHome()
    cpSync(resolve(import.meta.dirname, '../fixtures/codex/told-twice/.codex'), join(home, '.codex'), {
      recursive: true,
    })
    const database = new DatabaseSync(join(home, '.codex/queue_1.sqlite'))
    database.exec(
      'CREATE TABLE queued_items (id TEXT, thread_id TEXT, payload_json TEXT, queue_order INTEGER, created_at_ms INTEGER, updated_at_ms INTEGER)',
    )
    const queue = (id: string, at: number, content: string): void => {
      const payload = JSON.stringify({ UserInput: { content: [{ type: 'text', text: content }] } })
      const thread = '01a1968d-3900-7000-8000-000000000001'
      database.prepare('INSERT INTO queued_items VALUES (?, ?, ?, 1, ?, ?)').run(id, thread, payload, at, at)
    }
    queue('q1', NOON + 86_400_000, 'Then the lily.')
    // The client takes it before it is collected again.
    queue('q2', 0, 'Water it.')
    expect(collect(home).code).toBe(0)
    database.exec("DELETE FROM queued_items WHERE id = 'q2'")
    database.close()
    const { live, archived } = bothWays(home, 'read', '--all')
    const said = ({ items }: Json) =>
      items.flatMap((item: Json) => (item.who === 'human' ? [`${item.text} ${item.label}`] : []))
    expect(said(live)).toContain('Then the lily. waiting')
    expect(said(archived)).toEqual(said(live))
    const { live: sums, archived: others } = bothWays(home, 'stats')
    expect(others.totals).toEqual(sums.totals)
  })

  it('is read from an archive: what an OpenClaw database says of sessions, jobs and subagents', () => {
    const home = temporaryHome()
    const state = join(home, '.openclaw')
    const made = agentDatabase(state, 23)
    made.session('moss', [
      openclaw.header('moss'),
      openclaw.user(1, 'Water the moss'),
      openclaw.reply(2, [text('I water it.')]),
    ])
    made.database.exec(
      `UPDATE session_windows SET model = 'fern-2', display_name = 'moss-counter';
       UPDATE session_nodes SET entry_json = '{"modelProvider":"mock","inputTokens":3,"totalTokens":9}'`,
    )
    made.close()
    const jobs = stateDatabase(state, 'late')
    jobs.job('stock', { name: 'Stock check', schedule: { kind: 'every', everyMs: 3_600_000 } })
    jobs.receipt('stock', 'ok', NOON)
    jobs.subagent('r1', { task: 'Count the pots', childSessionKey: 'agent:main:subagent:x', createdAt: NOON })
    jobs.close()
    expect(collect(home).code).toBe(0)
    const { live, archived } = bothWays(home, 'sessions', '--all', '--kind', 'all')
    expect(live.sessions[0].entry).toMatchObject({
      provider: 'mock',
      name: 'moss-counter',
      tokens: { input: 3 },
    })
    expect(live.sessions[0].entry.channel).toBeUndefined()
    const shown = ({ sessions }: Json) =>
      sessions.map(({ id, state: its, title, entry, sessionKey, kind }: Json) => [
        id,
        its,
        title,
        entry,
        sessionKey,
        kind,
      ])
    expect(shown(archived)).toEqual(shown(live))
    const cron = bothWays(home, 'cron')
    expect(cron.live.jobs).toHaveLength(1)
    const named = ({ jobs: all }: Json) => all.map(({ path: _, root: __, ...job }: Json) => job)
    expect(named(cron.archived)).toEqual(named(cron.live))
    const { live: runs, archived: otherRuns } = bothWays(home, 'runs')
    expect(runs.runs).toMatchObject([{ id: 'r1', task: 'Count the pots' }])
    expect(otherRuns.runs.map(({ id, task, status }: Json) => [id, task, status])).toEqual(
      runs.runs.map(({ id, task, status }: Json) => [id, task, status]),
    )
  })

  it.each(['opencode', 'kilo'])('is read from an archive: label and type of subagents of %s', (name) => {
    const home = temporaryHome()
    const folder = join(home, '.local/share', name)
    mkdirSync(folder, { recursive: true })
    const message = (id: string, at: number) => ({ id, at, parts: [words('Count the pots')] })
    const { close } = opencodeDatabase(join(folder, `${name}.db`), [
      { id: 'ses_above', at: NOON, messages: [message('msg_1', NOON)] },
      {
        id: 'ses_below',
        at: NOON + 1000,
        parent: 'ses_above',
        title: 'pot counter (@general subagent)',
        messages: [message('msg_2', NOON + 1000)],
      },
    ])
    close()
    expect(collect(home).code).toBe(0)
    const { live, archived } = bothWays(home, 'runs')
    const shown = ({ runs }: Json) => runs.map(({ id, label, type }: Json) => ({ id, label, type }))
    expect(shown(live)).toEqual([{ id: 'ses_below', label: 'pot counter', type: 'general' }])
    expect(shown(archived)).toEqual(shown(live))
  })
})
