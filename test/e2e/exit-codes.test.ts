import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstPlatform } from '../first-platform.ts'
import { packageFolder, program, run, runProcess, variablesOf } from '../program.ts'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  sharedHome,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const frozen = (name: string): string => join(import.meta.dirname, 'output', name)

/** A command line, its stderr, and its exit code. Its stdout has to be empty. */
function faultOf(home: string, args: readonly string[]): string {
  const { stdout, stderr, code } = run(args, home)
  expect(stdout, args.join(' ')).toBe('')
  return `$ scrollback ${args.join(' ')}\n${stderr.replaceAll(home, '~').replaceAll(packageFolder, '<package>')}exit ${code}\n`
}

describe('error messages', () => {
  it('say what to do where the system knows no home directory of the user, as in a container', () => {
    const home = temporaryHome()
    const unknown = put(
      join(home, 'unknown-user.mjs'),
      `import os from 'node:os'
       import { syncBuiltinESMExports } from 'node:module'
       const fail = () => { throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT') }
       Object.assign(os, { homedir: fail, userInfo: fail })
       syncBuiltinESMExports()`,
    )
    for (const HOME of [undefined, '']) {
      const env = { HOME, NODE_OPTIONS: `--import=${unknown}` }
      expect(runProcess(['sessions', '--all'], home, { env })).toMatchObject({
        stdout: '',
        stderr:
          'scrollback: HOME is not set, and the system knows no home directory of this user.\n' +
          'Set HOME to the directory that has the folders of your agents, for example: export HOME=/home/ann\n',
        code: 1,
      })
    }
    putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
    const known = runProcess(['sessions', '--all'], home, { env: { NODE_OPTIONS: `--import=${unknown}` } })
    expect(known).toMatchObject({ code: 0 })
  })

  it('state what is wrong, where, and what to do', async () => {
    const home = temporaryHome()
    const lines = [
      ['sessions', 'nosuch', '--demo'],
      ['read', 'nosuch', '--demo'],
      ['read', 'ffff0000', '--demo'],
      ['sessions', 'east', '--demo'],
      ['read', 'dev', '--demo'],
      ['sessions', '--agent', 'nobody', '--demo'],
      ['read', './README.md', '--demo'],
      ['sessions', '--since', 'someday', '--demo'],
      ['sessions', '--until', '2026-02-31', '--demo'],
      ['sessions', '--kind', 'human,robot', '--demo'],
      ['sessions', '--limit', 'few', '--demo'],
      ['sessions', '--limit', '-1', '--demo'],
      ['sessions', '--platform', 'cursor', '--demo'],
      ['sessions', 'one', 'two', '--demo'],
      ['sessions', '--nonsense'],
      ['read', '--format', 'html', '--demo'],
      ['read', '--voice', 'a,b,c', '--demo'],
      ['read', '--budget', 'much', '--demo'],
      ['read', '/etc/hostname'],
      ['--claude-dir', '/no/such/folder'],
      ['sesions'],
      ['help', 'sesions'],
      ['completions'],
      ['completions', 'tcsh'],
      ['serve', '--port', '99999', '--demo'],
      ['receive', '--port', '65536'],
      ['collect', 'file:/tmp/none', '--history', 'foo', '--demo'],
    ].map((args) => faultOf(home, args))
    await expect(firstPlatform(lines.join('\n'))).toMatchFileSnapshot(frozen('faults.txt'))
  })

  it('list the sessions that an ambiguous id may mean', () => {
    const home = temporaryHome()
    for (const number of [1, 2]) putClaude(home, uuid(number), [claude.user(1, `seed ${number}`)])
    const { stderr, code } = run(['read', uuid(1).slice(0, 8)], home)
    expect(code).toBe(2)
    expect(stderr.replaceAll(home, '~')).toMatchInlineSnapshot(`
      "scrollback: "0a1b2c3d" is ambiguous: 2 session ids begin with it:
        0a1b2c3d-1111-4222-8333-000000000001  ~/.claude/projects/-home-ann-garden/0a1b2c3d-1111-4222-8333-000000000001.jsonl
        0a1b2c3d-1111-4222-8333-000000000002  ~/.claude/projects/-home-ann-garden/0a1b2c3d-1111-4222-8333-000000000002.jsonl
      Use a longer part of the id.
      "
    `)
  })
})

