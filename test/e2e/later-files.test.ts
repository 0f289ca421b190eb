import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, json } from '../program.ts'
import { put, temporaryHome } from '../records.ts'

const fixtures = resolve(import.meta.dirname, '../fixtures')

const sessionsOf = (home: string, ...args: string[]): Json =>
  json(home, 'sessions', '--all', '--kind', 'all', ...args).sessions

describe('a file beside a transcript that is written later', () => {
  /** The home of a fixture, and a file of it. */
  const cases: [fixture: string, beside: string][] = [
    ['continue/words', '.continue/sessions/sessions.json'],
    [
      'qwen-code/subagents',
      '.qwen/projects/-home-ann-garden/subagents/a1000000-0000-4000-8000-000000000031/agent-general-purpose-call_h.meta.json',
    ],
    [
      'claude-code/workflow-and-fork',
      '.claude/projects/-srv-eastore/ea570000-0000-4000-8000-000000000031/workflows/wf_tea-1.json',
    ],
    [
      'claude-code/workflow-and-fork',
      '.claude/projects/-srv-eastore/ea570000-0000-4000-8000-000000000031/subagents/agent-f0e1d2c3b4a596870.meta.json',
    ],
    [
      'kimi-code/forked',
      '.kimi-code/sessions/wd_garden_fff28dd75664/session_b2000000-0000-4000-8000-000000000031/state.json',
    ],
    ['copilot/answers', '.copilot/session-state/0c0f11e5-0000-4000-8000-000000000002/workspace.yaml'],
    ['gemini-cli/subagents', '.gemini/projects.json'],
    ['cline/ended', '.cline/data/sessions/1794128700000_moss11/1794128700000_moss11.json'],
    ['codex/forked', '.codex/session_index.jsonl'],
    ['openclaw/other-file-name', '.openclaw/agents/main/sessions/sessions.json'],
  ]

  it.each(cases)('is read: %s without %s at first', (fixture, beside) => {
    const home = temporaryHome()
    cpSync(join(fixtures, fixture), home, { recursive: true })
    const [path, away] = [join(home, beside), join(home, 'later')]
    renameSync(path, away)
    const before = sessionsOf(home)
    mkdirSync(dirname(path), { recursive: true })
    renameSync(away, path)
    const after = sessionsOf(home)
    expect(after).not.toEqual(before)
    rmSync(join(home, '.local/share/scrollback'), { recursive: true })
    expect(after).toEqual(sessionsOf(home))
  })

  it('is read: the record of a job that names the session it was forked from', () => {
    const home = temporaryHome()
    cpSync(join(fixtures, 'claude-code/workflow-and-fork'), home, { recursive: true })
    const [{ id }] = sessionsOf(home).filter(({ kind }: Json) => kind !== 'subagent')
    const fork = { forkSessionId: id, forkParentSessionId: '0a1b2c3d-1111-4222-8333-000000000009' }
    put(join(home, '.claude/jobs', id.slice(0, 8), 'state.json'), JSON.stringify(fork))
    const [{ parent }] = sessionsOf(home).filter((each: Json) => each.id === id)
    expect(parent).toBe(fork.forkParentSessionId)
  })
})
