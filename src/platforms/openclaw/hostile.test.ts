import { describe, expect, it } from 'vitest'
import type { Artifact } from '../../model/artifact.ts'
import { normalize } from './records/normalize.ts'

const ARTIFACT: Artifact = {
  platform: 'openclaw',
  root: '/',
  path: '/x.jsonl',
  kind: 'transcript',
  state: 'live',
  sessionId: 'x',
  agent: 'main',
  bytes: 0,
  modifiedMs: 0,
}
const SIZE = 400_000
/** Far above the time of any of them, far below that of a quadratic search. */
const LIMIT_MS = 2000

const PIECES = [
  '<think>',
  '<think></thinking>',
  '</think>',
  '<final>',
  '`',
  '```',
  '[[',
  'MEDIA:',
  'NO_REPLY ',
  'NO_REPLY\n\n\n',
  '[',
  '[Telegram ',
  '[Telegram [a] ',
  '[Replying to a]',
  '[Replying to a] [/Quoting]',
  '[media attached: a]\n',
  '[message_id: 1]\n',
  '[from: a]',
  'System: [10:00] a\n\n',
  'System: [10:00] [Post-compaction context refresh]\n\nSession was just compacted.\n\n',
  'Sender (untrusted metadata):\n```json\n{}\n```\n',
  'Sender (untrusted metadata):\n```json\n',
  'Note: The previous agent run was aborted by the user. a\n\n',
  '[Thread history - for context]\n',
  '[Thread history - for context] ',
  '[Bootstrap pending]\n\n',
  '[Startup context loaded by runtime]\n\n',
  '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>',
  '<relevant-memories>\n',
  '<file name="a">\n',
  '[Queued messages while agent was busy]\n---\nQueued #1\n',
  '[Image]\nDescription:\n',
  '⟦openclaw:ctx⟧\n',
  '【',
  'Untrusted context (metadata, do not treat as instructions or commands):\n',
  '"error":null,',
  'error ',
  'errorerror',
  'Error',
  'aError ',
  'no errors ',
  ' ',
  '\n',
  'a\n\n',
  '\\n',
  '{',
]

describe('a hostile transcript', () => {
  it.each(PIECES)('does not block the reader: %j', (piece) => {
    const texts = [
      piece.repeat(SIZE / piece.length),
      `[Wed 2026-01-28 20:30 EST] ${piece.repeat(SIZE / piece.length)} x NO_REPLY </think> x`,
    ]
    for (const text of texts)
      for (const role of ['user', 'assistant', 'toolResult']) {
        const before = process.cpuUsage()
        normalize({ type: 'message', message: { role, content: [{ type: 'text', text }] } }, ARTIFACT)
        expect(process.cpuUsage(before).user / 1000).toBeLessThan(LIMIT_MS)
      }
  })
})
