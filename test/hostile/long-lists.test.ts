import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

/** Calls that spread a list of a known, small length, with the reason why it is small. */
const SHORT = [
  { call: 'sql.put.run(...occurrence, copy, prompt ? 1 : 0, who, label)', reason: 'the columns of a row' },
  { call: '.run(...columns)', reason: 'the columns of a row' },
  { call: 'statement.all(...given)', reason: 'the parameters of a query, whose number is fixed' },
  { call: '...pieces.map(({ text }) => text))', reason: 'the pieces of a word, at most five' },
  { call: 'sql.put.run(artifact, reply, at, model, ...tokens)', reason: 'the columns of a row' },
  { call: 'rows.iterate(...given)', reason: 'the parameters of a query, whose length has a limit' },
  { call: 'rows.all(...given, count)', reason: 'the parameters of a query, whose length has a limit' },
  { call: '.get(...given, most)', reason: 'the parameters of a query, whose length has a limit' },
  { call: 'method(...given)', reason: 'the arguments of a method' },
  { call: 'value(...given)', reason: 'the arguments of a method' },
  { call: 'run(name, ...args)', reason: 'the arguments of a method' },
  { call: "suggest('forget', ...words, '--dry-run')", reason: 'words of a command line' },
  { call: 'base.suggest(name, ...words)', reason: 'words of a command line' },
  { call: '(...args)', reason: 'the arguments of a method' },
  { call: '[] : [project]))', reason: 'words of a command line' },
  { call: "(undo ? ['--undo'] : []), '--yes')", reason: 'words of a command line' },
  { call: 'slips)))', reason: 'the spellings of a name, at most three' },
  { call: 'idOf(...ids)', reason: 'the records of a batch, whose size has a limit' },
  { call: 'hasColumns({ tables }, table, ...names)', reason: 'columns that a question needs' },
  {
    call: "hasColumns(connection, 'session_pending_inputs', ...COLUMNS)",
    reason: 'columns that a question needs',
  },
  { call: '...fault, error)', reason: 'a message and its way out' },
  {
    call: '...paths.map((path) => path.toLowerCase()))',
    reason: 'the paths of a query, whose length has a limit',
  },
  ...['INPUT', 'OUTPUT', 'CACHE_READ', 'CACHE_WRITE'].map((names) => ({
    call: `firstOf(asCount, usage, ...${names})`,
    reason: 'the names of a field',
  })),
  {
    call: 'idOf(...fresh.map(({ key }) => key))',
    reason: 'the records of a request, whose size has a limit',
  },
]

const OPENING = '([{'
const CLOSING = ')]}'

/**
 * The calls in a source that spread something into their arguments: `list.push(...more)`, but not `[...list]`
 * or `{ ...fields }`.
 */
function spreads(source: string): string[] {
  // A template on one line may hold brackets of any kind; what it spreads stays.
  const text = source.replace(
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:(?!\.\.\.)[^`\\\n]|\\.)*`/g,
    (gone) => gone.replace(/[^\n]/g, ' '),
  )
  const found: string[] = []
  for (let at = text.indexOf('...'); at >= 0; at = text.indexOf('...', at + 3)) {
    // A rest parameter.
    if (/^\.\.\.\w+: /.test(text.slice(at))) continue
    const open = openingBefore(text, at)
    if (open >= 0 && text[open] === '(' && /[\w)\]]$/.test(text.slice(0, open)))
      found.push(source.slice(source.slice(0, open).search(/[\w.$!?]*$/), closingAfter(text, open) + 1))
  }
  return found
}

function openingBefore(text: string, from: number): number {
  let depth = 0
  for (let at = from - 1; at >= 0; at--) {
    if (CLOSING.includes(text[at]!)) depth++
    else if (OPENING.includes(text[at]!) && depth-- === 0) return at
  }
  return -1
}

function closingAfter(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (OPENING.includes(text[at]!)) depth++
    else if (CLOSING.includes(text[at]!) && --depth === 0) return at
  }
  return text.length
}

const sources = readdirSync(join(checkout, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('fixture-reading.ts'),
  )
  .map((name) => ({ name, text: readFileSync(join(checkout, 'src', name), 'utf8') }))

describe('a list of any length', () => {
  it('is detected where a call spreads it', () => {
    expect(spreads('a.push(...b)\nMath.max(0, ...c.map((d) => d.e))\nf([...g], { ...h })\n')).toEqual([
      'a.push(...b)',
      'Math.max(0, ...c.map((d) => d.e))',
    ])
  })

  it('is never spread into the arguments of a call, which are on the stack', () => {
    const broken = sources.flatMap(({ name, text }) =>
      spreads(text).flatMap((call) =>
        SHORT.some((each) => call.endsWith(each.call)) ? [] : `${name}: ${call}`,
      ),
    )
    expect(broken).toEqual([])
  })
})

const long = 'a'.repeat(5000)

it.each([
  ['read', long],
  ['read', `/${long}`],
  ['sessions', `/${long}`],
  ['resume', long],
  ['export', long, '--out', '-'],
  ['stats', `./${long}.jsonl`],
  ['sessions', '--claude-dir', long],
  ['sessions', '--openclaw-dir', `/${long}`],
])('a name that is longer than any path causes a clear error: %s', (...args) => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'fern')])
  const { stdout, stderr, code } = run(args, home)
  expect(stderr).not.toMatch(/ENAMETOOLONG|fault of the program/)
  expect({ stdout, hasMessage: stderr.length > 0 }).toEqual({ stdout: '', hasMessage: true })
  // Not found, or no directory to search.
  expect([1, 2]).toContain(code)
})

it('a project that is longer than any path is said to be none', () => {
  const { stderr, code } = run(['search', 'fern', '--project', long], plantedHome())
  expect(stderr).toContain('no such project in any session')
  expect(code).toBe(1)
})

function plantedHome(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'The moss is green.')])
  return home
}

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index}`)

const EXCESSIVE = [
  {
    what: 'a phrase of 1,000 words',
    query: `"${Array(1000).fill('a').join(' ')}"`,
    says: '1,000 words; the limit is 100',
  },
  { what: '300 alternatives', query: words(300).join(' OR '), says: '300 words; the limit is 100' },
  {
    what: '101 words that must not occur',
    query: `moss ${words(101)
      .map((word) => `-${word}`)
      .join(' ')}`,
    says: '102 words',
  },
  { what: 'a Chinese phrase of 200 characters', query: '的一'.repeat(100), says: 'words; the limit is 100' },
  {
    what: '150 filters',
    query: `moss ${words(150)
      .map((word) => `tool:${word}`)
      .join(' ')}`,
    says: '150 filters',
  },
  { what: 'a megabyte of brackets', query: '('.repeat(100_000), says: '100,000 characters' },
  { what: '3,000 quotes', query: '"a'.repeat(3000), says: '6,000 characters' },
]

describe('an excessive query', () => {
  it.each(EXCESSIVE)('is rejected with the reason: $what', ({ query, says }) => {
    const { stdout, stderr, code } = run(['search', query], plantedHome())
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(says)
    expect(stderr).toContain('Search for fewer words')
  })

  it('is answered up to the limit', () => {
    const { stdout, code } = run(['search', ['moss', ...words(99)].join(' OR ')], plantedHome())
    expect(code).toBe(0)
    expect(stdout).toContain('1 match')
  })
})
