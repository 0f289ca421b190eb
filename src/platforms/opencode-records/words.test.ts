import { expect, it } from 'vitest'
import { typedWords } from './words.ts'

it.each([
  ['"Is it up?"', 'Is it up?'],
  ['"Say \\"hello\\" twice"', 'Say "hello" twice'],
  ['"Ann" and "Ben"', '"Ann" and "Ben"'],
  ['"quoted"', '"quoted"'],
  ['Is it up?', 'Is it up?'],
])('the words of %s are %s', (stored, typed) => {
  expect(typedWords(stored)).toBe(typed)
})
