import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fixture,
  fixtureRoot,
  readFixture,
  rootAt,
  sessionOf,
  transcripts,
} from '../../../../test/claude-code-fixtures.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../../../../test/records.ts'
import { indexOn } from '../../../../test/store-audit.ts'
import { keep, storedContent } from '../../../../test/stores.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Usage } from '../../../model/event.ts'
import { IN_MEMORY, openSqliteStore } from '../../../store/sqlite/open.ts'
import type { Store } from '../../../store/store.ts'
import { readSession } from '../../../sync/read/read-session.ts'
import { billed } from './reply.ts'

const NAME = 'billed-apart'
const usage = { input_tokens: 10, output_tokens: 5 }
const facts = { model: 'claude-opus-4-6', cost: undefined, reply: 'msg_1 req_1' }
const keysOf = (value: object) =>
  billed(value, facts).others.map((each) => (each.type === 'usage' ? [each.key, each.model] : []))

it('a call whose arguments are no JSON has what the model wrote as its target', () => {
  const home = temporaryHome()
  const raw = '{"command":"water the ferns",}'
  const input = { __unparsedToolInput: { raw, len: raw.length } }
  putClaude(home, uuid(1), [
    claude.user(1, 'Water them.'),
    claude.reply(2, [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input }]),
  ])
  const [[, artifact] = []] = transcripts(rootAt(join(home, '.claude'))).files
  const { items } = readSession(artifact!)
  expect(items.map(({ tool }) => tool)).toEqual([undefined, { name: 'Bash', target: raw }])
})

describe('what a reply was billed for', () => {
  it('includes other models that were asked, each web search, and long requests one by one', () => {
    const { store } = openSqliteStore(IN_MEMORY, 0)
    const [artifact] = fixture(NAME)
    keep(store, artifact!)
    const figures = [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })].flatMap(({ usage }) => usage)
    const lines = figures.map(
      ({ model, length, replies, input, output }) =>
        `${model}, length ${length}: ${replies} with ${input} in, ${output} out`,
    )
    expect(lines.sort()).toMatchInlineSnapshot(`
      [
        "claude-opus-4-6, length 0: 3 with 30 in, 15 out",
        "claude-opus-4-6[fast], length 0: 1 with 10 in, 5 out",
        "claude-opus-4-6[us batch], length 0: 1 with 10 in, 5 out",
        "claude-opus-5-5, length 0: 1 with 300 in, 40 out",
        "claude-sonnet-4-5, length 1: 2 with 300001 in, 5 out",
        "web search, length 0: 3 with 0 in, 0 out",
      ]
    `)
    store.close()
  })

  it('counts the figures of another model that the reply does or does not include', () => {
    const advisor = { model: 'claude-opus-5-5', input_tokens: 300, output_tokens: 40 }
    const own = { input_tokens: 10, output_tokens: 5 }
    const included = billed(
      { ...usage, input_tokens: 310, output_tokens: 45, iterations: [own, advisor] },
      facts,
    )
    const apart = billed({ ...usage, iterations: [own, advisor] }, facts)
    expect(included).toEqual(apart)
    expect(apart.usage).toMatchObject({ input: 10, output: 5 })
    expect(keysOf({ ...usage, iterations: [own, advisor] })).toEqual([['msg_1 req_1#1', 'claude-opus-5-5']])
  })

  it('names searches one by one, at most a hundred', () => {
    expect(keysOf({ ...usage, server_tool_use: { web_search_requests: 2 } })).toEqual([
      ['msg_1 req_1#search 1', 'web search'],
      ['msg_1 req_1#search 2', 'web search'],
    ])
    expect(keysOf({ ...usage, server_tool_use: { web_search_requests: 1e9 } })).toHaveLength(100)
  })

  it('names the terms of the request with its model', () => {
    const modelOf = (more: object) => billed({ ...usage, ...more }, facts).usage?.model
    expect(modelOf({ speed: 'fast' })).toBe('claude-opus-4-6[fast]')
    expect(modelOf({ inference_geo: 'us', service_tier: 'batch' })).toBe('claude-opus-4-6[us batch]')
    for (const usual of ['global', 'not_available', ''])
      expect(modelOf({ speed: 'standard', service_tier: 'standard', inference_geo: usual })).toBeUndefined()
  })
})

const SHARED = 'shared-message-id'
const WORDS = 'word-message-ids'
const memory = { open: () => openSqliteStore(IN_MEMORY, 0).store }

/** What each way of reading counts. */
const counted = (name: string) =>
  (['counts', 'condensed'] as const).map((keep) => {
    const { usage, agentMessages } = readSession(fixture(name)[0]!, { keep }).session
    return { input: usage?.input, output: usage?.output, agentMessages }
  })

