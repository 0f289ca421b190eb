import { describe, expect, it } from 'vitest'
import { fixture } from '../../../test/claude-code-fixtures.ts'
import type { Artifact } from '../../model/artifact.ts'
import { normalize } from './records/normalize.ts'

const artifact: Artifact = fixture('media')[0]!
const SIZE = 400_000
/** Far above the time of any of them, far below that of a quadratic search. */
const LIMIT_MS = 2000

const PIECES = [
  '<system-reminder>',
  '<system-reminder ',
  '<system-reminder></system-reminder>',
  '<system-reminder x="1"></system-reminder>',
  '</system-reminder>',
  '<channel source="a">',
  '<command-name>',
  '<command-name>/x</command-name>',
  '<command-args>',
  '</command-args>',
  '<command-message>',
  '<bash-input>',
  '<bash-input>x</bash-input>',
  '<user-memory-input>',
  '<pasted_content',
  '<pasted_content ',
  '[Request interrupted',
  '[Request interrupted by user',
  '[Request interrupted: the session ended',
  '[Image: source: ',
  'the user said:\n',
  "The user doesn't want to proceed with this tool use",
  '"="',
  '"="a", "',
  '"="\\',
  '<tool_use_error>',
  '<fork-boilerplate>',
  'Your directive: ',
  '<',
  ' ',
  '\n',
]
const OPENINGS = [
  '',
  'x ',
  '<command-name>',
  'User has answered your questions: "a"="',
  "The user doesn't want to ",
]

describe('a hostile transcript', () => {
  it.each(PIECES)('does not block the reader: %j', (piece) => {
    for (const opening of OPENINGS) {
      const text = opening + piece.repeat(SIZE / piece.length)
      const entries = [
        { type: 'user', message: { content: text } },
        { type: 'user', message: { content: [{ type: 'tool_result', content: text, is_error: true }] } },
        { type: 'user', message: { content: [{ type: 'tool_result', content: text }] } },
        { type: 'assistant', message: { model: '<synthetic>', content: [{ type: 'text', text }] } },
        { type: 'queue-operation', operation: 'enqueue', content: text },
      ]
      for (const entry of entries) {
        const before = process.cpuUsage()
        normalize(entry, artifact)
        expect(process.cpuUsage(before).user / 1000).toBeLessThan(LIMIT_MS)
      }
    }
  })
})
