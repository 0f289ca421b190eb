import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, run } from '../program.ts'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putProgram,
  putSessionIndex,
  temporaryHome,
  uuid,
} from '../records.ts'

function resumableHome(): { home: string; folder: string } {
  const home = temporaryHome()
  const folder = join(home, "it's here")
  mkdirSync(folder)
  putClaude(home, uuid(1), [claude.user(1, 'Water the moss', { cwd: folder })])
  put(join(home, '.claude/projects/-home-ann-garden', uuid(1), 'subagents/agent-a1b2c3.jsonl'), [
    claude.user(2, 'Look', { isSidechain: true, cwd: folder, sessionId: uuid(1) }),
  ])
  putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'Good morning')])
  const old = [openclaw.header('old'), openclaw.user(1, 'x')]
  putOpenclaw(home, 'old.jsonl.reset.2026-11-01T00-00-00.000Z', old)
  putSessionIndex(home, { 'agent:main:telegram:direct:5550100': { sessionId: 'moss' } })
  return { home, folder }
}

/** A program of this name that prints how it was started. */
function installed(home: string, name: string, exit = 0): NodeJS.ProcessEnv {
  putProgram(home, name, `echo "$0 $* in $(pwd)"\nexit ${exit}`)
  return { PATH: `${join(home, 'bin')}:${process.env.PATH}` }
}

