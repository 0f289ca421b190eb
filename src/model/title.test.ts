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
    ['a name with a dot', ['Round pump.rate to 2.5 at once'], 'Round pump.rate to 2.5 at once'],
  ])('is %s', (_, prompts, title) => {
    expect(titleFrom(prompts)).toBe(title)
  })

  it('is absent without words', () => {
    expect(titleFrom([undefined, '', '\n'])).toBeUndefined()
  })
})
