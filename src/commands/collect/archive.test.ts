import { expect, it } from 'vitest'
import type { Screen } from '../../render/terminal.ts'
import { verifiedText } from './archive.ts'

it('what a sender calls its machine, its records and its files is one line of the answer', () => {
  const forged = ['\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f'].map(
    (sign) => `oak${sign}FORGED: whole`,
  )
  const counted = Object.fromEntries([...forged, 'x'.repeat(5000)].map((name) => [name, 1]))
  const answer = {
    folder: '/archive',
    segments: 1,
    frames: 1,
    bytes: 10,
    records: 2,
    distinct: 2,
    stubs: 0,
    strange: 7,
    kinds: counted,
    devices: counted,
    files: forged.map((name) => ({ name, what: name, state: 'foreign' as const })),
    damaged: [],
    torn: [],
    strangeLines: forged.map((reason) => ({ segment: 'records-1', offset: 0, line: 1, reason })),
    repaired: [],
  }
  const screen = { home: '/home/ann', suggest: (...words: unknown[]) => words.flat().join(' ') }
  const text = [...verifiedText(answer, screen as unknown as Screen)].join('')
  const lines = text.split(/[\n\v\f\r\x85\u2028\u2029]/)
  expect(lines.filter((line) => /^\s*FORGED/.test(line))).toEqual([])
  expect(lines).toHaveLength(2 + forged.length + 1 + 1 + forged.length * 2 + 2)
  expect(text).not.toContain('x'.repeat(100))
})
