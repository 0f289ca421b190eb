import { describe, expect, it } from 'vitest'
import { type EndedFile, endedTest } from './ended-sessions.ts'

const file = (sessionId: string, endedMs: number, parentSessionId?: string): EndedFile => ({
  platform: 'openclaw',
  sessionId,
  endedMs,
  ...(parentSessionId === undefined ? {} : { parentSessionId }),
})
const endedOf = (files: EndedFile[]): string[] =>
  files.filter(endedTest(files, 100)).map(({ sessionId }) => sessionId)

describe('a session that ended', () => {
  it('takes its subagents along, and theirs', () => {
    expect(endedOf([file('a', 50), file('b', 60, 'a'), file('c', 70, 'b'), file('d', 200)])).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('goes on as long as any of its files', () => {
    expect(endedOf([file('a', 50), file('b', 60, 'a'), file('c', 150, 'b')])).toEqual([])
    expect(endedOf([file('a', 150), file('b', 60, 'a')])).toEqual([])
  })

  it('may be known only by its subagents', () => {
    expect(endedOf([file('b', 60, 'a'), file('c', 60, 'x'), file('d', 160, 'x')])).toEqual(['b'])
  })

  it('is not confused by subagents that started each other', () => {
    expect(endedOf([file('a', 60, 'b'), file('b', 60, 'a')])).toEqual(['a', 'b'])
  })

  it('is not the one of the same name on another platform', () => {
    const others = [file('a', 50), { ...file('a', 150), platform: 'claude-code' as const }]
    expect(endedOf(others)).toEqual(['a'])
  })
})
