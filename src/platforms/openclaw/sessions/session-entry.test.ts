import { describe, expect, it } from 'vitest'
import { STATEMENTS } from '../eras/statements.ts'
import { indexOf } from './session-index.ts'

const entryOf = (key: string, fields: object) =>
  indexOf({ [key]: { sessionId: 's', ...fields } }).get('s')?.entry

describe('the facts of a session in the session index', () => {
  it('are the same in the field names of every version', () => {
    const expected = { surface: 'main', channel: 'telegram', account: 'default', peer: '5550100' }
    for (const fields of [
      { provider: 'telegram', lastTo: 'telegram:5550100', lastAccountId: 'default' },
      { lastProvider: 'telegram', lastTo: '5550100', lastAccountId: 'default' },
      { lastChannel: 'telegram', deliveryContext: { to: 'telegram:5550100', accountId: 'default' } },
      { origin: { provider: 'telegram', from: 'telegram:5550100', accountId: 'default' } },
      { route: { channel: 'telegram', to: 5550100, accountId: 'default' } },
    ])
      expect(entryOf('agent:main:main', fields)).toEqual(expected)
  })

  it('rank below those of its key, and add what the key does not contain', () => {
    expect(
      entryOf('agent:main:telegram:direct:107', {
        lastChannel: 'webchat',
        lastTo: 'webchat:9',
        chatType: 'group',
      }),
    ).toEqual({ surface: 'direct', channel: 'telegram', peer: '107' })
    expect(entryOf('my-own-key', { chatType: 'room', groupId: -100, room: ' Moss ' })).toEqual({
      surface: 'channel',
      peer: '-100',
      name: 'Moss',
    })
  })

  it('include the token counts of the last run as the agent states them', () => {
    expect(
      entryOf('agent:main:main', {
        inputTokens: 7,
        outputTokens: 0,
        totalTokens: 9568,
        contextTokens: 200000,
      }),
    ).toMatchObject({ tokens: { input: 7, output: 0, total: 9568, context: 200000 } })
    expect(entryOf('agent:main:main', { inputTokens: '7', outputTokens: -1, totalTokens: null })).toEqual({
      surface: 'main',
    })
  })

  it('include model, status, origin label and parent session', () => {
    const origin = { label: 'Dev id:5550100' }
    expect(
      entryOf('agent:main:subagent:7f', {
        model: 'opus',
        status: 'done',
        origin,
        spawnedBy: 'agent:main:main',
      }),
    ).toEqual({
      surface: 'subagent',
      model: 'opus',
      status: 'done',
      origin: 'Dev id:5550100',
      spawnedBy: 'agent:main:main',
    })
    expect(entryOf('main', { model: { provider: 'anthropic', model: 'opus' } })).toMatchObject({
      model: 'opus',
    })
  })

  it('identify a run of a job, whether its own key or that of the job comes first', () => {
    const run = { 'agent:main:cron:1:run:s': { sessionId: 's' } }
    const job = { 'agent:main:cron:1': { sessionId: 's', model: 'opus' } }
    for (const index of [indexOf({ ...run, ...job }), indexOf({ ...job, ...run })])
      expect(index.get('s')?.entry).toEqual({ surface: 'cron-run', model: 'opus' })
  })

  it('survive values of any other type, and are never long', () => {
    for (const value of [null, 1, [], {}, true, 'x'.repeat(100_000)])
      for (const name of [
        'origin',
        'deliveryContext',
        'channel',
        'model',
        'status',
        'groupId',
        'chatType',
        'displayName',
      ])
        expect(JSON.stringify(entryOf('agent:main:main', { [name]: value })).length).toBeLessThan(400)
  })

  it('are read from databases as named fields, without prompts', () => {
    for (const statement of Object.values(STATEMENTS)) {
      const asked = statement.replace(
        /iif\(json_valid\(\w\.entry_json\), json_extract\(\w\.entry_json(?:, '\$\.\w+')+\), NULL\)/g,
        '',
      )
      expect(asked).not.toMatch(/entry_json/)
      expect(statement).not.toMatch(/skillsSnapshot|systemPrompt|'\$'/)
    }
  })
})
