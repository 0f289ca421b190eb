import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkout, type Json, json, run } from '../program.ts'
import { put, TOKEN, temporaryHome } from '../records.ts'

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000001'
let home = ''
beforeEach(() => {
  home = temporaryHome()
})

const promptLine = (uuid: string, content: string, at = '2026-11-01T08:00:00.000Z'): string =>
  `${JSON.stringify({ type: 'user', uuid, cwd: '/srv/fern', timestamp: at, message: { role: 'user', content } })}\n`

const write = (name: string, text: string): string => put(join(home, '.claude', name), text)

const transcript = (text: string): string => write(`projects/-srv-fern/${SESSION}.jsonl`, text)
const storeFolder = (): string => join(home, '.local/share/scrollback')
const ask = (...args: string[]) => run(args, home)

describe('the store', () => {
  it('is only accessible to its owner', () => {
    transcript(promptLine('u1', 'water the fern'))
    ask('index')
    expect((statSync(storeFolder()).mode & 0o777).toString(8)).toBe('700')
    expect((statSync(join(storeFolder(), 'store.sqlite')).mode & 0o777).toString(8)).toBe('600')
  })

  it('contains a transcript after it is gone, and the time since', () => {
    const path = transcript(promptLine('u1', 'water the fern'))
    ask('index')
    rmSync(path)
    expect(ask('sessions', '--all').stdout).toContain('[file gone] water the fern')
    const { stdout, code } = ask('read', 'aaaaaaaa')
    expect(stdout).toContain('file gone since')
    expect(stdout).toContain('  water the fern')
    expect(code).toBe(0)
    expect(json(home, 'search', 'fern').hits).toHaveLength(1)
  })

  it('is rejected if a newer version wrote it', () => {
    transcript(promptLine('u1', 'water the fern'))
    ask('index')
    const database = new DatabaseSync(join(storeFolder(), 'store.sqlite'))
    database.exec('PRAGMA user_version = 99')
    database.close()
    const { stderr, code } = ask('sessions', '--all')
    expect(stderr).toContain('was written by a newer version of scrollback (its format is 99')
    expect(stderr).toContain('Update scrollback')
    expect(code).toBe(1)
  })

  it('is set aside if it is damaged, and created again', () => {
    transcript(promptLine('u1', 'water the fern'))
    ask('index')
    writeFileSync(
      join(storeFolder(), 'store.sqlite'),
      'this is no database at all, but it is long enough to be one',
    )
    const { stdout, stderr, code } = ask('sessions', '--all')
    expect(stdout).toContain('water the fern')
    expect(stderr).toContain('was damaged, or written by an early version. It was moved to')
    expect(code).toBe(0)
    expect(readdirSync(storeFolder()).some((name) => name.includes('set-aside'))).toBe(true)
  })

  it('is set aside if values in it are damaged, and the next command creates it again', () => {
    transcript(promptLine('u1', 'water the fern'))
    ask('index')
    const path = join(storeFolder(), 'store.sqlite')
    const bytes = readFileSync(path, 'latin1')
    writeFileSync(path, bytes.replaceAll('"path":', '"path" '), 'latin1')
    const { stdout, stderr, code } = ask('sessions', '--all')
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^scrollback: The store was damaged\. It was moved to \S+\.\nRun the command again: it rebuilds the store from the transcripts\.\n$/,
    )
    expect(code).toBe(1)
    expect(ask('sessions', '--all')).toMatchObject({
      stdout: expect.stringContaining('water the fern'),
      code: 0,
    })
  })

  it('is verified by doctor --deep', () => {
    transcript(promptLine('u1', 'water the fern') + promptLine('u2', 'and the moss'))
    const { stdout, code } = ask('doctor', '--deep')
    expect(stdout).toContain('Nothing is missing; every file was read again and compared.')
    expect(code).toBe(0)
  })
})