/** The input tokens of everything in a store. */
const inputIn = (store: Store): number =>
  [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
    .flatMap(({ usage }) => usage)
    .reduce((sum, each) => sum + each.input, 0)

describe('replies with the same message id', () => {
  it('are different if they answer another request, also in one turn', () => {
    expect(readFixture(SHARED).filter((item) => item.startsWith('agent'))).toMatchInlineSnapshot(`
      [
        "agent: Water boils.",
        "agent: It whistles.",
        "agent: Poured.",
        "agent: Drunk.",
      ]
    `)
    expect(new Set(counted(SHARED).map((each) => JSON.stringify(each)))).toMatchInlineSnapshot(`
      Set {
        "{"input":40,"output":20,"agentMessages":3}",
      }
    `)
  })

  it('are different across files if their requests are, and copies are not', () => {
    const home = temporaryHome()
    const usage = { input_tokens: 10, output_tokens: 5 }
    const message = { id: 'msg_01Shared', role: 'assistant', content: [text('Yes.')], usage }
    for (const [name, request] of [
      ['a', 'req_1'],
      ['b', 'req_2'],
      ['copy', 'req_1'],
    ])
      put(join(home, `projects/-srv-shop/${name}.jsonl`), [
        { ...claude.reply(1, []), requestId: request, message },
      ])
    const { store } = openSqliteStore(IN_MEMORY, 0)
    for (const artifact of transcripts(rootAt(home)).files.values()) keep(store, artifact)
    expect(inputIn(store)).toBe(20)
    store.close()
  })

  it('are different by their request if the id is a word, also in one turn', () => {
    expect(readFixture(WORDS).filter((item) => item.startsWith('agent'))).toEqual([
      'agent: Water boils.',
      'agent: It whistles.',
      'agent: Poured.',
    ])
    expect(new Set(counted(WORDS).map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"input":33,"output":18,"agentMessages":3}']),
    )
  })

  it('are different across files if the id is a word', () => {
    const store = indexOn(memory, {
      home: '/nowhere',
      variables: {},
      dirs: { 'claude-code': [fixtureRoot(WORDS).path], openclaw: [] },
    })
    expect(inputIn(store)).toBe(133)
    store.close()
  })

  it.each([SHARED, WORDS])('are the same wherever the reading was interrupted: %s', (name) => {
    const [artifact] = fixture(name)
    const whole = openSqliteStore(IN_MEMORY, 0).store
    keep(whole, artifact!)
    const expected = storedContent(whole, artifact!.path)
    for (const slice of [1, 400, 900, 1500]) {
      const { store } = openSqliteStore(IN_MEMORY, 0)
      keep(store, artifact!, { slice })
      expect(storedContent(store, artifact!.path)).toEqual(expected)
      store.close()
    }
    expect(expected.session.agentMessages).toBe(sessionOf(name).agentMessages)
    whole.close()
  })
})

const MARK = '"MARK"'

/** A file of replies, each with one of these usages, written verbatim. */
function repliesWith(usages: readonly string[]): Artifact {
  const root = temporaryHome()
  const folder = join(root, 'projects/-srv-shop')
  mkdirSync(folder, { recursive: true })
  const lines = usages.map((usage, index) => {
    const reply = claude.reply(index, [text('done'), { type: 'text', text: 'more' }])
    const line = JSON.stringify({ ...reply, message: { ...reply.message, usage: 'MARK' } })
    return `${line.replace(MARK, () => usage)}\n`
  })
  writeFileSync(join(folder, 'a.jsonl'), lines.join(''))
  return [...transcripts(rootAt(root)).files.values()][0]!
}

const read = (artifact: Artifact): Usage | undefined => readSession(artifact).session.usage

describe('usage of replies', () => {
  it('separates cache writes for an hour from the others', () => {
    const stated = '{"cache_creation_input_tokens":100,"cache_creation":{"ephemeral_1h_input_tokens":60}}'
    expect(read(repliesWith([stated, stated]))).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 200,
      cacheWriteHour: 120,
    })
  })

  it('adds the parts of cache writes where their sum is missing', () => {
    const stated = '{"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60}}'
    expect(read(repliesWith([stated]))).toMatchObject({ cacheWrite: 100, cacheWriteHour: 60 })
  })

  it('counts no figure that is impossible', () => {
    const stated = '{"input_tokens":-5,"output_tokens":1e300,"cache_read_input_tokens":"7"}'
    expect(read(repliesWith([stated]))).toMatchObject({ input: 0, output: 0, cacheRead: 0 })
  })
})
