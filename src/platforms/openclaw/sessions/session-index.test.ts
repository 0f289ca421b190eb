import { describe, expect, it } from 'vitest'
import { indexOf } from './session-index.ts'
import { keyOfSlug, kindOfKey } from './session-kind.ts'

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