describe('prompts of a purged session', () => {
  const prompt = (display: string, minutes: number, more: object = {}): string =>
    `${JSON.stringify({ display, pastedContents: {}, timestamp: 1769844370957 + minutes * 60_000, project: '/srv/fern', ...more })}\n`

  it('are recovered from the prompt history, with pasted text', () => {
    const pastedContents = { 1: { id: 1, type: 'text', content: 'line one\nline two' } }
    write(
      'history.jsonl',
      prompt('water the fern', 0, { sessionId: SESSION }) +
        prompt('see [Pasted text #1 +2 lines] now', 1, { sessionId: SESSION, pastedContents }) +
        prompt('/clear', 2, { sessionId: SESSION }),
    )
    const [session] = json(home, 'sessions', '--all').sessions
    expect(session).toMatchObject({ id: SESSION, state: 'purged', messages: { human: 2, agent: 0 } })
    expect(ask('read', SESSION).stdout).toContain('  see line one\n  line two now')
  })

  it('are ignored if there is a transcript', () => {
    write('history.jsonl', prompt('water the fern', 0, { sessionId: SESSION }))
    ask('index')
    transcript(promptLine('u1', 'water the fern'))
    expect(json(home, 'sessions', '--all').sessions).toMatchObject([{ state: 'live' }])
  })

  it('of Gemini CLI are in a file for each project, beside commands and prompts that have a transcript', () => {
    const own = temporaryHome()
    cpSync(join(checkout, 'test/fixtures/gemini-cli/words'), own, { recursive: true })
    const typed = (sessionId: string, message: string) => ({
      ...{ sessionId, messageId: 0, type: 'user', message, timestamp: '2026-11-01T09:00:00.000Z' },
    })
    const logs = [
      typed('01feed00-0000-4000-8000-000000000001', 'Which fern is dry?'),
      typed('77feed00-0000-4000-8000-000000000077', 'water the fern'),
      typed('77feed00-0000-4000-8000-000000000077', `use ${TOKEN}`),
      typed('77feed00-0000-4000-8000-000000000077', '/quit'),
    ]
    put(join(own, '.gemini/tmp/garden/logs.json'), JSON.stringify(logs, null, 2))
    const { sessions } = json(own, 'sessions', '--all')
    const found = (of: Json[]) => of.map(({ id, state, cwd, messages }) => [id, state, cwd, messages.human])
    expect(found(sessions)).toEqual([
      ['01feed00', 'live', '/home/ann/garden', expect.any(Number)],
      ['77feed00', 'purged', '/home/ann/garden', 2],
    ])
    const archive = join(own, 'archive')
    run(['collect', 'run', archive, '--history', 'all'], own)
    expect(found(json(own, 'sessions', '--all', '--from', archive).sessions)).toEqual(found(sessions))
    expect(run(['read', '77feed00'], own).stdout).toMatch(/water the fern\n\s*\n[\s\S]*use \[REDACTED:/)
  })

  it('are shown without their secrets', () => {
    write('history.jsonl', prompt(`use ${TOKEN}`, 0, { sessionId: SESSION }))
    expect(ask('read', SESSION).stdout).toContain('use [REDACTED:')
    expect(ask('search', 'use', '--json').stdout).not.toContain(TOKEN)
  })
})

it('transcripts that will soon be deleted are reported by the bare command, and --retention changes the day', () => {
  const path = transcript(promptLine('u1', 'water the fern'))
  const old = Date.now() / 1000 - 25 * 86_400
  utimesSync(path, old, old)
  expect(ask().stdout).toContain('! Claude Code deletes 1 transcript of fern within 7 days')
  expect(ask('--retention', '90').stdout).not.toContain('deletes')
})

it('search in the store finds words, phrases, identifiers, parts of words and Chinese', () => {
  transcript(
    promptLine('u1', 'rename fooBar in src/auth.ts to snake_case, 修复登录页面, keep the transcript'),
  )
  const words = ['rename', 'foobar', 'auth.ts', 'snake_case', 'script', 'Bar', '登录']
  for (const query of [...words, '"keep the transcript"'])
    expect(json(home, 'search', query).total, query).toBe(1)
  expect(json(home, 'search', 'nothing').total).toBe(0)
})
