import { describe, expect, it } from 'vitest'
import { indexOf } from './session-index.ts'
import { keyOfSlug, kindOfKey } from './session-key.ts'
import { STATEMENTS } from './statements.ts'

describe('the kind of a session', () => {
  it.each([
    ['agent:main:main', 'human'],
    ['main', 'human'],
    ['agent:main:telegram:dm:107', 'human'],
    ['agent:main:telegram:work:direct:107', 'human'],
    ['agent:ops:whatsapp:group:1203@g.us', 'human'],
    ['agent:main:slack:channel:c1:thread:1774.17', 'human'],
    ['group:-100', 'human'],
    ['agent:main:main:thread:abc', 'human'],
    ['agent:main:explicit:abc', 'human'],
    ['agent:main:tui-7f', 'human'],
    ['agent:main:dashboard:7f', 'human'],
    ['agent:main:subagent:7f', 'subagent'],
    ['agent:main:subagent:7f:subagent:8f', 'subagent'],
    ['agent:main:telegram:direct:1:subagent:7f', 'subagent'],
    ['agent:main:cron:5145', 'cron'],
    ['agent:main:cron:5145:run:7f', 'cron'],
    ['cron:5145', 'cron'],
    ['hook:7f', 'hook'],
    ['agent:main:hook:gmail:7f', 'hook'],
    ['agent:main:main:heartbeat', 'heartbeat'],
    ['agent:main:telegram:direct:1:heartbeat', 'heartbeat'],
    ['agent:main:acp:7f', 'program'],
    ['agent:main:boot:7f', 'program'],
    ['agent:main:openai:7f', 'program'],
    ['agent:main:openai-user:ann', 'program'],
    ['agent:subagent:main', 'human'],
    ['global', undefined],
    ['unknown', undefined],
    ['agent:main:my-own-key', undefined],
    ['', undefined],
  ])('with the key %s is %s', (key, kind) => {
    expect(kindOfKey(key)).toBe(kind)
  })

  it('is also known from the slug of an archived file', () => {
    expect(
      [
        keyOfSlug('agent_main_main', 'main'),
        keyOfSlug('agent_my_agent_cron_5145', 'my_agent'),
        keyOfSlug('agent_main_subagent_7f', 'main'),
        keyOfSlug('session', 'main'),
      ].map(kindOfKey),
    ).toEqual(['human', 'cron', 'subagent', undefined])
  })
})

describe('sessions.json', () => {
  const flat = { 'agent:main:main': { sessionId: 's1', updatedAt: 1770193116233, label: ' Tea ' } }

  it('is read alike flat, wrapped and as a list', () => {
    const expected = new Map([
      [
        's1',
        {
          kindHint: 'human',
          sessionKey: 'agent:main:main',
          titleHint: 'Tea',
          titleHintByHand: true,
          entry: { surface: 'main', updatedMs: 1770193116233 },
          updatedMs: 1770193116233,
          parentSessionId: undefined,
        },
      ],
    ])
    expect(indexOf(flat)).toEqual(expected)
    expect(
      indexOf({
        version: 2,
        agents: { 'agent:main:main': { activeSessionId: 's1', updatedAt: 1770193116, label: 'Tea' } },
      }),
    ).toEqual(
      new Map([
        [
          's1',
          {
            ...expected.get('s1'),
            entry: { surface: 'main', updatedMs: 1770193116000 },
            updatedMs: 1770193116000,
          },
        ],
      ]),
    )
    expect(indexOf([{ key: 'agent:main:main', ...flat['agent:main:main'] }])).toEqual(expected)
  })

  it('identifies a file by its name, whatever the folder in its path', () => {
    for (const folder of ['/home/other/.openclaw/agents/main/sessions/', 'C:\\Users\\x\\sessions\\'])
      expect([
        ...indexOf({ k: { sessionId: 's1', sessionFile: `${folder}s1-topic-5.jsonl` } }).keys(),
      ]).toEqual(['s1-topic-5', 's1'])
  })

  it('links a subagent to the session that started it', () => {
    const index = indexOf({
      'agent:main:main': { sessionId: 's1' },
      'agent:main:subagent:7f': { sessionId: 's2', spawnedBy: 'agent:main:main' },
      'agent:main:subagent:8f': { sessionId: 's3', parentSessionKey: 'agent:main:subagent:7f' },
      'agent:main:subagent:9f': { sessionId: 's4', spawnedBy: 'agent:gone:main' },
    })
    expect(['s2', 's3', 's4'].map((id) => index.get(id)?.parentSessionId)).toEqual(['s1', 's2', undefined])
  })

  it('merges several keys of one session', () => {
    const index = indexOf({
      'agent:main:cron:5145': { sessionId: 's1', updatedAt: 5e12 },
      'agent:main:cron:5145:run:s1': { sessionId: 's1', label: 'Cron: Tea', updatedAt: 6e12 },
    })
    expect(index.get('s1')).toMatchObject({
      kindHint: 'cron',
      sessionKey: 'agent:main:cron:5145',
      titleHint: 'Cron: Tea',
      updatedMs: 6e12,
    })
  })

  it('lists the earlier files of a session', () => {
    const index = indexOf({ 'agent:main:cron:1': { sessionId: 's2', usageFamilySessionIds: ['s1', 's2'] } })
    expect(index.get('s1')).toEqual({
      kindHint: 'cron',
      sessionKey: 'agent:main:cron:1',
      entry: { surface: 'cron' },
      parentSessionId: undefined,
    })
  })

  it('prefers titles in the order of who chose them', () => {
    const all = { label: 'a', autoLabel: 'b', displayName: 'c', subject: 'd', origin: { label: 'e' } }
    const titles = Object.keys(all).map(
      (_, at) =>
        indexOf({ k: { sessionId: 's', ...Object.fromEntries(Object.entries(all).slice(at)) } }).get('s')
          ?.titleHint,
    )
    expect(titles).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it.each([
    null,
    1,
    'text',
    [],
    [1, null],
    {},
    { a: 1, b: null, c: [] },
    { agents: 1 },
    { k: { sessionId: 7 } },
  ])('may contain %j', (value) => {
    expect(indexOf(value).size).toBe(0)
  })
})

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
