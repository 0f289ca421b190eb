import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultOf } from '../../src/context/read-files.ts'
import { parseShortened } from '../../src/io/long-values.ts'
import { isWithinLimits, parseLine, parseText } from '../../src/io/parse-line.ts'
import { redact } from '../../src/redact/redact.ts'
import { simplify } from '../../src/search/characters.ts'
import { collectWords, indexedTokens, indexText } from '../../src/search/words.ts'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

/** More of one kind than fits the stack of the regular expression engine. */
const MANY = 2_600_000
const RUNS = [
  'a',
  'é',
  '的',
  'あ',
  '한',
  '😀',
  '1',
  '[',
  '"',
  '\\',
  '=',
  '\u0301',
  'aB3',
  '<a>',
  '\\u0041',
  'x.',
]
const runOf = (unit: string): string => unit.repeat(Math.ceil(MANY / unit.length))

describe('a message of millions of characters without a space', () => {
  it.each(RUNS)('is indexed, whatever its characters: %j', (unit) => {
    const text = runOf(unit)
    expect(indexText(text).length).toBeGreaterThan(0)
    collectWords(text, { add: () => true }, [])
    expect(redact(text).length).toBeGreaterThan(0)
  })

  it('is one token, or as many pairs as it has characters', () => {
    expect(indexedTokens(runOf('é'))).toHaveLength(1)
    expect(indexedTokens('的'.repeat(5000))).toHaveLength(5000)
    expect(indexText('登录页')).toBe(' 登录 录页 页 ')
    // Longer than one chunk of a pattern: nothing is lost at the boundaries.
    const run = Array.from({ length: 3000 }, (_, number) =>
      simplify(String.fromCharCode(0x4e00 + number)),
    ).join('')
    expect(indexText(`a${run}b`).split(' ')).toEqual([
      'a',
      ...Array.from({ length: 2999 }, (_, at) => run.slice(at, at + 2)),
      run.slice(2999),
      'b',
    ])
  })

  it('does not end any command', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'the first moss'),
      claude.user(2, runOf('的')),
      claude.user(3, 'the last moss'),
    ])
    for (const args of [
      ['sessions', '--all'],
      ['search', 'moss'],
      ['read', uuid(1)],
      ['stats'],
      ['doctor', '--deep'],
    ]) {
      const { stderr, code } = run(args, home)
      expect({ args, stderr, code }).toEqual({ args, stderr: '', code: 0 })
    }
    expect(run(['search', 'moss'], home).stdout).toContain('2 matches')
    expect(run(['export', uuid(1), '--out', join(home, 'out.html')], home).code).toBe(0)
    expect(run(['collect', `file:${join(home, 'archive')}`, '--history', 'all'], home).code).toBe(0)
  })
})

describe('a line that would need too much memory to parse', () => {
  const MiB = 1024 * 1024
  const LINES = [
    { what: 'only opening brackets', line: '['.repeat(2 * MiB) },
    { what: 'objects in objects', line: `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}` },
    { what: 'millions of values', line: `[${'0,'.repeat(2_100_000)}0]` },
    { what: 'millions of objects', line: `{"type":"user","a":[${'{},'.repeat(2_100_000)}{}]}` },
  ]

  it.each(LINES)('is malformed, and never passed to the parser: $what', ({ line }) => {
    const bytes = Buffer.from(line)
    const parse = JSON.parse
    let parsed = 0
    JSON.parse = (text, reviver) => {
      parsed++
      return parse(text, reviver)
    }
    try {
      expect(parseLine(bytes, 0, bytes.length)).toEqual({ entries: [], damaged: true })
      const long = { needs: 'nothing', isEnough: () => true } as const
      expect(parseShortened(bytes, 0, bytes.length, long)).toEqual({ entries: [], damaged: true })
      expect(parseText(line)).toEqual({ entries: [], damaged: true })
      expect(parsed).toBe(0)
    } finally {
      JSON.parse = parse
    }
  })

  it('is distinguished from a long line of an ordinary record', () => {
    for (const line of [
      JSON.stringify({ text: '[{,'.repeat(MiB) }),
      JSON.stringify({ text: '\\"'.repeat(MiB) }),
      JSON.stringify(Array.from({ length: 100_000 }, (_, number) => ({ number }))),
      `${'['.repeat(999)}${'0,'.repeat(3000)}0${']'.repeat(999)}`,
    ]) {
      const bytes = Buffer.from(line)
      expect(isWithinLimits(bytes, 0, bytes.length)).toBe(true)
      expect(parseLine(bytes, 0, bytes.length).entries).toHaveLength(1)
    }
  })

  it('is counted as malformed with its offset, and the others are read', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'the first moss'), claude.user(2, 'the last moss')])
    const [first, last] = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [first, ...LINES.map(({ line }) => line), last, ''].join('\n'))
    const { stdout, code } = run(['sessions', '--all', '--json'], home)
    expect(code).toBe(0)
    const [session] = JSON.parse(stdout).sessions as { accounting: { malformed: number } }[]
    expect(session!.accounting.malformed).toBe(LINES.length)
    expect(run(['search', 'moss'], home).stdout).toContain('2 matches')
    expect(run(['collect', `file:${join(home, 'archive')}`, '--history', 'all'], home).code).toBe(0)
  })
})

it('a bug of Scrollback in one file is reported with its location, and affects only that file', () => {
  const fault = faultOf(new RangeError('Maximum call stack size exceeded'))
  expect(fault).toMatch(
    /^was skipped because of a bug in scrollback; please report it with these lines:\n {2}RangeError: Maximum/,
  )
  expect(fault).toContain('huge-lines.test.ts')
  expect(fault.split('\n').length).toBeLessThanOrEqual(6)
})
