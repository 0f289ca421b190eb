import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, json, run } from '../program.ts'
import { call, claude, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { connect } from '../tool-client.ts'

const NOTE = 'is gone. All messages and tool targets are shown from the store'
const WITHOUT = 'Tool input, tool output and thinking are lost with the file.'

/** A session with a tool call and a subagent, and another one next to it. */
function garden(home: string): void {
  const path = putClaude(home, uuid(1), [
    claude.user(1, 'Prune the fern.'),
    claude.reply(2, [call('toolu_1', 'Bash', { command: 'prune --fern' })]),
    claude.result(3, 'toolu_1', 'one frond was cut'),
    claude.reply(4, [call('toolu_2', 'Agent', { description: 'Look for lice', prompt: 'Look for lice' })]),
    claude.result(5, 'toolu_2', 'none'),
    claude.reply(6, [text('The fern is pruned.')]),
  ])
  const side = { isSidechain: true, agentId: 'a1', sessionId: uuid(1) }
  putClaude(home, `${uuid(1)}/subagents/agent-a1`, [
    claude.user(7, 'Look for lice', side),
    claude.reply(8, [text('There are no lice.')], side),
  ])
  putClaude(home, uuid(20), [claude.user(21, 'Water the moss.')])
  run(['index'], home)
  rmSync(path)
  rmSync(join(path, '..', uuid(1)), { recursive: true })
}

describe('a session whose transcript is gone', () => {
  const home = sharedHome()
  garden(home)

  it.each([
    [['read', uuid(1)], ''],
    [['read', uuid(1), '--full'], NOTE],
    [['read', uuid(1), '--subagents'], ''],
    [['read', uuid(1), '--subagents', '--full'], NOTE],
    [['read', uuid(1), '--subagents', '--budget', '500'], ''],
    [['read', `${uuid(1)}:2`, '--full'], NOTE],
    [['read', uuid(1), '--full', '--json'], NOTE],
    [['read', 'garden'], ''],
    [['read', 'garden', '--full'], NOTE],
    [['read', 'garden', '--subagents', '--full'], NOTE],
    [['read', '--all', '--subagents'], ''],
  ])('is read from the store: %j', (args, note) => {
    const { stdout, stderr, code } = run(args, home)
    expect({ code, vanished: stderr.includes('vanished') }).toEqual({ code: 0, vanished: false })
    expect(stdout).toContain('The fern is pruned.')
    expect(stdout).toContain('prune --fern')
    expect(stderr).toContain(note)
    if (note !== '') expect(stderr).toContain(WITHOUT)
  })

  it('is exported from the store', () => {
    const out = join(home, 'fern.md')
    const { stderr, code } = run(['export', uuid(1), '--full', '--format', 'md', '--out', out], home)
    expect(code).toBe(0)
    expect(stderr).toContain(NOTE)
    expect(readFileSync(out, 'utf8')).toContain('The fern is pruned.')
  })

  it('is read with the subagent that it started, whose file is gone too', () => {
    expect(run(['read', uuid(1), '--subagents'], home).stdout).toContain('There are no lice.')
  })

  it('is returned to agents, with a note about what is missing', async () => {
    await using client = await connect(home)
    for (const given of [{ full: true }, { subagents: true }]) {
      const { body } = await client.ask('read', { target: uuid(1), ...given })
      expect(JSON.stringify(body.items)).toContain('The fern is pruned.')
      expect(JSON.stringify(body).includes(NOTE)).toBe('full' in given)
    }
  })

  it('is read from the store with --no-redact too, and a message says that secrets are redacted there', () => {
    const { stdout, stderr, code } = run(['read', uuid(1), '--no-redact'], home)
    expect(code).toBe(0)
    expect(stdout).toContain('The fern is pruned.')
    expect(stderr).toContain('1 session without a file is read from the store, where secrets are redacted.')
    expect(run(['sessions', '--all', '--no-redact'], home).stdout).toBe(
      run(['sessions', '--all'], home).stdout,
    )
  })
})

it('a history whose prompts are all in sessions is no session', () => {
  const home = temporaryHome()
  cpSync(join(checkout, 'test/fixtures/opencode/history'), home, { recursive: true })
  const states = () => json(home, 'sessions', '--all').sessions.map(({ state }: { state: string }) => state)
  expect(states()).toContain('purged')
  const path = join(home, '.local/state/opencode/prompt-history.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, lines.filter((line) => !/cellar|Who took|half a/.test(line)).join('\n'))
  expect(states()).not.toContain('purged')
  expect(states()).not.toHaveLength(0)
})
