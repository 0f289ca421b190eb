import { describe, expect, it } from 'vitest'
import type { Item } from '../model/session.ts'
import { createChoice } from './read-messages.ts'
import { shortestIds } from './session-names.ts'

const item = (who: Item['who'], text: string): Item => ({
  who,
  text,
  line: 1,
  offset: 0,
  length: 0,
  order: 0,
})
const askedIn = (...items: Item[]) =>
  createChoice({ since: null, until: null, only: ['human'] })(items).map(({ asked }) => asked)

describe('the words of people alone', () => {
  it('have the question that a short answer answers, and long messages have none', () => {
    expect(
      askedIn(
        item('agent', 'Two ways.\nShall I paint it green? It is dry.'),
        item('human', 'yes'),
        item('human', 'and quickly'),
        item('agent', 'Done.'),
        item('human', 'Now tell me why the door was red before, and who painted it'),
      ),
    ).toEqual(['Shall I paint it green?', undefined, undefined])
  })

  it('have no question if the words of agents are shown, too', () => {
    const choose = createChoice({ since: null, until: null, only: ['human', 'agent'] })
    expect(choose([item('agent', 'Green?'), item('human', 'yes')])[1]!.asked).toBeUndefined()
  })
})

describe('the shortest names of sessions', () => {
  it('are as long as needed to differ, of eight characters or more', () => {
    const ids = [
      '01a17c9b-1260-7000',
      '01a17c9b-1290-7000',
      '01a178cc-0900-7000',
      'ses_5c1154d7d39dabc',
      '640ab4c7-d010',
    ]
    const short = shortestIds(ids)
    expect(ids.map(short)).toEqual(['01a17c9b-126', '01a17c9b-129', '01a178cc', 'ses_5c1154d7', '640ab4c7'])
  })

  it('are as long as usual in citations, or longer: a session that begins later is near in time', () => {
    const ids = ['01a17c9b-1260-7000', '01a178cc-0900-7000', '01a178cc-0900-7001', 'session_640ab4c7-d010']
    expect(
      ids.map(shortestIds([...ids, '1795829732924_6rp3q', '1795829732924_6rp3q__agent_1'], 'usual')),
    ).toEqual(['01a17c9b-1260', '01a178cc-0900-7000', '01a178cc-0900-7001', 'session_640ab4c7'])
  })

  it('leave out what the ids of subagents begin with, and keep one that is the beginning of another', () => {
    const short = shortestIds(['agent-a1b2c3d4e5f6', 'door', 'door-2'])
    expect(short('agent-a1b2c3d4e5f6')).toBe('a1b2c3d4')
    expect([short('door'), short('door-2')]).toEqual(['door', 'door-2'])
  })
})
