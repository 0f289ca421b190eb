import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redact/redactor.ts'

const corpus = process.env.SCROLLBACK_CORPUS

/** Line by line, because the corpus may be larger than memory, and one file larger than a string. */
function* lines(folder: string): Generator<string> {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { name, parentPath } = file
    if (!file.isFile() || !/\.jsonl(?:$|\.)/.test(name) || name.endsWith('.zst')) continue
    const bytes = readFileSync(join(parentPath, name))
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(10, start)
      const end = newline < 0 ? bytes.length : newline
      if (end > start) yield bytes.toString('utf8', start, end)
      start = end + 1
    }
  }
}

/** A value with every string as one letter, and names by their number. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shape)
  return typeof value === 'string' ? 's' : value
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

describe.skipIf(!corpus || !existsSync(corpus))('real transcripts (set SCROLLBACK_CORPUS to run)', () => {
  it.each([
    ['standard', { level: 'standard' }],
    [
      'strict, with tags and without people',
      { level: 'strict', tags: true, identities: true, home: '/home/dev' },
    ],
  ] as const)(
    'remain JSON of the same shape, without remaining findings: %s',
    { timeout: 600_000 },
    (_, options) => {
      const { redactJsonLine } = createRedactor(options)
      let changed = 0
      for (const line of lines(corpus!)) {
        const { text, count } = redactJsonLine(line)
        if (count === 0) {
          expect(text).toBe(line)
          continue
        }
        changed++
        expect(redactJsonLine(text).text).toBe(text)
        const before = parsed(line)
        if (before !== undefined) expect(shape(parsed(text))).toEqual(shape(before))
      }
      console.log(`${changed} lines with secrets`)
    },
  )
})
