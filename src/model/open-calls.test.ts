import { describe, expect, it } from 'vitest'
import { openCalls } from './open-calls.ts'

const edit = (line: number, target: string, callId?: string) => ({
  line,
  tool: { name: 'Edit', target },
  callId,
})

describe('a failure among calls that were made at once', () => {
  it('is of the call with its id, else of the one with its tool and target', () => {
    const calls = openCalls<string>()
    calls.made(edit(1, 'a.ts', 'c1'), 'first')
    calls.made(edit(1, 'a.ts', 'c2'), 'second')
    calls.made(edit(1, 'b.ts'), 'third')
    expect(calls.answered(edit(2, 'a.ts', 'c1'))).toBe('first')
    expect(calls.answered(edit(2, 'a.ts', 'c9'))).toBeUndefined()
    expect(calls.answered(edit(2, 'b.ts'))).toBe('third')
    expect(calls.answered(edit(2, 'c.ts'))).toBeUndefined()
  })

  it('is of the newest one that has not failed, if several are alike', () => {
    const calls = openCalls<string>()
    calls.made(edit(1, 'a.ts'), 'first')
    calls.made(edit(2, 'a.ts'), 'second')
    expect([3, 4, 5].map((line) => calls.answered(edit(line, 'a.ts')))).toEqual([
      'second',
      'first',
      undefined,
    ])
  })

  it('is of the newest one with its tool, if it states no target', () => {
    const calls = openCalls<string>()
    calls.made(edit(1, 'a.ts'), 'first')
    calls.made(edit(1, 'b.ts'), 'second')
    expect(calls.answered(edit(2, 'b.ts'))).toBe('second')
    expect(calls.answered({ line: 3, tool: { name: 'Edit' } })).toBe('first')
    expect(calls.answered({ line: 4, tool: { name: 'Edit', target: null } })).toBeUndefined()
  })

  it('is of the call that its record declines, too', () => {
    const calls = openCalls<string>()
    calls.made(edit(1, 'a.ts'), 'first')
    calls.made(edit(1, 'a.ts'), 'second')
    expect(calls.answered({ ...edit(2, 'a.ts'), marker: 'denial' })).toBe('second')
    expect(calls.answered(edit(2, 'a.ts'))).toBe('second')
    expect(calls.answered(edit(2, 'a.ts'))).toBe('first')
  })

  it('is of none, if it is that of a reply', () => {
    const calls = openCalls<string>()
    calls.made(edit(1, 'a.ts'), 'first')
    calls.made({ line: 2, tool: undefined }, 'second')
    expect([calls.answered({ line: 3 }), calls.answered({ line: 3, tool: null })]).toEqual([
      undefined,
      undefined,
    ])
  })
})
