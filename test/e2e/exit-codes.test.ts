import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, program, run } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const frozen = (name: string): string => join(import.meta.dirname, 'output', name)

/** A command line, what it says on stderr, and its exit code; stdout has to stay empty. */
function faultOf(home: string, args: readonly string[]): string {
  const { stdout, stderr, code } = run(args, home)
  expect(stdout, args.join(' ')).toBe('')
  return `$ scrollback ${args.join(' ')}\n${stderr.replaceAll(home, '~').replaceAll(checkout, '<package>')}exit ${code}\n`
}

describe('faults', () => {
  it('say what is wrong, where, and what to do', async () => {
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
    ].map((args) => faultOf(home, args))
    await expect(lines.join('\n')).toMatchFileSnapshot(frozen('faults.txt'))
  })

  it('name the sessions that an id may mean', () => {
    const home = temporaryHome()
    for (const number of [1, 2]) putClaude(home, uuid(number), [claude.user(1, `seed ${number}`)])
    const { stderr, code } = run(['read', uuid(1).slice(0, 8)], home)
    expect(code).toBe(2)
    expect(stderr.replaceAll(home, '~')).toMatchInlineSnapshot(`
      "scrollback: "0a1b2c3d" begins 2 session ids:
        0a1b2c3d-1111-4222-8333-000000000001  ~/.claude/projects/-home-ann-garden/0a1b2c3d-1111-4222-8333-000000000001.jsonl
        0a1b2c3d-1111-4222-8333-000000000002  ~/.claude/projects/-home-ann-garden/0a1b2c3d-1111-4222-8333-000000000002.jsonl
      Give more of the id.
      "
    `)
  })
})

describe('exit code 3: partly done', () => {
  const settled = (home: string) => {
    putClaude(home, uuid(1), [claude.user(1, 'How many ferns?')])
    putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'Water the moss')])
  }

  it('tells what could not be unpacked and shows the rest', () => {
    const home = temporaryHome()
    settled(home)
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
          "stderr": "~/.openclaw/agents/main/sessions/fern.jsonl.reset.2026-11-01T10-00-00.000Z.zst is not what its name says: it cannot be unpacked
        ",
        }
      `)
    }
  })

  it('tells of a link that leads nowhere', () => {
    const home = temporaryHome()
    settled(home)
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

  it('tells of an index that is no JSON, and reads the transcripts without it', () => {
    const home = temporaryHome()
    settled(home)
    put(join(home, '.openclaw/agents/main/sessions/sessions.json'), '{"agent:main:main": {')
    const { stdout, stderr, code } = run(['sessions', '--all'], home)
    expect(stdout).toContain('Water the moss')
    expect(stderr).toContain('titles and kinds come from the transcripts alone')
    expect(code).toBe(3)
  })

  it('is 0 where lines are damaged: they are counted, and nothing else is lost', () => {
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
      env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, NODE: process.execPath, PROGRAM: program },
    })

  it('ends quietly when the reader of its output goes away', () => {
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

  it('says its version, and takes flags before the command', () => {
    const home = temporaryHome()
    expect(run(['--version'], home).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(run(['--demo', 'sessions', '--all'], home).stdout).toBe(
      run(['sessions', '--all', '--demo'], home).stdout,
    )
  })

  const older = ['/usr/bin/node', '/usr/local/bin/node'].find(
    (path) =>
      existsSync(path) &&
      Number(spawnSync(path, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' }).stdout) < 24,
  )
  it.skipIf(!older)('says what to do on an older Node (skipped where none is installed)', () => {
    const { stdout, stderr, status } = spawnSync(older!, [program, 'sessions'], { encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 })
    expect(stderr.replace(/Node \d+\.\d+\.\d+/, 'Node x')).toMatchInlineSnapshot(`
      "scrollback needs Node 24 or newer; this is Node x.
      Install it (https://nodejs.org), or in a checkout of the project use: npm start -- <command>
      "
    `)
  })
})

describe('a wrong value', () => {
  it.each([
    ['sessions', '--all', '--since', 'someday'],
    ['read', 'garden', '--until', 'someday'],
    ['stats', '--since', 'someday'],
    ['search', 'x', '--since', 'someday'],
    ['runs', '--since', 'someday'],
    ['memory', '--at', 'someday'],
    ['sessions', '--kind', 'robots'],
    ['read', 'garden', '--budget', 'much'],
    ['read', 'garden', '--voice', 'a,b,c'],
    ['secrets', '--kind', 'nothing-like-it'],
    ['export', 'garden', '--voice', 'a,b,c'],
    ['search', ''],
  ])('is refused before anything is indexed: %s %s %s %s', (...args) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'seed')])
    expect(run(args, home)).toMatchObject({ stdout: '', code: 2 })
    expect(existsSync(join(home, '.local/share/scrollback'))).toBe(false)
  })
})
