import { describe, expect, it } from 'vitest'
import { STATEMENTS } from './eras/statements.ts'
import { indexOf } from './session-index.ts'

const entryOf = (key: string, fields: object) =>
  indexOf({ [key]: { sessionId: 's', ...fields } }).get('s')?.entry

describe('what an index entry says of its session', () => {
  it('is the same in the words of every version', () => {
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

  it('goes behind what its key says, and names what the key does not', () => {
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

  it('holds the figures of the last run as the agent states them', () => {
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

  it('names model, status, label of origin and who started it', () => {
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

  it('stays a run of its job under the key of the job too, whichever comes first', () => {
    const run = { 'agent:main:cron:1:run:s': { sessionId: 's' } }
    const job = { 'agent:main:cron:1': { sessionId: 's', model: 'opus' } }
    for (const index of [indexOf({ ...run, ...job }), indexOf({ ...job, ...run })])
      expect(index.get('s')?.entry).toEqual({ surface: 'cron-run', model: 'opus' })
  })

  it('survives values of any other shape, and is never long', () => {
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

  it('stands in databases whole, with prompts in it, where only named facts are asked for', () => {
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
