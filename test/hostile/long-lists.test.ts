import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from '../program.ts'

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
  const text = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g, (gone) =>
    gone.replace(/[^\n]/g, ' '),
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
