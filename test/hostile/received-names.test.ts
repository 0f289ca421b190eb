import { hash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { encodedName } from '../../src/deliver/archive/layout.ts'
import { restoreArchive } from '../../src/deliver/archive/restore.ts'
import { unpackHook } from '../../src/deliver/archive/tree-writer.ts'
import { anyCharacter } from '../any-character.ts'
import { collect } from '../deliveries.ts'
import { batchOf } from '../envelopes.ts'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { openArchive } from '../small-archives.ts'

const DEVICE = hash('sha256', 'laptop', 'hex').slice(0, 32)
const OTHER = hash('sha256', 'desktop', 'hex').slice(0, 32)
const PATH = '~/.claude/projects/-a/s.jsonl'

let ids = 0
/** A record from an untrusted sender, as a line. */
const record = (more: object = {}): string =>
  `${JSON.stringify({
    v: 1,
    id: hash('md5', `record ${ids++}`, 'hex'),
    at: '2026-11-01T10:00:00.000Z',
    platform: 'claude-code',
    kind: 'transcript',
    device: 'laptop',
    deviceId: DEVICE,
    agent: 'claude',
    session: 's',
    project: null,
    path: PATH,
    line: 1,
    offset: 0,
    generation: 1,
    raw: { text: 'words' },
    redactions: 0,
    ...more,
  })}\n`

/** Unpacks records, and returns the content of the files. */
async function unpack(records: readonly string[], folder = temporaryHome()) {
  const archive = join(folder, 'archive')
  const sink = await openArchive(archive, 1 << 24)
  for (let at = 0; at < records.length; at += 1000) await sink.write(batchOf(records.slice(at, at + 1000)))
  await sink.close?.()
  const trees = join(folder, 'trees')
  const restored = restoreArchive(archive, trees)
  const files = new Map(
    readdirSync(trees, { recursive: true, encoding: 'utf8' })
      .filter((name) => lstatSync(join(trees, name)).isFile() && name !== 'progress.json')
      .map((name) => [name, readFileSync(join(trees, name), 'utf8')]),
  )
  return { ...restored, files, folder, packed: bytesBelow(archive), unpacked: bytesBelow(trees) }
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)

const words = (text: string) => ({ raw: { text } })

describe('the names of received records', () => {
  const alike: [string, object, object][] = [
    ['devices of one name', { deviceId: DEVICE }, { deviceId: OTHER }],
    ['devices that differ in one punctuation mark', { deviceId: 'a/b' }, { deviceId: 'a_b' }],
    [
      'devices from before they had ids',
      { deviceId: undefined, device: 'a b/c' },
      { deviceId: undefined, device: 'a b_c' },
    ],
    [
      'roots',
      { path: '/srv/a_b/.claude/projects/-a/s.jsonl' },
      { path: '/srv/a/b/.claude/projects/-a/s.jsonl' },
    ],
    [
      'homes',
      { path: '/home/ann/.claude/projects/-a/s.jsonl' },
      { path: '/home/bob/.claude/projects/-a/s.jsonl' },
    ],
    ['letters', { path: '~/.claude/projects/-ä/s.jsonl' }, { path: '~/.claude/projects/-ö/s.jsonl' }],
    ['escapes', { path: '~/.claude/projects/%2F/s.jsonl' }, { path: '~/.claude/projects/%252F/s.jsonl' }],
    ['backslashes', { path: '~/.claude/projects/a\\b/s.jsonl' }, { path: '~/.claude/projects/a/b/s.jsonl' }],
    [
      'long names',
      { path: `~/.claude/projects/${'x'.repeat(300)}a/s.jsonl` },
      { path: `~/.claude/projects/${'x'.repeat(300)}b/s.jsonl` },
    ],
  ]
  it.each(alike)('never hide each other: %s', async (_, one, other) => {
    const { files, strange } = await unpack([
      record({ ...one, ...words('one') }),
      record({ ...other, ...words('other') }),
    ])
    expect(strange).toBe(0)
    expect([...files.values()].sort()).toEqual(['{"text":"one"}\n', '{"text":"other"}\n'])
  })

  it('differ if the texts differ, and stay in their folder', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('.', '%', '2', 'F', '/', '\\', ' ', 'C', 'O', 'N', '\ud800') }),
      fc.string({ minLength: 190, maxLength: 230 }),
    )
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [encodedName(one), encodedName(other)]
        expect(a === b).toBe(one === other)
        expect(a).toMatch(/^[\w.@% -]{1,255}$/)
        expect(['.', '..']).not.toContain(a)
      }),
      { numRuns: 2000 },
    )
    for (const [one, other] of [
      ['%', ''],
      ['.', '%2E'],
      ['con', '%63on'],
      ['a ', 'a%20'],
    ])
      expect(encodedName(one!)).not.toBe(encodedName(other!))
  })

  it('that need a file where another needs a folder affect neither the others nor reading', async () => {
    const { files, strange, strangeLines } = await unpack([
      record({ path: '~/.claude/projects/-a/s.jsonl' }),
      record({ path: '~/.claude/projects/-a/s.jsonl/below.jsonl' }),
      record({ path: '~/.claude/projects/-b/memory/x.md', kind: 'memory', raw: { content: 'text' } }),
      record({ path: '~/.claude/projects/-b/memory', kind: 'memory', raw: { content: 'text' } }),
      record({ path: '~/.claude/projects/-c/s.jsonl' }),
    ])
    expect(files.size).toBe(3)
    expect(strange).toBe(2)
    expect(strangeLines.map(({ line }) => line)).toEqual([2, 4])
    expect(strangeLines[0]?.reason).toContain('its file cannot be created')
  })

  it('are reported, one bad record among good ones, with exit code 3', async () => {
    const { folder } = await unpack([
      record({ ...words('one') }),
      record({ line: 1e12 }),
      record({ line: 2, raw: { type: 'user' } }),
    ])
    const { code, stderr } = run(['sessions', '--all', '--from', join(folder, 'archive')], folder)
    expect(code).toBe(3)
    expect(stderr).toMatch(/record 2 of the frame at byte 0 was skipped: its line is \d+ lines after/)
  })
})

