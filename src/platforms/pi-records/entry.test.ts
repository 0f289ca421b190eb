import { describe, expect, it } from 'vitest'
import { blocksOf, timeOf, typeOf, usageOf } from './entry.ts'

describe('usage', () => {
  const counts = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }

  it.each([
    { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 },
    { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4 },
    { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
    { ...counts, cost: { total: 0 } },
  ])('is the same in every spelling: %j', (usage) => {
    expect(usageOf(usage)).toEqual(counts)
  })

  it('has a cost if one is recorded', () => {
    expect(usageOf({ ...counts, cost: { input: 1, total: 0.5 } })).toEqual({ ...counts, cost: 0.5 })
  })

  it.each([undefined, null, 'x', {}, { cost: { total: 1 } }])('is absent if there is none: %j', (usage) => {
    expect(usageOf(usage)).toBeUndefined()
  })
})

describe('a record', () => {
  it('has the same type in both spellings', () => {
    expect(typeOf({ type: 'custom:model-snapshot' })).toEqual({
      type: 'custom',
      customType: 'model-snapshot',
    })
    expect(typeOf({ type: 'custom', customType: 'model-snapshot' })).toEqual({
      type: 'custom',
      customType: 'model-snapshot',
    })
  })

  it('has its own time, or else that of its message', () => {
    const message = { timestamp: 1769844370957 }
    expect([
      timeOf({ timestamp: '2026-01-31T07:26:10.958Z', message }),
      timeOf({ message }),
      timeOf({ timestamp: 1769844370000 }),
      timeOf({ timestamp: 'soon' }),
    ]).toEqual([1769844370958, 1769844370957, 1769844370000, undefined])
  })
})

describe('blocks', () => {
  it.each([
    'toolCall',
    'toolcall',
    'tool_call',
    'TOOL_CALL',
    'toolUse',
    'tool_use',
    'functionCall',
    'function_call',
  ])('of type %s are tool calls', (type) => {
    for (const arguments_ of [
      { arguments: { a: 1 } },
      { input: { a: 1 } },
      { args: { a: 1 } },
      { params: { a: 1 } },
      { arguments: '{"a":1}' },
    ])
      for (const id of [
        { id: 'x' },
        { toolCallId: 'x' },
        { tool_call_id: 'x' },
        { toolUseId: 'x' },
        { tool_use_id: 'x' },
        { call_id: 'x' },
      ])
        expect(blocksOf([{ type, name: 'exec', ...id, ...arguments_ }])).toEqual([
          { kind: 'call', part: { type: 'tool-call', callId: 'x', name: 'exec', input: { a: 1 } } },
        ])
  })

  it('that call another tool are calls of that tool', () => {
    const call = (input: unknown) =>
      blocksOf([{ type: 'toolCall', id: 'x', name: 'tool_call', arguments: input }])
    const part = { type: 'tool-call', callId: 'x' }
    expect(call({ id: 'scrollback__search', args: { query: 'fern' } })).toEqual([
      { kind: 'call', part: { ...part, name: 'scrollback__search', input: { query: 'fern' } } },
    ])
    for (const input of [{ id: 'scrollback__search' }, { args: {} }, 'fern', null])
      expect(call(input)).toEqual([
        { kind: 'call', part: { ...part, name: 'tool_call', input: input ?? undefined } },
      ])
  })

  it('have as arguments what the model wrote if it is no JSON', () => {
    const written = '{"command":"water\n the ferns",}'
    const argumentsError = `Expected a name\n\nReceived arguments:\n${written}`
    expect(blocksOf([{ type: 'toolCall', id: 'x', name: 'bash', arguments: {}, argumentsError }])).toEqual([
      { kind: 'call', part: { type: 'tool-call', callId: 'x', name: 'bash', input: written } },
    ])
  })

  it('of an unknown type are stored by name', () => {
    expect(blocksOf([{ type: 'hologram' }, {}, null, 7, []])).toMatchInlineSnapshot(`
      [
        {
          "kind": "other",
          "part": {
            "name": "hologram",
            "type": "opaque",
          },
        },
        {
          "kind": "other",
          "part": {
            "name": "untyped",
            "type": "opaque",
          },
        },
        {
          "kind": "other",
          "part": {
            "name": "untyped",
            "type": "opaque",
          },
        },
        {
          "kind": "other",
          "part": {
            "name": "untyped",
            "type": "opaque",
          },
        },
        {
          "kind": "other",
          "part": {
            "name": "untyped",
            "type": "opaque",
          },
        },
      ]
    `)
  })

  it('may be a string, or a single block', () => {
    const text = [{ kind: 'text', text: 'hi' }]
    expect([
      blocksOf('hi'),
      blocksOf(['hi']),
      blocksOf({ type: 'text', text: 'hi' }),
      blocksOf([{ text: 'hi' }]),
    ]).toEqual([text, text, text, text])
  })
})
