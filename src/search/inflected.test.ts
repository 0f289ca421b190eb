import { describe, expect, it } from 'vitest'
import { inflectedFormsOf } from './inflected.ts'

describe('the forms of a word that do not begin with it', () => {
  it.each([
    ['dropped', 'dropp', 'drop'],
    ['controlled', 'controll', 'control'],
    ['logs', 'logs', 'logging'],
    ['chose', 'chos', 'choose'],
    ['writing', 'writ', 'wrote'],
    ['breaks', 'break', 'broken'],
    ['decision', 'decisio', 'decide'],
    ['children', 'childr', 'child'],
    ['v24.1.0', 'v24.1.0', '24.1.0'],
    ['4.7', '4.7', 'v4.7'],
  ])('of %s', (word, stem, form) => {
    expect(inflectedFormsOf(word, stem)).toContain(form)
  })

  it.each([
    ['log', 'login'],
    ['called', 'cal'],
    ['passed', 'pas'],
    ['adding', 'ad'],
    ['constructor', 'construct'],
  ])('are not those of another word: %s, %s', (word, other) => {
    expect(inflectedFormsOf(word, word)).not.toContain(other)
  })
})

it('are the same for each of them', () => {
  for (const form of ['chose', 'chosen', 'choice'])
    expect(inflectedFormsOf(form, form)).toEqual(inflectedFormsOf('choose', 'choos'))
})
