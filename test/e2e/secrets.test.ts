import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { secrets } from '../../src/commands/secrets/command.ts'
import { agentDatabase } from '../agent-databases.ts'
import { answer, type Json, json, run } from '../program.ts'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  sharedHome,
  TOKEN,
  temporaryHome,
  uuid,
} from '../records.ts'

/** Invented, and assembled here so that the repository contains nothing shaped like a secret. */
const github = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
const amazon = ['k+/9Zq1Lr4Tb7Yd0Wf3', 'Xc6Ve9Us2Pm5No8Ih1Jg4'].join('')
const password = ['Tr4wl', '-n3t!'].join('')

const found = (home: string, ...args: string[]): Json => json(home, 'secrets', ...args)
const kinds = (home: string, ...args: string[]): string[] =>
  found(home, ...args).secrets.map(({ kind }: Json) => kind)

/**
 * The same token in two sessions and twice in one of them, once at a deeper level, and a cloud key in one.
 */
function fillWithSecrets(home: string): { home: string; first: string; second: string } {
  const first = putClaude(home, uuid(100), [
    claude.user(1, `use ${github}`),
    claude.user(2, 'grüße'),
    claude.result(3, 'toolu_1', JSON.stringify({ env: `AWS_SECRET_ACCESS_KEY=${amazon}`, token: github })),
  ])
  const second = putClaude(home, uuid(200), [claude.user(9, `GITHUB_TOKEN=${github}`)])
  return { home, first, second }
}

const { home, first, second } = fillWithSecrets(sharedHome())

