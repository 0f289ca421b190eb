import { describe, expect, it } from 'vitest'
import { answered, failed } from './messages.ts'

const words = (value: unknown): string[] =>
  answered(value).flatMap((payload) =>
    payload.type === 'message'
      ? payload.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
      : [],
  )

describe('what a person answered', () => {
  it('is a text, or those in lists and objects, each on a line', () => {
    expect(words(' Green ')).toEqual(['Green'])
    expect(words([['Green', 'Blue'], [3]])).toEqual(['Green\nBlue\n3'])
    expect(words({ sow: true, water: false, pots: 0 })).toEqual(['true\nfalse\n0'])
    expect(words({ 'Which pot?': { answers: ['The cracked one.'] } })).toEqual(['The cracked one.'])
  })

  it('is no message if nothing was typed or chosen', () => {
    for (const value of [undefined, null, '', '  ', {}, [[]], { 0: '' }, true])
      expect(words(value)).toEqual([])
  })

  it('is not looked for in what is nested deeper than any answer', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}"Green"${']'.repeat(20_000)}`)
    expect(words(deep)).toEqual([])
  })
})

it('a failed request is shown with what was said of it, which may be JSON', () => {
  const said = (text: string | undefined) => {
    const marker = failed(text)
    return marker.type === 'marker' ? marker.text : marker.type
  }
  const json =
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}'
  expect(said(`API Error: 529 ${json}`)).toBe('API Error: 529 Overloaded')
  expect(said(json)).toBe('Overloaded')
  expect(said('429 {"code":3}')).toBe('429 {"code":3}')
  expect(said('The pot {is} dry')).toBe('The pot {is} dry')
  expect(said(undefined)).toBeUndefined()
})
