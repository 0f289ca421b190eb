import { describe, expect, it } from 'vitest'
import { filtersIn, toggled, withMoments, without, written } from '../../ui/pages/query-filters.ts'

const shown = (text: string): string[] =>
  filtersIn(text).map(({ name, value, isDenied }) => `${isDenied ? 'not ' : ''}${name}=${value}`)

describe('the filters in a query', () => {
  it('are found between words, with a minus and with quotes', () => {
    expect(shown('who:human stock')).toEqual(['who=human'])
    expect(shown('tax -tool:Bash project:"my shop" (file:src/auth.ts OR tea)')).toEqual([
      'not tool=Bash',
      'project=my shop',
      'file=src/auth.ts',
    ])
  })

  it('have one name for each speaker', () => {
    expect(shown('who:me WHO:Assistant')).toEqual(['who=human', 'who=agent'])
  })

  it('are not what looks like one within a phrase or a word, or has no value', () => {
    for (const text of [
      '"who:human"',
      '-"a who:human b"',
      'http://x',
      'xwho:human',
      'who:',
      'a"b',
      '',
      '- : -',
    ])
      expect([text, shown(text)]).toEqual([text, []])
  })

  it('can be removed, which leaves the other words', () => {
    const text = 'who:human stock project:"my shop" tea'
    expect(without(text, filtersIn(text))).toBe('stock tea')
    expect(without(text, filtersIn(text).slice(1))).toBe('who:human stock tea')
  })

  it('are written so that they are found again', () => {
    for (const value of ['api', 'my shop', 'a(b)|c'])
      expect(shown(written('project', value))).toEqual([`project=${value}`])
  })
})

it('a value that is clicked replaces what else the query says of its filter, but not other values', () => {
  expect(toggled('tax platform:kimi', 'agent', 'claude')).toBe('tax agent:claude')
  expect(toggled('tax -agent:codex -platform:pi', 'agent', 'codex')).toBe('tax agent:codex')
  expect(toggled('agent:codex -kind:cron', 'agent', 'claude')).toBe('agent:codex -kind:cron agent:claude')
  expect(toggled('-kind:cron platform:pi', 'kind', 'human')).toBe('platform:pi kind:human')
  expect(toggled('tax agent:codex', 'agent', 'Codex')).toBe('tax')
})

it('the days of a query become moments of the reader for the server, and nothing else changes', () => {
  const moment = (...day: [number, number, number]): string => new Date(...day).toISOString()
  expect(withMoments('tax after:2026-01-31 -before:2026-02')).toBe(
    `tax after:${moment(2026, 0, 31)} -before:${moment(2026, 1, 1)}`,
  )
  for (const text of ['tax after:7d', '"after:2026-01-31"', 'who:human 2026-01-31', 'after:soon'])
    expect(withMoments(text)).toBe(text)
})
