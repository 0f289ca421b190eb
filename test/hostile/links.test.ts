import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'

const CANARY = 'the-canary-must-not-sing'
const SESSIONS = '.openclaw/agents/main/sessions'

/**
 * A home with a file of every kind that is never opened, and links to them under names that may be opened.
 */
function linkedHome(): string {
  const home = temporaryHome()
  const lines = `${[openclaw.header('canary', '/srv'), openclaw.user(1, CANARY)].map((each) => JSON.stringify(each)).join('\n')}\n`
  putOpenclaw(home, 'honest.jsonl', [
    openclaw.header('honest', '/srv'),
    openclaw.user(1, 'The moss is green.'),
  ])
  putClaude(home, uuid(1), [claude.user(1, 'The fern is green.')])
  put(join(home, '.openclaw/workspace/.env'), `KEY=${CANARY}\n`)
  put(join(home, '.openclaw/workspace/notes.md'), CANARY)
  put(join(home, '.openclaw/workspace/SOUL.md'), 'Calm.\n')
  put(join(home, '.openclaw/workspace/memory/.hidden.md'), CANARY)
  put(join(home, '.openclaw/workspace/private/a.md'), CANARY)
  put(join(home, SESSIONS, 'auth-profiles.json'), lines)
  put(join(home, SESSIONS, 'private/x.jsonl'), lines)
  put(join(home, SESSIONS, `honest.checkpoint.${uuid(7)}.jsonl`), lines)
  put(join(home, SESSIONS, 'gone.jsonl.deleted.2026-11-11T06-31-03.656Z'), lines)
  put(join(home, '.openclaw/agents/main/agent/auth-profiles.json'), lines)
  put(join(home, '.openclaw/agents/main/private/sessions/x.jsonl'), lines)
  put(
    join(home, '.openclaw/cron/secrets.json'),
    JSON.stringify({ version: 1, jobs: [{ id: CANARY, name: CANARY }] }),
  )
  put(
    join(home, '.openclaw/subagents/secrets.json'),
    JSON.stringify({ runs: { [CANARY]: { runId: CANARY, task: CANARY } } }),
  )
  put(join(home, '.claude/projects/-srv/private/x.md'), CANARY)
  put(join(home, '.claude/todos/.secret.json'), JSON.stringify([{ content: CANARY }]))
  put(join(home, '.claude/plans/plan.txt'), CANARY)
  for (const [link, target] of [
    ['.openclaw/workspace/TOOLS.md', '.env'],
    ['.openclaw/workspace/USER.md', 'notes.md'],
    ['.openclaw/workspace/memory/note.md', '.hidden.md'],
    ['.openclaw/workspace-ops', 'workspace/private'],
    [`${SESSIONS}/to-keys.jsonl`, 'auth-profiles.json'],
    [`${SESSIONS}/to-a-folder.jsonl`, 'private/x.jsonl'],
    [`${SESSIONS}/to-a-copy.jsonl`, `honest.checkpoint.${uuid(7)}.jsonl`],
    [`${SESSIONS}/to-a-deleted-one.jsonl`, 'gone.jsonl.deleted.2026-11-11T06-31-03.656Z'],
    [`${SESSIONS}/sessions.json`, 'auth-profiles.json'],
    [`${SESSIONS}/_archived`, 'private'],
    ['.openclaw/agents/nested', 'main/private'],
    ['.openclaw/cron/jobs.json', 'secrets.json'],
    ['.openclaw/subagents/runs.json', 'secrets.json'],
    ['.claude/projects/-srv/memory', 'private'],
    ['.claude/todos/list.json', '.secret.json'],
    ['.claude/plans/plan.md', 'plan.txt'],
  ] as const)
    symlinkSync(target, join(home, link))
  return home
}

const COMMANDS = [
  'sessions --all --json',
  'read --all --full --format json --kind all',
  'memory --json',
  'memory main TOOLS',
  'memory main USER',
  'memory ops',
  'cron --json',
  'runs --all --json',
  'search canary --json',
  'doctor --deep',
  'collect stdout: --history all',
]

describe('a symbolic link in the folder of an agent', () => {
  it.each(COMMANDS)('opens no file that may not be opened by its own name: scrollback %s', (line) => {
    const { stdout, stderr } = run(line.split(' '), linkedHome())
    expect(stdout + stderr).not.toContain(CANARY)
  })

  it('is followed to a file that may be opened by its own name', () => {
    const home = linkedHome()
    symlinkSync('SOUL.md', join(home, '.openclaw/workspace/IDENTITY.md'))
    expect(run(['memory', 'main', 'IDENTITY'], home).stdout).toContain('Calm.')
  })

  it('is reported if it is not followed', () => {
    const { stderr, code } = run(['sessions', '--all'], linkedHome())
    expect(stderr).toContain('to-keys.jsonl: is a link to no transcript of its folder; not followed')
    expect(code).toBe(3)
  })

  it('is not followed if it replaces the folder of all agents', () => {
    const home = linkedHome()
    mkdirSync(join(home, 'elsewhere'))
    renameSync(join(home, '.openclaw/agents'), join(home, 'elsewhere/agents'))
    symlinkSync(join(home, 'elsewhere/agents'), join(home, '.openclaw/agents'))
    const { stdout, stderr } = run(['read', '--all'], home)
    expect(stdout).not.toContain('moss')
    expect(stderr).toContain('.openclaw/agents: is a link and was not followed; make it a directory')
  })
})
