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

  it('has each further field that it is known to have, and none that is off or unnamed', () => {
    const marker = (facts: object) => itemJson(item({ who: 'marker', line: 1, offset: 0, ...facts }), own)
    const fields = { label: 'queued', marker: 'compaction', media: ['a.png'], stopReason: 'end_turn' }
    const known = { ...fields, offBranch: true, cut: true }
    const plain = marker({})
    expect(marker({ ...known, holds: 'thinking', detail: 'hm' })).toEqual({
      ...plain,
      ...known,
      thinking: 'hm',
    })
    for (const nothing of [{ holds: 'thinking' }, { detail: 'hm' }, { offBranch: false, cut: false }])
      expect(marker(nothing)).toEqual(plain)
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

  it('has each field that is known, under its name', () => {
    const by = { platform: 'fernwood', agent: 'moss', session: 'two', path: '/2', line: 9 }
    const same = {
      open: true,
      title: 'Tea',
      firstHuman: 'hello',
      lastHuman: ['bye'],
      firstProgram: 'run',
      fork: 'side',
      subagent: { type: 'scout' },
      model: 'oak',
      version: '2.1',
      cut: 3,
      sessionKey: 'agent:main',
      entry: { channel: 'x' },
      device: 'oak',
      person: 'ann',
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      recorded: { input: 5, output: 6, cacheRead: 7, cacheWrite: 8 },
      script: { confidence: 0.9, sessions: 4 },
      promptedBy: [{ line: 3, by }],
    }
    const known = session({
      ...(same as Partial<Session>),
      cwds: [['/a', 3]],
      startedMs: at,
      lastActivityMs: at + 1,
      goneMs: at + 2,
      otherIds: ['four'],
      parentSessionId: 'two',
      branches: ['main', 'tea'],
      ranThrough: [{ id: 'three', path: '/3' }],
    })
    expect(sessionJson(known, 'garden', 'word')).toEqual({
      ...sessionJson(session(), undefined),
      ...same,
      project: 'garden',
      matched: 'word',
      cwd: '/a',
      parent: 'two',
      alsoNamed: ['four'],
      startedAt: '2026-11-20T10:00:00.000Z',
      lastActivityAt: '2026-11-20T10:00:00.001Z',
      gitBranch: 'tea',
      gitBranches: ['main', 'tea'],
      goneSince: '2026-11-20T10:00:00.002Z',
      ranThrough: [{ session: 'three', path: '/3' }],
    })
  })
})