describe('scrollback resume', () => {
  it('prints the command that resumes a session, for a shell', () => {
    const { home, folder } = resumableHome()
    const { stdout } = run(['resume', uuid(1).slice(0, 36)], home)
    expect(stdout).toBe(`cd '${folder.replace("'", "'\\''")}' && claude --resume=${uuid(1)}\n`)
    expect(run(['resume', 'moss'], home).stdout).toBe(
      'openclaw tui --session=agent:main:telegram:direct:5550100\n',
    )
    expect(json(home, 'resume', 'moss')).toEqual({
      ...{ version: 1, session: 'moss', platform: 'openclaw', directory: null, exitCode: null },
      warning: null,
      variables: {},
      command: ['openclaw', 'tui', '--session=agent:main:telegram:direct:5550100'],
      shell: 'openclaw tui --session=agent:main:telegram:direct:5550100',
    })
  })

  it('runs it in the folder of the session on request, without a shell', () => {
    const { home, folder } = resumableHome()
    const done = run(['resume', uuid(1), '--run'], home, { env: installed(home, 'claude') })
    expect(done).toMatchObject({
      code: 0,
      stdout: `${join(home, 'bin/claude')} --resume=${uuid(1)} in ${folder}\n`,
    })
    const failed = run(['resume', 'moss', '--run'], home, { env: installed(home, 'openclaw', 7) })
    expect(failed.code).toBe(3)
  })

  it('reports what is missing, and sessions that cannot be resumed', () => {
    const { home } = resumableHome()
    const path = { env: { PATH: '/nowhere' } }
    expect(run(['resume', uuid(1), '--run'], home, path).stderr).toContain('claude is not installed')
    expect(run(['resume', 'agent-a1b2c3'], home).stderr).toContain(
      `can only be resumed in its parent: ${uuid(1)}`,
    )
    expect(run(['resume', 'old', '--json'], home).stderr).toContain('it was reset')
    expect(run(['resume', 'oldx'], home).stderr).toContain('"oldx": no such project, agent or session')
    putOpenclaw(home, 'nokey-session.jsonl', [openclaw.header('nokey-session'), openclaw.user(1, 'x')])
    expect(run(['resume', 'nokey'], home).stderr).toContain('no index of OpenClaw names its key')
    const gone = putClaude(home, uuid(3), [claude.user(5, 'gone', { cwd: '/srv/gone' })])
    expect(run(['resume', uuid(3)], home)).toMatchObject({
      code: 0,
      // Nothing but the command, for `$(…)` and for pasting.
      stdout: `claude --resume=${uuid(3)}\n`,
      stderr:
        '/srv/gone no longer exists: recent versions of Claude Code find the session from any folder, older ones only from that one.\n',
    })
    rmSync(gone)
    expect(run(['resume', uuid(3)], home).stderr).toContain('its transcript is gone.\n')
  })

  it('names the way that brings a session back whose transcript is gone, and it does', () => {
    const home = temporaryHome()
    const folder = join(home, 'garden')
    mkdirSync(folder)
    const said = (number: number) => [claude.user(number, 'Water the moss', { cwd: folder })]
    const [kept, lost] = [putClaude(home, uuid(1), said(1)), putClaude(home, uuid(2), said(2))]
    run(['index'], home)
    rmSync(lost)
    run(['collect', 'run', join(home, 'archive'), '--history', 'all'], home)
    rmSync(kept)
    const ways = [
      [uuid(1), 'Write it back from the archive, then resume it: scrollback restore'],
      [
        uuid(2),
        'No archive of this machine has it. Write back what the store has, then resume that: scrollback restore',
      ],
    ] as const
    for (const [id, words] of ways) {
      const { stderr } = run(['resume', id], home)
      expect(stderr).toContain(`its transcript is gone.\n${words} ${id}`)
      const [, command] = /: scrollback (.+)$/m.exec(stderr)!
      expect(run([...command!.split(' '), '--yes'], home).code).toBe(0)
    }
    expect(run(['resume', uuid(1)], home).stdout).toBe(`cd ${folder} && claude --resume=${uuid(1)}\n`)
  })

  it('uses the folder of the transcript, not the most frequent directory', () => {
    const home = temporaryHome()
    const [own, other] = [join(home, 'own'), join(home, 'other')]
    for (const folder of [own, other]) mkdirSync(folder)
    putClaude(
      home,
      uuid(1),
      [1, 2, 3].map((number) => claude.user(number, 'x', { cwd: number === 1 ? own : other })),
      own.replace(/[^a-zA-Z0-9]/g, '-'),
    )
    expect(json(home, 'resume', uuid(1)).directory).toBe(own)
    expect(json(home, 'sessions', uuid(1)).sessions[0].cwd).toBe(own)
  })

  it('uses the origin of a worktree if that is gone', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'x', { cwd: join(home, '.claude/worktrees/fern') }),
      {
        type: 'worktree-state',
        sessionId: uuid(1),
        worktreeSession: { worktreePath: join(home, '.claude/worktrees/fern'), originalCwd: home },
      },
    ])
    const { stdout, stderr } = run(['resume', uuid(1)], home)
    expect(stdout).toBe(`cd ${home} && claude --resume=${uuid(1)}\n`)
    expect(stderr).toBe(
      `${join(home, '.claude/worktrees/fern')} no longer exists: using the folder that it was made from.\n`,
    )
  })

  it('names a session of Gemini CLI by its whole id, which every command takes', () => {
    const home = temporaryHome()
    const at = '2026-11-10T09:00:00.000Z'
    put(join(home, '.gemini/tmp/garden/chats/session-2026-11-10T09-00-0a1b2c3d.jsonl'), [
      { sessionId: uuid(1), projectHash: 'x', startTime: at, lastUpdated: at, kind: 'main' },
      { id: 'u1', timestamp: at, type: 'user', content: [{ text: 'Plant the fern.' }] },
    ])
    expect(run(['resume', 'latest'], home).stdout).toBe(`gemini --resume=${uuid(1)}\n`)
    for (const words of [['sessions'], ['read'], ['resume'], ['handoff'], ['forget', '--dry-run']])
      expect(run([words[0]!, uuid(1), ...words.slice(1)], home).code, words.join(' ')).toBe(0)
  })

  it('includes the location of the sessions if it is not the default one', () => {
    const home = temporaryHome()
    const other = join(home, 'other home')
    putClaude(other, uuid(1), [claude.user(1, 'x', { cwd: home })])
    putOpenclaw(other, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'Good morning')])
    putSessionIndex(other, { 'agent:main:main': { sessionId: 'moss' } })
    const flags = ['--claude-dir', join(other, '.claude'), '--openclaw-dir', join(other, '.openclaw')]
    expect(run(['resume', uuid(1), ...flags], home).stdout).toBe(
      `cd ${home} && CLAUDE_CONFIG_DIR='${other}/.claude' claude --resume=${uuid(1)}\n`,
    )
    expect(run(['resume', 'moss', ...flags], home).stdout).toBe(
      `OPENCLAW_STATE_DIR='${other}/.openclaw' openclaw tui --session=agent:main:main\n`,
    )
    putProgram(home, 'claude', 'echo "$CLAUDE_CONFIG_DIR"')
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}` }
    expect(run(['resume', uuid(1), '--run', ...flags], home, { env }).stdout).toBe(`${other}/.claude\n`)
  })

  it('requires one session if a project is named, and suggests the last', () => {
    const { home } = resumableHome()
    putClaude(home, uuid(5), [claude.user(5, 'More moss', { cwd: '/home/ann/garden' })])
    putClaude(home, uuid(6), [claude.user(6, 'Even more', { cwd: '/home/ann/garden' })])
    const { stderr, code } = run(['resume', 'garden'], home)
    expect(code).toBe(2)
    expect(stderr).toContain('"garden" has 2 sessions')
    expect(stderr).toContain('scrollback resume garden:latest')
  })
})
