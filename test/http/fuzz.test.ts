import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flagsOf } from '../../src/context/flags.ts'
import { endpoints } from '../../src/surfaces/http/page/protocol.ts'
import { questions } from '../../src/surfaces/http/page/questions.ts'
import { shareOf } from '../share.ts'
import { demoServer } from './page-server.ts'

/** Values that break parsers, file names, queries and times. */
const trap = fc.constantFrom(
  ...['', '0', '-1', '1e9', '99999999999999999999', 'NaN', 'true', 'null', '[object Object]', '__proto__'],
  ...['latest', 'api:latest', ':latest', '640ab4c7', '640ab4c7:5', '21c10370', '.', '..', '/', '~', '~root'],
  ...[
    '../../etc/passwd',
    'a\0b',
    '\ud800',
    '\u202e',
    '😀'.repeat(50),
    'x'.repeat(3000),
    '%',
    '%00',
    '*',
    '"',
  ],
  ...[
    '2026-13-45',
    '7d',
    '-7d',
    '99999999d',
    'today',
    'Europe/Berlin',
    'Nowhere/Land',
    '(',
    'a OR',
    '-',
    'who:',
  ],
  ...['"unclosed', 'tool:', 'after:7x', 'NEAR(a b)', "'; DROP TABLE message; --", '{"a":1}', '0x10', ' '],
)
const value = fc.oneof({ weight: 3, arbitrary: trap }, { weight: 1, arbitrary: fc.string({ maxLength: 40 }) })

it('answers whatever is asked, and never with a fault of its own', async () => {
  const { ask, faults } = await demoServer()
  const names = [...questions.keys()].filter((name) => name !== 'doctor' && !endpoints.get(name)!.writes)
  const fieldsOf = new Map<string, string[]>()
  for (const [name, { load }] of questions)
    fieldsOf.set(name, [...new Set(flagsOf((await load()).input).map(({ field }) => field)), 'nothing'])
  const question = fc.constantFrom(...names).chain((name) =>
    fc.record({
      name: fc.constant(name),
      given: fc.array(fc.tuple(fc.constantFrom(...fieldsOf.get(name)!), value), { maxLength: 5 }),
    }),
  )
  const answersWell = async (name: string, query: string) => {
    const { status, text } = await ask(`/api/${name}?${query}`)
    expect([name, query, [200, 400, 404, 409].includes(status) ? 'well' : `${status} ${text}`]).toEqual([
      name,
      query,
      'well',
    ])
  }
  // Every parameter alone. Short values are part of many names.
  for (const name of names)
    for (const field of fieldsOf.get(name)!)
      for (const text of ['a', '1', 'true', '7d']) await answersWell(name, `${field}=${text}`)
  await fc.assert(
    fc.asyncProperty(question, async ({ name, given }) => {
      const query = given
        .map(([field, text]) => `${field}=${encodeURIComponent(text.toWellFormed())}`)
        .join('&')
      await answersWell(name, query)
    }),
    { numRuns: shareOf(1500) },
  )
  // Parameters that are no valid percent-encoding.
  for (const query of ['?project=%', '?project=%ff%fe', '?%=1', '?=', '?&&&', '?project', '?project=%00'])
    expect([200, 400, 404, 409]).toContain((await ask(`/api/sessions${query}`)).status)
  expect(faults).toEqual([])
})
