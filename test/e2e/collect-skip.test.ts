import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, printed, run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

/** Some records have an id, some a time, and some neither: theirs comes from the records before them. */
const lines = [
  claude.user(1, 'Water the moss'),
  { type: 'api-request', id: 'r1', timestamp: '2026-11-01T10:02:00.000Z', params: { model: 'x' } },
  { type: 'api-request-blob', hash: 'a', message: { role: 'user', content: 'Water the moss' } },
  { type: 'mode', mode: 'normal', sessionId: uuid(0) },
  { type: 'api-request-blob', hash: 'b', message: { role: 'user', content: 'again' } },
  { type: 'mode', mode: 'plan', sessionId: uuid(0) },
  claude.user(2, 'And the fern'),
]

const collected = (...args: string[]) => {
  const home = temporaryHome()
  putClaude(home, uuid(0), lines)
  const output = printed(home, 'collect', 'stdout:', '--history', 'all', ...args)
    .trim()
    .split('\n')
  return output.map((each): Json => JSON.parse(each)).filter(({ kind }) => kind === 'transcript')
}

describe('collect --skip', () => {
  it('omits only records of these types, and changes no id of the others', () => {
    const all = collected()
    const some = collected('--skip', 'api-request*')
    expect(all).toHaveLength(lines.length)
    const others = all.filter(({ raw }) => !raw.type.startsWith('api-request'))
    expect(some.map(({ id }) => id)).toEqual(others.map(({ id }) => id))
    expect(collected('--skip', 'mode, api-request').map(({ raw }) => raw.type)).toEqual([
      ...['user', 'api-request-blob', 'api-request-blob', 'user'],
    ])
  })

  it('prints how many of each type, and does not deliver them later', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines)
    const deliver = (...args: string[]) => run(['collect', 'file:archive', '--history', 'all', ...args], home)
    const { stdout } = deliver('--skip', 'api-request*')
    expect(stdout).toContain('skipped: 2 api-request-blob, 1 api-request')
    const answer = JSON.parse(deliver('--json').stdout)
    expect(answer.destinations[0]).toMatchObject({ records: 0, skipped: {} })
  })

  it('can be set in the configuration file', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines)
    const settings = { destinations: [{ url: 'stdout:', history: 'all', skip: ['api-request*'] }] }
    const config = put(join(home, 'settings.json'), JSON.stringify(settings))
    const { stdout } = run(['collect', '--config', config], home)
    expect(stdout).not.toContain('api-request')
    expect(stdout).toContain('And the fern')
  })
})
