import { describe, expect, it } from 'vitest'
import { type Json, json, run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

const statusOf = (home: string): string[] =>
  json(home, 'collect', '--status').status.map(({ url }: Json) => url)

describe('a destination', () => {
  it('is forgotten by its given or its displayed name, and is new afterwards', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    run(['collect', 'file:one', 'file:two', '--history', 'all'], home)
    expect(statusOf(home)).toEqual([`file:${home}/one`, `file:${home}/two`])
    expect(run(['collect', '--forget', 'file:one'], home).stdout).toContain('Forgotten: ~/one')
    expect(statusOf(home)).toEqual([`file:${home}/two`])
    expect(json(home, 'collect', '--forget', `file:${home}/two`)).toMatchObject({
      forgotten: `file:${home}/two`,
    })
    expect(statusOf(home)).toEqual([])
    expect(run(['collect', 'file:two'], home)).toMatchObject({ code: 2 })
  })

  it('cannot be forgotten if it is unknown, and the known ones are listed', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    run(['collect', 'file:one', '--history', 'all'], home)
    const { code, stderr } = run(['collect', '--forget', 'file:other'], home)
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Known: file:${home}/one`)
  })
})
