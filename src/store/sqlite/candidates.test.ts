import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../search/query.ts'
import { type PartsOf, wordsExpression } from './candidates.ts'

const expressionOf = (query: string, partsOf?: PartsOf): string | undefined =>
  wordsExpression(parseQuery(query, 0, () => undefined).words!, partsOf)

const partsOf: PartsOf = (token, where) => [`${where === 'end' ? 'x' : ''}${token}${where}`]

describe('an expression for words', () => {
  it('looks for whole words first', () => {
    expect(expressionOf('fern')).toBe('({text} : ("fern"))')
  })

  it('looks for words that begin with a term, or contain it', () => {
    expect(expressionOf('fern', partsOf)).toBe('({text} : ("fern" * OR "ferninside"))')
  })

  it('names words that begin with one or two letters, because there are too many', () => {
    expect(expressionOf('fe', partsOf)).toBe('({text} : ("fe" OR "festart"))')
    expect(expressionOf('f', partsOf)).toBe('({text} : ("f" OR "fstart"))')
    expect(expressionOf('fe*', partsOf)).toBe('({text} : ("fe" * OR "feinside"))')
  })

  it('finds all words that begin with a Chinese character', () => {
    expect(expressionOf('登', partsOf)).toBe('({text} : ("登" * OR "登inside"))')
  })

  it('leaves out a few letters at the end of a name, which only texts decide', () => {
    expect(expressionOf('one_two_fe', partsOf)).toContain('"one two" OR (("xoneend") AND "two")')
    expect(expressionOf('one_two_fern', partsOf)).toContain('"one two fern" *')
  })
})
