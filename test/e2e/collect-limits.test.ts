import { appendFileSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { archiveOf, collect, deliveredTo } from '../deliveries.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'

const LONGEST = 64 * 1024 * 1024

describe('the longest line of an archive', () => {
  it('is 64 MiB long: a longer one is a stub that the summary counts, with exit code 0', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    appendFileSync(path, '{"type":"user","text":"')
    truncateSync(path, LONGEST + 2 * 1024 * 1024)
    appendFileSync(path, '"}\n')
    append(path, claude.user(2, 'Thank you'))
    const { code, stdout } = collect(home)
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 record too large, sent as stubs')])
    const stubs = deliveredTo(archiveOf(home)).map(({ line, raw, stub }) => [
      line,
      raw === null,
      stub?.reason,
    ])
    expect(stubs).toEqual([
      [1, false, undefined],
      [2, true, 'longer than any record'],
      [3, false, undefined],
    ])
  })
})
