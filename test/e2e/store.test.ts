import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../program.ts'

const top = mkdtempSync(join(tmpdir(), 'scrollback-store-'))
afterAll(() => rmSync(top, { recursive: true }))

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000001'
let home = ''
let count = 0
beforeEach(() => {
  home = join(top, String(count++))
  mkdirSync(home)
})

const said = (uuid: string, content: string, at = '2026-11-01T08:00:00.000Z'): string =>
  `${JSON.stringify({ type: 'user', uuid, cwd: '/srv/fern', timestamp: at, message: { role: 'user', content } })}\n`

function write(name: string, text: string): string {
  const path = join(home, '.claude', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const transcript = (text: string): string => write(`projects/-srv-fern/${SESSION}.jsonl`, text)
const storeFolder = (): string => join(home, '.local/share/scrollback')
const told = (...args: string[]) => run(args, home)

describe('the store', () => {
  it('is made for its owner alone', () => {
    transcript(said('u1', 'water the fern'))
    told('index')
    expect((statSync(storeFolder()).mode & 0o777).toString(8)).toBe('700')
    expect((statSync(join(storeFolder(), 'store.sqlite')).mode & 0o777).toString(8)).toBe('600')
  })

  it('tells what a transcript said after it is gone, and since when', () => {
    const path = transcript(said('u1', 'water the fern'))
    told('index')
    rmSync(path)
    expect(told('sessions', '--all').stdout).toContain('[file gone] water the fern')
    const { stdout, code } = told('read', 'aaaaaaaa')
    expect(stdout).toContain('file gone since')
    expect(stdout).toContain('  water the fern')
    expect(code).toBe(0)
    expect(JSON.parse(told('search', 'fern', '--json').stdout).hits).toHaveLength(1)
  })

  it('is refused when a newer version wrote it', async () => {
    transcript(said('u1', 'water the fern'))
    told('index')
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(join(storeFolder(), 'store.sqlite'))
    database.exec('PRAGMA user_version = 99')
    database.close()
    const { stderr, code } = told('sessions', '--all')
    expect(stderr).toContain('was written by a newer version of scrollback (its format is 99')
    expect(stderr).toContain('Update scrollback')
    expect(code).toBe(1)
  })

  it('is set aside when it is damaged, and made anew', () => {
    transcript(said('u1', 'water the fern'))
    told('index')
    writeFileSync(
      join(storeFolder(), 'store.sqlite'),
      'this is no database at all, but it is long enough to be one',
    )
    const { stdout, stderr, code } = told('sessions', '--all')
    expect(stdout).toContain('water the fern')
    expect(stderr).toContain('was damaged. It was set aside as')
    expect(code).toBe(0)
    expect(readdirSync(storeFolder()).some((name) => name.includes('damaged'))).toBe(true)
  })

  it('is proven whole by the doctor', () => {
    transcript(said('u1', 'water the fern') + said('u2', 'and the moss'))
    const { stdout, code } = told('doctor', '--deep')
    expect(stdout).toContain('Nothing is missing; every file was read again and compared.')
    expect(code).toBe(0)
  })
})

describe('prompts of a session that was purged', () => {
  const prompt = (display: string, minutes: number, more: object = {}): string =>
    `${JSON.stringify({ display, pastedContents: {}, timestamp: 1769844370957 + minutes * 60_000, project: '/srv/fern', ...more })}\n`

  it('are recovered from the prompt history, pasted text and all', () => {
    const pastedContents = { 1: { id: 1, type: 'text', content: 'line one\nline two' } }
    write(
      'history.jsonl',
      prompt('water the fern', 0, { sessionId: SESSION }) +
        prompt('see [Pasted text #1 +2 lines] now', 1, { sessionId: SESSION, pastedContents }) +
        prompt('/clear', 2, { sessionId: SESSION }),
    )
    const [session] = JSON.parse(told('sessions', '--all', '--json').stdout).sessions
    expect(session).toMatchObject({ id: SESSION, state: 'purged', messages: { human: 2, agent: 0 } })
    expect(told('read', SESSION).stdout).toContain('  see line one\n  line two now')
  })

  it('are left to the transcript where there is one', () => {
    write('history.jsonl', prompt('water the fern', 0, { sessionId: SESSION }))
    told('index')
    transcript(said('u1', 'water the fern'))
    const { sessions } = JSON.parse(told('sessions', '--all', '--json').stdout)
    expect(sessions.map(({ state }: { state: string }) => state)).toEqual(['live'])
  })

  it('are shown without their secrets', () => {
    const key = ['ghp', 'k3Zq9XbT1vLw8RmC5yNd2HsJ7uPf4GaE6oQi'].join('_')
    write('history.jsonl', prompt(`use ${key}`, 0, { sessionId: SESSION }))
    expect(told('read', SESSION).stdout).toContain('use [REDACTED:')
    expect(told('search', 'use', '--json').stdout).not.toContain(key)
  })
})

describe('transcripts that are about to be deleted', () => {
  it('are told by the bare command, and --retention moves the day', () => {
    const path = transcript(said('u1', 'water the fern'))
    const old = Date.now() / 1000 - 25 * 86_400
    utimesSync(path, old, old)
    expect(told().stdout).toContain('! Claude Code deletes 1 transcript within 7 days')
    expect(told('--retention', '90').stdout).not.toContain('deletes')
  })
})

describe('the search', () => {
  it('finds words, phrases, identifiers, parts of words and Chinese', () => {
    transcript(said('u1', 'rename fooBar in src/auth.ts to snake_case, 修复登录页面, keep the transcript'))
    for (const query of [
      'rename',
      '"keep the transcript"',
      'foobar',
      'auth.ts',
      'snake_case',
      'script',
      'Bar',
      '登录',
    ])
      expect(JSON.parse(told('search', query, '--json').stdout).total, query).toBe(1)
    expect(JSON.parse(told('search', 'nothing', '--json').stdout).total).toBe(0)
  })
})
