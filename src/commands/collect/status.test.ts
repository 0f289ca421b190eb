import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextFor } from '../../../test/context.ts'
import { checkout } from '../../../test/program.ts'
import { temporaryHome } from '../../../test/records.ts'
import { listing, parseLag } from './status.ts'

it('what is here is counted for the platform that it belongs to, also where another has the same table', () => {
  const home = temporaryHome()
  cpSync(join(checkout, 'test/fixtures/opencode/words'), home, { recursive: true })
  const { rows } = listing(contextFor({ home, variables: {} }))
  const counted = rows.filter(({ sources }) => sources > 0).map(({ platform }) => platform)
  expect(new Set(counted)).toEqual(new Set(['opencode']))
})

describe('the duration of --max-lag', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1.5H', 5_400_000],
    [' 3 m ', 180_000],
    ['0s', 0],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseLag(text)).toBe(ms)
  })

  it.each(['', '15', 'm', '-1h', '1w', '1h30m', 'soon'])('rejects "%s"', (text) => {
    expect(() => parseLag(text)).toThrow(`--max-lag: invalid span "${text}"`)
  })
})