describe('exit code 3: partly done', () => {
  const twoSessions = (home: string) => {
    putClaude(home, uuid(1), [claude.user(1, 'How many ferns?')])
    putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'Water the moss')])
  }

  it('reports what could not be unpacked, and shows the rest', () => {
    const home = temporaryHome()
    twoSessions(home)
    const broken = Buffer.from('this was never compressed')
    putOpenclaw(home, 'fern.jsonl.reset.2026-11-01T10-00-00.000Z.zst', broken)
    for (const args of [
      ['sessions', '--all'],
      ['read', '--all'],
      ['sessions', '--all', '--json'],
    ]) {
      const { stdout, stderr, code } = run(args, home)
      expect(stdout).toContain('Water the moss')
      expect(stdout).toContain('How many ferns?')
      expect({ stderr: stderr.replaceAll(home, '~'), code }).toMatchInlineSnapshot(`
        {
          "code": 3,
          "stderr": "~/.openclaw/agents/main/sessions/fern.jsonl.reset.2026-11-01T10-00-00.000Z.zst cannot be unpacked: all or a part of it is not compressed
        ",
        }
      `)
    }
  })

  it('reports a link to a missing file', () => {
    const home = temporaryHome()
    twoSessions(home)
    symlinkSync('/no/such/file', join(home, '.openclaw/agents/main/sessions/gone.jsonl'))
    const { stdout, stderr, code } = run(['sessions', '--all'], home)
    expect(stdout).toContain('2 sessions')
    expect({ stderr: stderr.replaceAll(home, '~'), code }).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "~/.openclaw/agents/main/sessions/gone.jsonl: is a link to no transcript of its folder; not followed
      ",
      }
    `)
  })

  it('reports a session index that is not JSON, and reads the transcripts without it', () => {
    const home = temporaryHome()
    twoSessions(home)
    put(join(home, '.openclaw/agents/main/sessions/sessions.json'), '{"agent:main:main": {')
    const { stdout, stderr, code } = run(['sessions', '--all'], home)
    expect(stdout).toContain('Water the moss')
    expect(stderr).toContain('titles and kinds come from the transcripts alone')
    expect(code).toBe(3)
  })

  it('is not used for damaged lines, which are only counted', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'whole')])
    put(
      join(home, '.claude/projects/-x', `${uuid(2)}.jsonl`),
      `{"type":"us\n${JSON.stringify(claude.user(2, 'after the tear'))}\n`,
    )
    const { stdout, stderr, code } = run(['sessions', '--all'], home)
    expect(stdout).toContain('after the tear')
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  })
})

describe('the process', () => {
  const shell = (script: string, home: string) =>
    spawnSync('bash', ['-c', script], {
      encoding: 'utf8',
      cwd: home,
      env: variablesOf(home, { NODE: process.execPath, PROGRAM: program }),
    })

  it('ends quietly if the reader of its output goes away', () => {
    const home = temporaryHome()
    const long = 'a fern and a moss and a pump '.repeat(4000)
    for (let number = 1; number <= 8; number++)
      putClaude(home, uuid(number), [claude.user(number, long), claude.reply(number + 20, [text(long)])])
    for (const args of [
      'read --all',
      'read --all --full',
      'read --all --format jsonl',
      'sessions --all --json',
    ]) {
      const { stdout, stderr } = shell(
        `"$NODE" "$PROGRAM" ${args} | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`,
        home,
      )
      expect({ args, stdout, stderr }).toEqual({ args, stdout: '0\n', stderr: '' })
    }
  })

  it('accepts global flags before and after the command, and flags of a command after it', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'of the first')])
    put(join(home, 'other/projects/-x', `${uuid(2)}.jsonl`), [claude.user(2, 'of the second')])
    const { stdout } = run(['--claude-dir', '.claude', 'sessions', '--all', '--claude-dir', 'other'], home)
    expect(stdout).toMatch(/of the second[\s\S]*of the first/)
    expect(run(['--demo', 'sessions', '--all'], home).stdout).toBe(
      run(['sessions', '--all', '--demo'], home).stdout,
    )
    expect(run(['--help', 'read'], home).stdout).toBe(run(['help', 'read'], home).stdout)
    expect(run(['--limit', '3', 'sessions'], home)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('follow its name: scrollback sessions --limit 3\n'),
    })
    expect(run(['--demo', '--nonsense'], home)).toMatchObject({
      code: 2,
      stderr: "scrollback: unknown option '--nonsense'\nSee: scrollback --help\n",
    })
  })

  it('accepts a word that looks like a flag as a value', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'the --json flag'),
      claude.reply(2, [text('a flag of this sort')]),
    ])
    expect(run(['read', '--all', '--grep', '--json'], home).stdout).toContain('the --json flag')
    expect(run(['search', '--', '--json'], home).stdout).toContain('the --json flag')
    const { stdout } = run(['search', 'flag', '-sort'], home)
    expect(stdout).toContain('the --json flag')
    expect(stdout).not.toContain('of this sort')
  })

  const older = ['/usr/bin/node', '/usr/local/bin/node'].find(
    (path) =>
      existsSync(path) &&
      Number(spawnSync(path, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' }).stdout) < 24,
  )
  it.skipIf(!older)('prints what to do on an older Node (skipped if none is installed)', () => {
    const { stdout, stderr, status } = spawnSync(older!, [program, 'sessions'], { encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 })
    expect(stderr.replace(/Node \d+\.\d+\.\d+/, 'Node x')).toMatchInlineSnapshot(`
      "scrollback needs Node 24 or newer; this is Node x.
      Install it (https://nodejs.org), or in a checkout of the project use: npm start -- <command>
      "
    `)
  })
})