describe('scrollback secrets', () => {
  it('lists every secret once, with location and time, and never a part of it', () => {
    const { stdout, code } = run(['secrets', '--all'], home)
    expect(code).toBe(0)
    expect(stdout).toBe(`KIND\tTAG\tPLACES\tSESSIONS\tFIRST\tLAST
github-token\t#1\t3\t2\t2026-11-01\t2026-11-01
aws-secret-key\t#1\t1\t1\t2026-11-01\t2026-11-01

2 secrets of 2 kinds in 4 places; 4 lines of 2 files searched.
Values are never shown. Every file and line: scrollback secrets --all --places
`)
    for (const args of [[], ['--places'], ['--json'], ['--no-redact'], ['--no-redact', '--json']]) {
      const shown = run(['secrets', '--all', ...args], home)
      for (const piece of [github.slice(4, 12), github.slice(-8), amazon.slice(0, 8), amazon.slice(-8)])
        expect(shown.stdout + shown.stderr).not.toContain(piece)
    }
  })

  it('shows file and line of each location, and in JSON the offset of the line', () => {
    const { stdout } = run(['secrets', '--all', '--places'], home)
    expect(stdout).toContain(`    ${first.replace(home, '~')}:1\n    ${first.replace(home, '~')}:3\n`)
    const { secrets: all, totals } = found(home, '--all')
    const [firstAt, lastAt, at] = ['01', '09', '03'].map((minute) => `2026-11-01T10:${minute}:00.000Z`)
    expect(all).toMatchObject([
      { tag: 'github-token#1', places: 3, sessions: 2, firstAt, lastAt },
      { tag: 'aws-secret-key#1', places: 1, sessions: 1, firstAt: at, lastAt: at },
    ])
    expect(all[0].at).toMatchObject([
      { path: first, line: 1 },
      { path: first, line: 3 },
      { path: second, line: 1 },
    ])
    for (const { at } of all)
      for (const { path, line, offset } of at) {
        const bytes = readFileSync(path)
        expect(bytes.subarray(0, offset).toString().split('\n').length).toBe(line)
        expect(bytes.toString('utf8', offset).startsWith('{')).toBe(true)
      }
    expect(totals).toMatchObject({ secrets: 2, places: 4, files: 2, lines: 4 })
    expect(totals.kinds).toEqual({ 'github-token': 1, 'aws-secret-key': 1 })
  })

  it('returns the shape that the command declares', () => {
    const parsed = found(home, '--all')
    expect((secrets.output() as z.ZodMiniObject).parse(parsed)).toEqual(parsed)
  })

  it('shows only the requested kinds, and lists the valid ones', () => {
    expect(kinds(home, '--all', '--kind', 'aws,stripe')).toEqual(['aws-secret-key'])
    const { stderr, code } = run(['secrets', '--all', '--kind', 'zebra'], home)
    expect(code).toBe(2)
    expect(stderr).toContain('unknown kind of secret "zebra"')
    expect(stderr).toContain('aws-secret-key')
  })

  it('searches one project, or the sessions of a time range', () => {
    const { home } = fillWithSecrets(temporaryHome())
    const orchard = { cwd: '/home/ann/orchard', sessionId: uuid(300) }
    putClaude(home, uuid(300), [claude.user(20, `password=${password}`, orchard)], '-home-ann-orchard')
    expect(kinds(home, 'orchard')).toEqual(['password'])
    expect(kinds(home, 'garden')).toEqual(['github-token', 'aws-secret-key'])
    expect(kinds(home, 'garden', '--kind', 'aws')).toEqual(['aws-secret-key'])
    expect(kinds(home, '--all', '--until', '2026-10-01')).toEqual([])
    expect(found(home, '--all', '--platform', 'openclaw').totals.files).toBe(0)
    expect(run(['secrets', 'nowhere'], home).code).toBe(1)
  })

  it('prints a message if nothing was found', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'hello'), claude.user(2, 'again')])
    expect(run(['secrets', '--all'], home)).toMatchObject({
      stdout: 'Nothing found in 2 lines of 1 file.\n',
      code: 0,
    })
    expect(run(['secrets', 'garden'], home).stdout).toContain(
      'To search every file: scrollback secrets --all',
    )
    expect(found(home, '--all')).toMatchObject({ version: 1, secrets: [], totals: { secrets: 0, lines: 2 } })
  })

  it('reads databases, prompts and memory too', () => {
    const home = temporaryHome()
    putOpenclaw(home, 'fern.jsonl', [openclaw.header('fern'), openclaw.user(1, `token: ${github}`)])
    const made = agentDatabase(join(home, '.openclaw'), 23)
    made.session('moss', [openclaw.header('moss'), openclaw.user(1001, `again ${github}`)])
    made.close()
    put(join(home, '.claude/history.jsonl'), [
      { display: `export TOKEN=${github}`, timestamp: Date.UTC(2026, 9, 1), project: '/home/ann/garden' },
    ])
    put(join(home, '.openclaw/workspace/MEMORY.md'), `# Keys\n\nThe one of the shop is ${github}\n`)
    const [secret, ...others] = found(home, '--all').secrets
    expect(others).toEqual([])
    expect(secret).toMatchObject({ kind: 'github-token', places: 4, sessions: 2 })
    expect(secret.firstAt).toBe('2026-10-01T00:00:00.000Z')
  })

  it('identifies equal secrets of different files across threads, and reads all files', () => {
    const home = temporaryHome()
    // Names that introduce secrets keep the first thread busy until the second has started. The other files
    // only have the length that makes a second one worth it.
    const slow = 'the token is a key to pass '.repeat(60_000)
    const long = 'fern and moss '.repeat(170_000)
    for (let number = 1; number <= 12; number++)
      putClaude(home, uuid(number), [
        { ...claude.user(number, `${github} ${number === 1 ? slow : long}`), sessionId: uuid(number) },
        { ...claude.user(number + 10, `password=${password}${number}`), sessionId: uuid(number) },
      ])
    const all: Json[] = found(home, '--all').secrets
    expect(all.filter(({ kind }) => kind === 'github-token')).toMatchObject([{ places: 12, sessions: 12 }])
    expect(all.filter(({ kind, places }) => kind === 'password' && places === 1)).toHaveLength(12)
    expect(all).toHaveLength(13)
  })

  it('continues after files that cannot be read, and reports them', () => {
    const { home } = fillWithSecrets(temporaryHome())
    put(
      join(home, '.openclaw/agents/main/sessions/fern.jsonl.reset.2026-11-01T10-00-00.000Z.zst'),
      Buffer.from('not packed'),
    )
    const { stdout, stderr, code } = run(['secrets', '--all'], home)
    expect(stdout).toContain('github-token')
    expect(stderr).toContain('cannot be unpacked')
    expect(code).toBe(3)
  })

  it.each([40, 80, 200])('fits the table into %i columns', async (columns) => {
    const environment = { home, variables: {} }
    const { text } = await answer('secrets', { all: true }, environment, {
      screen: { columns, terminal: true },
    })
    const rows = text.split('\n').slice(0, 3)
    expect(rows[0]).toContain('KIND')
    if (columns >= 80) expect(rows.filter((row) => row.length > columns)).toEqual([])
  })
})

it('finds a session again whose path contains a secret, in a process that has not compared the files', () => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'water the moss')], `-home-ann-${TOKEN}`)
  const answers = () =>
    [
      ['search', 'moss'],
      ['sessions', '--all'],
      ['read', uuid(1)],
    ].map((args) => {
      const { stdout, ...answer } = run([...args, '--json'], home)
      // It depends on the time of the search.
      return { ...answer, stdout: stdout.replace(/"score":[ \d.]+/, '') }
    })
  const first = answers()
  for (const { code, stdout, stderr } of first) {
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('water the moss')
    expect(stdout).not.toContain(TOKEN)
  }
  for (let again = 0; again < 2; again++)
    expect(run(['index', '--json'], home).stdout).toContain('"unchanged": 1')
  expect(answers()).toEqual(first)
})
