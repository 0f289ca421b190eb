import { describe, expect, it } from 'vitest'
import { titleFrom } from './title.ts'

describe('the title of a session without one', () => {
  it.each([
    ['a sentence', ['Why does the pump stop?'], 'Why does the pump stop?'],
    [
      'a line with all of its sentences',
      ['Fix the pump. Then water it.\nNow'],
      'Fix the pump. Then water it.',
    ],
    ['what follows a greeting', ['Hi! Could you look at the pump'], 'Could you look at the pump'],
    ['what follows an Arabic comma', ['مرحبا، كيف أصلح المضخة؟'], 'كيف أصلح المضخة؟'],
    ['what follows a comma as wide as a sign', ['你好，请修理水泵'], '请修理水泵'],
    ['the second prompt after a greeting', ['Hello', 'Why does the pump stop'], 'Why does the pump stop'],
    ['a short question', ['Why?'], 'Why?'],
    ['a greeting if nothing else is said', ['Hello'], 'Hello'],
    ['no command', ['/clear', '/mcp', 'Count the ferns please'], 'Count the ferns please'],
    ['a command with words', ['/review the pump code'], '/review the pump code'],
    ['no caveat', ['Caveat: the messages below were generated\nWater all the ferns'], 'Water all the ferns'],
    [
      'no line of a log',
      ['2026-11-01 10:00:00 ERROR pump stopped\n[INFO] retrying in 5 s\nWhat stopped the pump?'],
      'What stopped the pump?',
    ],
    [
      'no stack',
      [
        'TypeError: x is not a function\n    at run (src/pump.ts:3:5)\nsrc/pump.ts:3:5: error\nMend that in the pump',
      ],
      'Mend that in the pump',
    ],
    [
      'no code',
      ['```ts\nconst pump = stop()\n```\nRename it to halt everywhere'],
      'Rename it to halt everywhere',
    ],
    ['no quotation', ['> the pump stops each night\nIs this still true'], 'Is this still true'],
    ['one line', ['Compare\tthe  two\npumps'], 'Compare the two'],
    ['Chinese', ['好。修复登录页面。然后测试'], '修复登录页面。然后测试'],
    ['a log if there is nothing else', ['[INFO] pump\nstarted'], 'started'],
    ['only a command if there is nothing else', ['/clear'], '/clear'],
    ['the words before an abbreviation', ['Use e.g. Redis for the cache'], 'Use e.g. Redis for the cache'],
    ['a short request with its reason', ['Fix it. The sum is wrong.'], 'Fix it. The sum is wrong.'],
    ['no Japanese greeting', ['こんにちは', 'ログイン画面を直して'], 'ログイン画面を直して'],
    ['no mark of a list', ['- [ ] Add a search box'], 'Add a search box'],
    [
      'no error of a compiler',
      ['src/a.ts(12,5): error TS2322: no\nFix these type errors'],
      'Fix these type errors',
    ],
    [
      'no shell',
      ['ann@moss:~/pump$ make\nmake: *** Error 1\nWhat is missing here?'],
      'What is missing here?',
    ],
    ['no result of tests', ['FAIL test/pump.test.ts > stops\nMake the tests green'], 'Make the tests green'],
    [
      'no table of a program',
      ['NAME   READY   AGE   IP\nweb    0/1     3m    x\nWhy does web crash'],
      'Why does web crash',
    ],
    [
      'no code without a fence',
      ['const x = await stop(1)\nWhat does this line do'],
      'What does this line do',
    ],
    [
      'what only looks like a log',
      ['error handling in the cart is wrong'],
      'error handling in the cart is wrong',
    ],
    ['a time that is no log', ['10:30 works for me, book it'], '10:30 works for me, book it'],
    ['a name with a dot', ['Round pump.rate to 2.5 at once'], 'Round pump.rate to 2.5 at once'],
  ])('is %s', (_, prompts, title) => {
    expect(titleFrom(prompts)).toBe(title)
  })

  it('is absent without words', () => {
    expect(titleFrom([undefined, '', '\n'])).toBeUndefined()
  })
})

it('takes only a name behind a greeting for a part of it', () => {
  expect(titleFrom(['Thank you, that is all for today.'])).toBe('that is all for today.')
  expect(titleFrom(['Hi Claude can you paint the door?'])).toBe('can you paint the door?')
  expect(titleFrom(['Good morning, Ann. Paint the door.'])).toBe('Paint the door.')
})