it.each([
  ['sessions', '--all', '--since', 'someday'],
  ['read', 'garden', '--until', 'someday'],
  ['stats', '--since', 'someday'],
  ['search', 'x', '--since', 'someday'],
  ['runs', '--since', 'someday'],
  ['memory', '--at', 'someday'],
  ['sessions', '--all', '--since=2026-11-02', '--until=2026-11-01'],
  ['stats', '--since=today', '--until=yesterday'],
  ['read', 'garden', '--since=1d', '--until=2d'],
  ['search', 'x', '--since=2026-11', '--until=2026-10'],
  ['standup', '--since=today', '--until=yesterday'],
  ['sessions', '--kind', 'robots'],
  ['read', 'garden', '--budget', 'much'],
  ['read', 'garden', '--voice', 'a,b,c'],
  ['secrets', '--kind', 'nothing-like-it'],
  ['export', 'garden', '--voice', 'a,b,c'],
  ['search', ''],
])('a wrong value is rejected before anything is indexed: %s %s %s %s', (...args) => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'seed')])
  expect(run(args, home)).toMatchObject({ stdout: '', code: 2 })
  expect(existsSync(join(home, '.local/share/scrollback'))).toBe(false)
})

describe('a command', () => {
  /** Each looks for something that is not there, in a home with one session. */
  const looking: Record<string, string[]> = {
    projects: ['--since', '1d'],
    sessions: ['--all', '--since', '1d'],
    session: ['nothing-like-it'],
    read: ['--all', '--grep', 'zebra'],
    search: ['zebra'],
    runs: ['--all'],
    stats: ['--since', '1d'],
    cron: [],
    memory: [],
    follow: ['nothing-like-it'],
    resume: ['nothing-like-it'],
    restore: ['nothing-like-it', '--condensed'],
    pack: ['nothing-like-it', '--out', 'x.pack'],
    move: ['/nowhere/at/all', '.'],
    changes: ['latest'],
    why: ['nothing-like-it.ts'],
    forget: ['nothing-like-it'],
    devlog: ['garden', '--since', '1d'],
    standup: ['--since', '1d'],
    export: ['--all', '--since', '1d'],
  }
  /** These check or do something. To have found nothing is their success. */
  const doing: Record<string, string[]> = {
    secrets: ['--all'],
    tag: [],
    collect: ['--status'],
    doctor: [],
    meaning: [],
    index: [],
    completions: ['bash'],
  }
  /** These serve others, or need a team store, a client or a file. */
  const others = [
    'help',
    'keep',
    'handoff',
    'unpack',
    'statusline',
    'recall',
    'setup',
    'receive',
    'store',
    'serve',
    'mcp',
  ]

  const home = sharedHome()
  putClaude(home, uuid(1), [claude.user(1, 'water the ferns')])

  it.each(Object.entries(looking))('that finds nothing ends with exit code 1: %s %j', (name, args) => {
    const { stdout, stderr, code } = run([name, ...args], home)
    expect({ code, tells: stdout + stderr !== '' }).toEqual({ code: 1, tells: true })
  })

  it.each(Object.entries(doing))('that has nothing to do ends with exit code 0: %s %j', (name, args) => {
    expect(run([name, ...args], home)).toMatchObject({ code: 0 })
  })

  it('is in one of these lists', () => {
    const listed = run(['--help'], temporaryHome())
      .stdout.match(/^ {2}[a-z]+(?= )/gm)!
      .filter((name) => name.trim() !== 'scrollback')
    const known = [...Object.keys(looking), ...Object.keys(doing), ...others]
    expect(listed.map((name) => name.trim()).filter((name) => !known.includes(name))).toEqual([])
  })
})
