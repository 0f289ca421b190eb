import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf, fixture } from '../../../../test/openclaw-fixtures.ts'
import { keep } from '../../../../test/stores.ts'
import { readLines } from '../../../io/lines.ts'
import { parseLine } from '../../../io/parse-line.ts'
import { openSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { bucketOf } from '../../../model/fold/fold.ts'
import type { Item } from '../../../model/session.ts'
import { IN_MEMORY, openSqliteStore } from '../../../store/sqlite/open.ts'
import { readSession } from '../../../sync/read/read-session.ts'
import { summarized } from '../../pi-records/normalize.ts'
import { transcriptName } from '../file-names.ts'
import { isMirror, normalize } from './normalize.ts'

const FIXTURES = readdirSync(join(import.meta.dirname, '../../../../test/fixtures/openclaw'))
const fixtures = FIXTURES.flatMap((name) => [...fixture(name, true).files.values()])
const someArtifact = fixtures[0]!

/** Records as the client writes them, with arbitrary values in the relevant fields. */
const anything = fc.jsonValue({ maxDepth: 4 })
const block = fc.record(
  {
    type: fc.constantFrom('text', 'toolCall', 'tool_use', 'toolResult', 'image', 'thinking', 'x'),
    text: anything,
    arguments: anything,
    content: anything,
    id: anything,
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    role: fc.oneof(
      fc.constantFrom(
        'user',
        'assistant',
        'toolResult',
        'bashExecution',
        'custom',
        'branchSummary',
        'system',
      ),
      anything,
    ),
    content: fc.oneof(fc.string(), fc.array(fc.oneof(block, anything)), anything),
    usage: anything,
    details: fc.oneof(
      fc.record(
        {
          exitCode: fc.oneof(fc.integer({ min: -1, max: 2 }), anything),
          status: fc.oneof(fc.constantFrom('completed', 'error'), anything),
          error: anything,
        },
        { requiredKeys: [] },
      ),
      anything,
    ),
    isError: fc.oneof(fc.boolean(), anything),
    provenance: anything,
    stopReason: anything,
    errorMessage: anything,
    model: anything,
    command: anything,
    0: anything,
  },
  { requiredKeys: [] },
)
const record = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom(
        'message',
        'session',
        'custom',
        'custom:x',
        'custom_message',
        'compaction',
        'model_change',
        'leaf',
        'reset',
        'label',
        'session_info',
        'branch_summary',
        'thinking_level_change',
      ),
      anything,
    ),
    message: fc.oneof(message, anything),
    id: anything,
    parentId: anything,
    timestamp: anything,
    customType: anything,
    cwd: anything,
    parentSession: anything,
    name: anything,
    targetId: anything,
  },
  { requiredKeys: [] },
)

describe('normalizing', () => {
  it('never throws, and always returns something, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(record, anything), (entry) => {
        expect(normalize(entry, someArtifact).length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws for real text, cut and joined anywhere', () => {
    const texts = fixtures
      .flatMap((artifact) => entriesOf(artifact))
      .flatMap((entry) => JSON.stringify(entry).match(/"(?:text|content)":"((?:[^"\\]|\\.)*)"/)?.[1] ?? [])
    const piece = fc
      .tuple(fc.constantFrom(...texts), fc.nat(), fc.nat())
      .map(([text, from, to]) => JSON.parse(`"${text}"`).slice(from % 200, to % 400) as string)
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 5 }),
        fc.constantFrom('user', 'assistant', 'toolResult'),
        (pieces, role) => {
          normalize({ type: 'message', message: { role, content: pieces.join('\n') } }, someArtifact)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('has no state between entries', () => {
    for (const artifact of fixtures) {
      const entries = entriesOf(artifact)
      const forwards = entries.map((entry) => normalize(entry, artifact))
      const backwards = entries.toReversed().map((entry) => normalize(entry, artifact))
      expect(backwards.toReversed()).toEqual(forwards)
    }
  })

  it('survives nesting deeper than the stack', () => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 10_000; depth++) deep = [deep]
    expect(
      normalize({ type: 'message', message: { role: 'user', content: deep } }, someArtifact).length,
    ).toBe(1)
  })

  it("treats every user turn as a program's if no human can write in the session", () => {
    const entry = { type: 'message', message: { role: 'user', content: 'just do it' } }
    const result = (['cron', 'subagent', 'heartbeat', 'hook', 'program', 'human', undefined] as const).map(
      (kindHint) => {
        const [draft] = normalize(entry, { ...someArtifact, kindHint })
        return draft!.payload.type === 'message'
          ? `${draft!.payload.speaker} ${draft!.payload.label ?? ''}`.trim()
          : ''
      },
    )
    expect(result).toEqual([
      'program cron',
      'program subagent task',
      'program heartbeat',
      'program hook',
      'program program',
      'human',
      'human',
    ])
  })
})

