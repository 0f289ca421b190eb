import { describe, expect, it } from 'vitest'
import { agent, failure, human, item, session, tool } from '../../test/sessions.ts'
import type { Session } from '../model/session.ts'
import { entryJson, itemJson, sessionJson } from './item-json.ts'

const own = session({ id: 'one', path: '/one.jsonl' })
const at = Date.parse('2026-11-20T10:00:00Z')
const usage = { reply: 1, input: 5, output: 3, cacheRead: 2, cacheWrite: 1 }

describe('an item as JSON', () => {
  it('has its session, its speaker, its text and its location, and nothing that is not known', () => {
    expect(itemJson(human('hello', { at, line: 7, offset: 70, length: 9 }), own)).toEqual({
      session: 'one',
      who: 'human',
      at: '2026-11-20T10:00:00.000Z',
      text: 'hello',
      tool: null,
      path: '/one.jsonl',
      line: 7,
      offset: 70,
      length: 9,
    })
  })

  it('has null where there is no time, no text, or no target', () => {
    expect(itemJson(tool('Think'), own)).toMatchObject({ at: null, text: null })
    expect(itemJson(tool('Think'), own).tool).toEqual({ name: 'Think', target: null })
    expect(itemJson(tool('Read', 'a.ts'), own).tool).toEqual({ name: 'Read', target: 'a.ts' })
    expect(itemJson(human(''), own).text).toBeNull()
    expect(itemJson(human('x', { at: 0 }), own).at).toBe('1970-01-01T00:00:00.000Z')
  })

  it.each([
    [{ label: 'queued' }, { label: 'queued' }],
    [{ marker: 'compaction' }, { marker: 'compaction' }],
    [{ media: ['a.png'] }, { media: ['a.png'] }],
    [{ offBranch: true }, { offBranch: true }],
    [{ cut: true }, { cut: true }],
    [{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }],
    [{ holds: 'thinking', detail: 'hm' }, { thinking: 'hm' }],
    [{ holds: 'thinking' }, {}],
    [{ detail: 'hm' }, {}],
    [{ offBranch: false, cut: false }, {}],
  ] as const)('with %j has %j', (facts, expected) => {
    const plain = itemJson(item({ who: 'marker', line: 1, offset: 0 }), own)
    const json = itemJson(item({ who: 'marker', line: 1, offset: 0, ...(facts as object) }), own)
    expect(json).toEqual({ ...plain, ...expected })
  })

  it('says of an error, and of nothing else, whether it is sure', () => {
    expect(itemJson(failure('no'), own).sure).toBe(true)
    expect(itemJson(failure('no', { sure: undefined }), own).sure).toBe(true)
    expect(itemJson(failure('no', { sure: false }), own).sure).toBe(false)
    expect(itemJson(agent('yes', { sure: false }), own)).not.toHaveProperty('sure')
  })

  it('has the usage of its reply on the first item only, and the model on each', () => {
    const replies = new Set<number>()
    const both = [agent('one'), agent('two')].map((each) =>
      itemJson({ ...each, reply: 1, usage: { ...usage, model: 'oak' } }, own, replies),
    )
    expect(both.map((json) => [json.model, json.usage])).toEqual([
      ['oak', expect.objectContaining({ input: 5, output: 3, cacheRead: 2, cacheWrite: 1 })],
      ['oak', undefined],
    ])
  })

  it('has no usage if replies may still grow, or if it belongs to none', () => {
    const used = { ...agent('one'), usage: { ...usage, model: 'oak' } }
    expect(itemJson({ ...used, reply: 1 }, own)).not.toHaveProperty('usage')
    expect(itemJson({ ...used, reply: 1 }, own)).not.toHaveProperty('model')
    expect(itemJson(used, own, new Set())).not.toHaveProperty('usage')
    expect(itemJson({ ...agent('one'), reply: 1 }, own, new Set())).not.toHaveProperty('usage')
  })

  it('has the usage of all replies that are folded into it, each once', () => {
    const call = (reply: number) => tool('Read', 'a', { reply, usage })
    const folded = { ...call(1), folded: [call(1), call(2), call(3)] }
    const replies = new Set([3])
    expect(itemJson(folded, own, replies).usage).toEqual({
      input: 10,
      output: 6,
      cacheRead: 4,
      cacheWrite: 2,
    })
    expect([...replies].toSorted()).toEqual([1, 2, 3])
  })
})

