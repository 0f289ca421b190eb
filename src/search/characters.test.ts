import { expect, it } from 'vitest'
import { QUESTION } from './characters.ts'

const asks = (text: string): boolean => new RegExp(QUESTION, 'u').test(text)

it.each([
  ...[
    'Why?',
    'Why? Because.',
    'Really?! Yes',
    'Is it "dry?" he asked',
    '**Why?**',
    'Why (how?). So',
    'Is it?...',
  ],
  ...[
    '[Why is it slow?](https://a.test)',
    '<b>Why?</b>',
    'Ready?\u{1f44d} go',
    'v2? v3?',
    'Is it dry?\nNo.',
    '?',
  ],
  ...['Pourquoi ? Parce que', 'Pourquoi\u00a0?', '为什么？因为', 'هل هذا صحيح؟'],
])('%j asks', (text) => {
  expect(asks(text)).toBe(true)
})

it.each([
  ...[
    'https://a.test/?q=1',
    '^[a-z]+(?:_[a-z]+)*$',
    'a?.b()',
    'a ?? b',
    'x ? 1 : 2',
    'name?: string',
    '?? src/a.ts',
  ],
  ...['VALUES (?, ?)', 'parse(s)?;', 'No.', ''],
])('%j asks nothing', (text) => {
  expect(asks(text)).toBe(false)
})
