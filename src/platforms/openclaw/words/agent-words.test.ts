import { describe, expect, it } from 'vitest'
import { agentWords } from './agent-words.ts'

describe('the text of an agent', () => {
  it.each([
    'NO_REPLY',
    'no_reply',
    ' NO_REPLY \n',
    'NO_REPLY.',
    '**NO_REPLY**',
    '"NO_REPLY"',
    'NO_REPLY\n\nNO_REPLY',
    'NO_REPLYNO_REPLY',
    '{"action":"NO_REPLY"}',
    '{ "action": "no_reply" }',
    '<think>nothing to say</think>NO_REPLY',
    'HEARTBEAT_OK',
    'HEARTBEAT_OK!!!',
    '**HEARTBEAT_OK**',
    '<b>HEARTBEAT_OK</b>',
    '`HEARTBEAT_OK`',
    'ANNOUNCE_SKIP',
    'REPLY_SKIP',
    '[assistant turn failed before producing content]',
    '<think>cut off in the middle',
    '',
  ])('is empty if the agent is silent: %s', (text) => {
    expect(agentWords(text).text).toBe('')
  })

  it.each([
    ['All dry.\n\nNO_REPLY', 'All dry.'],
    ['All dry. **HEARTBEAT_OK**', 'All dry.'],
    ['All dry.NO_REPLY', 'All dry.'],
    ['NO_REPLY\n\nThe pump is off.', 'The pump is off.'],
    ['HEARTBEAT_OK. The pump is off.', 'The pump is off.'],
    ['NO_REPLYThe pump is off.', 'The pump is off.'],
    ['NO_REPLY is the token for silence', 'NO_REPLY is the token for silence'],
    ['Answer `NO_REPLY` then', 'Answer `NO_REPLY` then'],
    ['It ends with `NO_REPLY`', 'It ends with `NO_REPLY`'],
    ['SOME_NO_REPLY', 'SOME_NO_REPLY'],
  ])('loses a token at its edge, and no more: %s', (text, words) => {
    expect(agentWords(text).text).toBe(words)
  })

  it.each([
    ['[[reply_to_current]] Yes.', 'Yes.'],
    ['[[reply_to: 412]]Yes.', 'Yes.'],
    ['[[ reply_to_current ]] Yes.', 'Yes.'],
    ['[[audio_as_voice]]\nYes.', 'Yes.'],
    ['<final>Yes.</final>', 'Yes.'],
    ['<final>\nYes.\n</final>\n', 'Yes.'],
    ['[[a wiki link]] stays', '[[a wiki link]] stays'],
    [
      'Use `[[reply_to_current]]` or\n```\n<final>x</final>\n```',
      'Use `[[reply_to_current]]` or\n```\n<final>x</final>\n```',
    ],
    ['a < b and <div> stay', 'a < b and <div> stay'],
  ])('loses directives outside code: %s', (text, words) => {
    expect(agentWords(text).text).toBe(words)
  })

  it('is separated from thinking, whichever tag is missing', () => {
    expect([
      agentWords('<think>is it wet?</think>\nWet.'),
      agentWords('<thinking>a</thinking>One. <think>b</think>Two.'),
      agentWords('is it wet?</think>Wet.'),
      agentWords('<think>is it'),
      agentWords('the tag `<think>` is code'),
    ]).toMatchInlineSnapshot(`
      [
        {
          "media": 0,
          "text": "Wet.",
          "thinking": [
            "is it wet?",
          ],
        },
        {
          "media": 0,
          "text": "One. Two.",
          "thinking": [
            "a",
            "b",
          ],
        },
        {
          "media": 0,
          "text": "Wet.",
          "thinking": [
            "is it wet?",
          ],
        },
        {
          "media": 0,
          "text": "",
          "thinking": [
            "is it",
          ],
        },
        {
          "media": 0,
          "text": "the tag \`<think>\` is code",
          "thinking": [],
        },
      ]
    `)
  })

  it('comes with the number of files that were sent', () => {
    expect(agentWords('Here:\nMEDIA:./a.png\nMEDIA: /tmp/b c.jpg\ndone')).toEqual({
      text: 'Here:\ndone',
      thinking: [],
      media: 2,
    })
    expect(agentWords('MEDIA is plural')).toEqual({ text: 'MEDIA is plural', thinking: [], media: 0 })
  })
})