it('an index entry as JSON has its time as text, if there is one', () => {
  expect(entryJson({ updatedMs: at, channel: 'telegram' })).toEqual({
    channel: 'telegram',
    updatedAt: '2026-11-20T10:00:00.000Z',
  })
  expect(entryJson({ channel: 'telegram' })).toEqual({ channel: 'telegram' })
})

describe('a session as JSON', () => {
  it('has null where something is not known, and no other optional field', () => {
    expect(sessionJson(session({ modifiedMs: at }), undefined)).toEqual({
      id: 'a0000000-0000-4000-8000-000000000000',
      platform: 'claude-code',
      agent: 'claude',
      kind: 'human',
      state: 'live',
      project: null,
      cwd: null,
      startedAt: null,
      lastActivityAt: null,
      modifiedAt: '2026-11-20T10:00:00.000Z',
      path: '/home/ann/.claude/projects/-x/a.jsonl',
      bytes: 1000,
      lines: 10,
      messages: { human: 1, agent: 1 },
      toolCalls: 0,
      errors: 0,
      possibleErrors: 0,
      title: null,
      firstHuman: null,
      lastHuman: [],
      accounting: { events: 10, skipped: {}, unknown: {}, malformed: 0 },
    })
  })

  it.each<[Partial<Session>, object]>([
    [{ open: true }, { open: true }],
    [{ cwds: [['/a', 3]] }, { cwd: '/a' }],
    [
      { startedMs: at, lastActivityMs: at + 1 },
      { startedAt: '2026-11-20T10:00:00.000Z', lastActivityAt: '2026-11-20T10:00:00.001Z' },
    ],
    [
      { title: 'Tea', firstHuman: 'hello', lastHuman: ['bye'] },
      { title: 'Tea', firstHuman: 'hello', lastHuman: ['bye'] },
    ],
    [{ firstProgram: 'run' }, { firstProgram: 'run' }],
    [{ parentSessionId: 'two' }, { parent: 'two' }],
    [{ fork: 'side' }, { fork: 'side' }],
    [{ subagent: { type: 'scout' } }, { subagent: { type: 'scout' } }],
    [{ model: 'oak' }, { model: 'oak' }],
    [{ version: '2.1' }, { version: '2.1' }],
    [{ branches: ['main', 'tea'] }, { gitBranch: 'tea', gitBranches: ['main', 'tea'] }],
    [
      { usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
      { usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
    ],
    [
      { recorded: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
      { recorded: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
    ],
    [{ sessionKey: 'agent:main' }, { sessionKey: 'agent:main' }],
    [{ entry: { channel: 'x' } }, { entry: { channel: 'x' } }],
    [{ ranThrough: [{ id: 'three', path: '/3' }] }, { ranThrough: [{ session: 'three', path: '/3' }] }],
    [{ script: { confidence: 0.9, sessions: 4 } }, { script: { confidence: 0.9, sessions: 4 } }],
    [{ otherIds: ['four'] }, { alsoNamed: ['four'] }],
    [
      { device: 'oak', person: 'ann' },
      { device: 'oak', person: 'ann' },
    ],
    [{ cut: 3 }, { cut: 3 }],
    [{ goneMs: at }, { goneSince: '2026-11-20T10:00:00.000Z' }],
  ])('with %j has %j', (facts, expected) => {
    expect(sessionJson(session(facts), undefined)).toEqual({
      ...sessionJson(session(), undefined),
      ...expected,
    })
  })

  it('has its project, and the words that matched', () => {
    const plain = sessionJson(session(), undefined)
    expect(sessionJson(session(), 'garden')).toEqual({ ...plain, project: 'garden' })
    expect(sessionJson(session(), undefined, 'tea')).toEqual({ ...plain, matched: 'tea' })
  })

  it('names the prompts that other sessions sent', () => {
    const promptedBy = [
      { line: 3, by: { platform: 'fernwood', agent: 'moss', session: 'two', path: '/2', line: 9 } },
    ]
    expect(sessionJson(session({ promptedBy } as Partial<Session>), undefined).promptedBy).toEqual(promptedBy)
  })
})