const corpus = process.env.SCROLLBACK_CORPUS && join(process.env.SCROLLBACK_CORPUS, 'openclaw')

describe.skipIf(!corpus || !existsSync(corpus))('real transcripts (set SCROLLBACK_CORPUS to run)', () => {
  it('are known line by line', { timeout: 600_000 }, () => {
    const unknown: Record<string, number> = {}
    for (const entry of readdirSync(corpus!, { recursive: true, withFileTypes: true })) {
      const name = transcriptName(entry.name)
      if (!entry.isFile() || !name || /(?:^|\/)cron\//.test(entry.parentPath)) continue
      const artifact = { ...someArtifact, path: join(entry.parentPath, entry.name), sessionId: name.stem }
      readLines(openSource(artifact.path), (line) => {
        const { bucket, name: type } = bucketOf(
          parseLine(line.bytes, line.start, line.end).entries.flatMap((each) => normalize(each, artifact)),
        )
        if (bucket === 'unknown') unknown[type] = (unknown[type] ?? 0) + 1
      })
    }
    console.log(`unknown in real transcripts: ${JSON.stringify(unknown)}`)
  })
})

const [artifact] = [...fixture('compaction-files').files.values()]
const marks = (items: readonly Item[]) =>
  items.flatMap(({ marker, text, readFiles, modifiedFiles }) =>
    marker ? [{ text, readFiles, modifiedFiles }] : [],
  )

describe('the files that a summary lists', () => {
  it('are fields of its marker, from the record or from the text, and no part of the summary', () => {
    const expected = [
      {
        text: 'a summary of 18 characters',
        readFiles: ['shelf.txt', 'cups.txt'],
        modifiedFiles: ['shelf.txt'],
      },
      { text: 'a summary of 19 characters', readFiles: ['drawer.txt'], modifiedFiles: undefined },
    ]
    expect(marks(readSession(artifact!).items)).toEqual(expected)
    const { store } = openSqliteStore(IN_MEMORY, 0)
    keep(store, artifact!)
    expect(marks(store.messages(artifact!.path) as Item[])).toEqual(expected)
    store.close()
  })

  it('are taken from the record if both list some', () => {
    const summary = 'x\n<read-files>\na\n</read-files>'
    expect(summarized('compaction', { summary, details: { readFiles: ['b', 7] } })).toEqual({
      type: 'marker',
      marker: 'compaction',
      text: 'x',
      files: { readFiles: ['b'] },
    })
  })

  it.each([[{}], [{ details: 'x' }], [{ summary: 7 }], [{ details: { readFiles: 'x' } }]])(
    'are absent if there are none: %j',
    (record) => {
      expect(summarized('branch', record)).toEqual({ type: 'marker', marker: 'branch' })
    },
  )
})

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
        const before = process.threadCpuUsage()
        normalize({ type: 'message', message: { role, content: [{ type: 'text', text }] } }, ARTIFACT)
        expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(LIMIT_MS)
      }
  })
})

it('a reply is a copy for a channel if its model or its provider says so', () => {
  expect(
    [
      { provider: 'openclaw', model: 'delivery-mirror', api: 'openai-responses' },
      { provider: 'clawdbot', model: 'delivery-mirror' },
      { provider: 'openclaw', model: 'gateway-injected' },
      { provider: 'openai-responses', model: 'delivery-mirror' },
      { api: 'openclaw-transcript', provider: 'openclaw', model: 'any' },
      { model: 'claude', openclawDeliveryMirror: { kind: 'channel-final' } },
      { provider: 'anthropic', model: 'claude-opus-4-5', api: 'anthropic-messages' },
      { provider: 'openai', model: 'gpt-6', api: 'openai-responses' },
      {},
    ].map(isMirror),
  ).toEqual([true, true, true, true, true, true, false, false, false])
})
