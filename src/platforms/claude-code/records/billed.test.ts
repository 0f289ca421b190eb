import { describe, expect, it } from 'vitest'
import { fixture } from '../../../../test/claude-code-fixtures.ts'
import { keep } from '../../../../test/stores.ts'
import { IN_MEMORY, openSqliteStore } from '../../../store/sqlite/open.ts'
import { billed } from './billed.ts'

const NAME = 'billed-apart'
const usage = { input_tokens: 10, output_tokens: 5 }
const facts = { model: 'claude-opus-4-6', cost: undefined, reply: 'msg_1 req_1' }
const keysOf = (value: object) =>
  billed(value, facts).others.map((each) => (each.type === 'usage' ? [each.key, each.model] : []))

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