describe('an archive that unpacks to a huge size', () => {
  const MOST = 64 * 1024 * 1024

  it.each<[string, () => string[]]>([
    [
      'gaps of lines',
      () =>
        Array.from({ length: 100 }, (_, number) =>
          record({ path: `~/.claude/projects/-a/${number}.jsonl`, line: 9_999_999 }),
        ),
    ],
    [
      'long lines',
      () =>
        Array.from({ length: 40 }, (_, number) =>
          record({ line: number + 1, raw: { text: 'x'.repeat(4_000_000) } }),
        ),
    ],
    [
      'memory documents',
      () =>
        Array.from({ length: 40 }, (_, number) =>
          record({
            kind: 'memory',
            path: `~/.claude/projects/-a/memory/${number}.md`,
            raw: { content: 'x'.repeat(4_000_000) },
          }),
        ),
    ],
  ])('is unpacked up to a limit, and omissions are reported: %s', async (_, records) => {
    const { packed, unpacked, strange, damaged } = await unpack([...records()])
    expect(packed).toBeLessThan(1_000_000)
    expect(unpacked).toBeLessThan(MOST + packed * 101)
    expect(strange + damaged.length).toBeGreaterThan(0)
  })
})

describe('unpacking an archive', () => {
  const entry = (number: number) =>
    record({
      platform: 'openclaw',
      kind: 'session-index',
      path: '~/.openclaw/agents/main/sessions/sessions.json',
      session: null,
      raw: { [`agent:main:${number}`]: { sessionId: `s${number}`, label: 'a title' } },
    })
  const job = (number: number) =>
    record({
      platform: 'openclaw',
      kind: 'cron-jobs',
      path: '~/.openclaw/cron/jobs.json',
      session: null,
      raw: { id: `j${number}`, name: 'Water the moss' },
    })

  it.each([
    ['entries of a session index', entry],
    ['jobs', job],
  ])('does work in proportion to its records: %s', async (_, make) => {
    const work = async (count: number): Promise<number> => {
      let bytes = 0
      unpackHook.bytes = (more) => {
        bytes += more
      }
      onTestFinished(() => {
        unpackHook.bytes = undefined
      })
      const { files } = await unpack(Array.from({ length: count }, (_, number) => make(number)))
      const [text] = [...files.values()]
      const { jobs } = JSON.parse(text!) as { jobs?: unknown[] }
      expect(jobs?.length ?? Object.keys(JSON.parse(text!) as object).length).toBe(count)
      return bytes
    }
    const [some, many] = [await work(500), await work(2000)]
    expect(many / some).toBeLessThan(4.5)
  })

  it('continues where it ended, for entries and lines alike', async () => {
    const { folder } = await unpack([entry(1), job(1), record(words('one'))])
    const { files, records } = await unpack(
      [entry(2), job(1), job(2), record({ line: 2, ...words('two') })],
      folder,
    )
    expect(records).toBe(4)
    const texts = [...files.values()].join('\n')
    expect(texts).toContain('"agent:main:1":{"sessionId":"s1","label":"a title"},"agent:main:2"')
    expect(texts.match(/"id":"j\d"/g)).toEqual(['"id":"j1"', '"id":"j2"'])
    expect(texts).toContain('{"text":"one"}\n{"text":"two"}\n')
  })

  it('continues the folder of a host if its records have a device id from then on', async () => {
    const { folder } = await unpack(
      [1, 2].map((line) => record({ deviceId: undefined, line, ...words(`${line}`) })),
    )
    const { files } = await unpack([record({ line: 3, ...words('3') })], folder)
    expect([...files.values()]).toEqual(['{"text":"1"}\n{"text":"2"}\n{"text":"3"}\n'])
    const other = await unpack([record({ line: 3, deviceId: OTHER, ...words('4') })], folder)
    expect(other.files.size).toBe(2)
  })
})

it.each([
  ['with separate states', []],
  ['with one state', ['--state', 'STATE']],
])('two homes on one host are never mixed, %s', (_, flags) => {
  const [one, other] = [temporaryHome(), temporaryHome()]
  const archive = `file:${join(one, 'archive')}`
  const own = flags.map((flag) => (flag === 'STATE' ? join(one, 'state.sqlite') : flag))
  putClaude(
    one,
    uuid(1),
    [1, 2, 3].map((number) => claude.user(number, `one ${number}`)),
  )
  putClaude(
    other,
    uuid(1),
    [4, 5].map((number) => claude.user(number, `other ${number}`)),
  )
  for (const home of [one, other])
    expect(collect(home, archive, '--device', 'laptop', ...own)).toMatchObject({ code: 0 })
  const { stdout, stderr } = run(['read', '--all', '--from', join(one, 'archive')], temporaryHome())
  expect(stderr).toBe('')
  for (const expected of ['one 1', 'one 2', 'one 3', 'other 4', 'other 5']) expect(stdout).toContain(expected)
})
