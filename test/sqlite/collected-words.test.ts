import { expect, it } from 'vitest'
import { runSources } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

it('words are collected in a thread if there are many', () => {
  const home = temporaryHome()
  const lines = Array.from({ length: 20_100 }, (_, number) => claude.user(number, `fern z${number}xyz`))
  putClaude(home, uuid(1), lines)
  expect(runSources(['index'], home).code).toBe(0)
  for (const number of [0, 9_999, 20_099])
    expect(runSources(['search', `${number}xy`, '--json'], home).stdout).toContain(`z${number}xyz`)
})
