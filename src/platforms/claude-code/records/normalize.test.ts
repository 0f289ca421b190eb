import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  entriesOf,
  fixture,
  fixtureRoot,
  readableItem,
  rootAt,
  sessionOf,
  transcripts,
} from '../../../../test/claude-code-fixtures.ts'
import { claude, put, temporaryHome } from '../../../../test/records.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { bucketOf } from '../../../model/fold/fold.ts'
import { readSession } from '../../../sync/read/read-session.ts'
import { discover } from '../discover.ts'
import { normalize, skip } from './normalize.ts'

const FIXTURES = readdirSync(join(import.meta.dirname, '../../../../test/fixtures/claude-code'))
const artifacts = FIXTURES.flatMap((name) => [...transcripts(fixtureRoot(name)).files.values()])
const someArtifact = artifacts[0]!
const sideQuestion = artifacts.find(({ fork }) => fork === 'side_question')!

const payload = (entry: unknown) => normalize(entry, someArtifact).map((draft) => draft.payload)

const anything = fc.jsonValue({ maxDepth: 4 })
const some = (...values: string[]) => fc.oneof(fc.constantFrom(...values), anything)
const block = fc.record(
  {
    type: some('text', 'tool_use', 'tool_result', 'image', 'thinking', 'document', 'x'),
    text: some('<system-reminder>', '<command-name>/x</command-name>', '[Request interrupted by user]'),
    content: fc.oneof(some('User has answered your questions: "a"="b"'), fc.array(anything)),
    tool_use_id: anything,
    is_error: fc.oneof(fc.boolean(), anything),
    id: anything,
    name: anything,
    input: anything,
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    content: fc.oneof(fc.string(), fc.array(fc.oneof(block, anything)), anything),
    id: anything,
    usage: anything,
  },
  { requiredKeys: [] },
)
const entry = fc.record(
  {
    type: some(
      ...[
        'user',
        'assistant',
        'system',
        'attachment',
        'queue-operation',
        'summary',
        'custom-title',
        'ai-title',
      ],
      ...['last-prompt', 'pr-link', 'relocated', 'continued-in', 'worktree-state', 'progress'],
    ),
    message: fc.oneof(message, anything),
    attachment: fc.oneof(fc.record({ type: some('queued_command', 'file'), prompt: anything }), anything),
    subtype: some('local_command', 'api_error', 'compact_boundary', 'voice_call_talk'),
    operation: some('enqueue', 'dequeue', 'remove', 'popAll'),
    content: some('<task-notification>', 'words'),
    origin: anything,
    error: anything,
    uuid: anything,
    timestamp: anything,
    toolUseResult: fc.oneof(fc.record({ answers: anything, annotations: anything }), anything),
    userFeedback: anything,
    worktreeSession: anything,
    forkedFrom: anything,
    isSidechain: fc.oneof(fc.boolean(), anything),
    isApiErrorMessage: fc.oneof(fc.boolean(), anything),
  },
  { requiredKeys: [] },
)

describe('normalizing', () => {
  it('never throws, and always returns something, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(entry, anything),
        fc.constantFrom(someArtifact, sideQuestion),
        (value, artifact) => {
          expect(normalize(value, artifact).length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('never throws for real records with one part replaced by anything', () => {
    const lines = artifacts.flatMap((artifact) => entriesOf(artifact)).filter((each) => each !== null)
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), anything, (line, index, value) => {
        let count = 0
        const parts = JSON.stringify(line).match(/[{[:,]/g)?.length ?? 1
        const changed = JSON.parse(JSON.stringify(line), (_, each) =>
          count++ === index % parts ? value : each,
        )
        expect(normalize(changed, someArtifact).length).toBeGreaterThan(0)
      }),
      { numRuns: 3000 },
    )
  })

  it('has no state between entries, and gives a record the same id each time', () => {
    for (const artifact of artifacts) {
      const entries = entriesOf(artifact)
      const backwards = entries.toReversed().map((each) => normalize(each, artifact))
      const forwards = entries.map((each) => normalize(each, artifact))
      expect(forwards).toEqual(backwards.toReversed())
      const ids = () => readSession(artifact).items.map(({ id, line }) => [id, line])
      expect(ids()).toEqual(ids())
    }
  })

  it('survives nesting deeper than the stack', () => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 10_000; depth++) deep = [deep]
    expect(payload({ type: 'user', message: { content: deep } })).toHaveLength(1)
    expect(
      payload({ type: 'user', message: { content: [{ type: 'tool_result', content: deep }] } }),
    ).toHaveLength(1)
  })
})

describe('a prompt that does not say who sent it', () => {
  const prompt = (fields: object) =>
    payload({ type: 'user', message: { role: 'user', content: 'Count the pots' }, ...fields })

  it.each(['2.1.32', '2.1.9', '2.0.999', '1.99.99', undefined])(
    'may be that of a script in %s',
    (version) => {
      expect(prompt({ version })).toMatchObject([{ speaker: 'human', unmarked: true }])
      expect(prompt({ version, promptSource: 'typed' })[0]).not.toHaveProperty('unmarked')
    },
  )

  it.each(['2.1.33', '2.1.100', '2.2.0', '3.0.0'])('was typed in %s, which marks the others', (version) => {
    const [typed] = prompt({ version })
    expect(typed).toMatchObject({ speaker: 'human' })
    expect(typed).not.toHaveProperty('unmarked')
  })
})

describe('an entry', () => {
  it('has the same envelope on all its events', () => {
    const drafts = normalize(
      {
        type: 'user',
        uuid: 'u1',
        parentUuid: 'u0',
        timestamp: '2026-03-02T09:00:00.000Z',
        cwd: '/srv/eastore',
        sessionId: 's1',
        forkedFrom: { sessionId: 's0', messageUuid: 'u9' },
        message: {
          content: [
            { type: 'tool_result', content: 'x' },
            { type: 'text', text: 'and more' },
          ],
        },
      },
      someArtifact,
    )
    expect(drafts.map((draft) => draft.payload.type)).toEqual(['message', 'message'])
    for (const draft of drafts)
      expect(draft).toMatchObject({
        id: 'u1',
        parentId: 'u0',
        at: Date.parse('2026-03-02T09:00:00.000Z'),
        cwd: '/srv/eastore',
        sessionId: 's1',
        forkedFrom: 'u9',
      })
  })

  it.each([
    [
      'summary',
      { summary: 'Tea', leafUuid: 'u1' },
      { type: 'title', title: 'Tea', source: 'summary', leaf: 'u1' },
    ],
    ['custom-title', { customTitle: 'Tea' }, { type: 'title', title: 'Tea', source: 'custom' }],
    ['ai-title', { aiTitle: 'Tea' }, { type: 'title', title: 'Tea', source: 'ai' }],
    ['last-prompt', { lastPrompt: 'tea?' }, { type: 'title', title: 'tea?', source: 'last-prompt' }],
    ['pr-link', { prUrl: 'https://x/1' }, { type: 'link', relation: 'pull-request', target: 'https://x/1' }],
    ['relocated', { relocatedCwd: '/b' }, { type: 'link', relation: 'relocated', target: '/b' }],
    ['continued-in', { continuedInSessionId: 's' }, { type: 'link', relation: 'continued-in', target: 's' }],
    [
      'worktree-state',
      { worktreeSession: { originalCwd: '/a', worktreePath: '/a/w' } },
      { type: 'link', relation: 'worktree', target: '/a/w', from: '/a' },
    ],
    [
      'queue-operation',
      { operation: 'popAll', content: 'x' },
      { type: 'queue', operation: 'pop-all', text: 'x' },
    ],
    [
      'queue-operation',
      { operation: 'enqueue', content: '<tick>1</tick>' },
      { type: 'queue', operation: 'enqueue' },
    ],
    ['conversation_reset', {}, { type: 'marker', marker: 'reset' }],
    ['progress', { data: {} }, { type: 'skipped', name: 'progress' }],
    ['artifact-anything', {}, { type: 'skipped', name: 'artifact-anything' }],
    ['weather-report', {}, { type: 'unknown', name: 'weather-report' }],
  ])('of type %s', (type, fields, expected) => {
    expect(payload({ type, ...fields })).toMatchObject([expected])
  })

  it.each([
    [{ status: 529, error: { error: { message: 'Overloaded' } } }, '529 Overloaded'],
    [{ error: { message: 'inner' } }, 'inner'],
    [{ message: 'reset' }, 'reset'],
    ['plain', 'plain'],
    [{ status: 500 }, '500 API error'],
  ])('shows what went wrong with a request: %j', (error, text) => {
    expect(payload({ type: 'system', subtype: 'api_error', error })).toEqual([
      { type: 'marker', marker: 'agent-error', text },
    ])
  })
})

describe('the accounting', () => {
  it('counts bookkeeping, context and notes under their own type, and none of them as unknown', () => {
    const { accounting, human } = sessionOf('bookkeeping')
    expect(accounting.unknown).toEqual({})
    expect(human).toBe(1)
    expect(new Set(Object.values(accounting.skipped))).toEqual(new Set([1]))
  })

  it('counts types that this version does not know, under their names', () => {
    expect(sessionOf('unknown-types').accounting).toMatchInlineSnapshot(`
      {
        "events": 1,
        "malformed": 0,
        "skipped": {
          "artifact-upload": 1,
          "attachment:hook_something_new": 1,
          "data-flow-node": 1,
          "ended-by-user": 1,
          "queue-operation": 1,
          "system": 1,
          "system:task_something_new": 1,
        },
        "unknown": {
          "attachment:crystal_ball": 1,
          "attachment:untyped": 2,
          "system:barometer": 1,
          "weather-report": 2,
        },
      }
    `)
  })

  it('puts every entry of the fixtures into one bucket', () => {
    const buckets = (artifact: Artifact) =>
      entriesOf(artifact).map((each) => bucketOf(normalize(each, artifact)).bucket)
    expect(new Set(artifacts.flatMap(buckets))).toEqual(new Set(['event', 'skipped', 'unknown']))
  })
})

const blob = {
  type: 'api-request-blob',
  sessionId: 's',
  hash: 'a1',
  timestamp: '2026-11-20T09:30:00.000Z',
  message: {
    role: 'user',
    content: [{ type: 'text', text: 'said to the model {"parentUuid":"x"}\n\u0001' }],
  },
}
const shape = { type: 'api-request-shape', tools: [{ name: 'Pour' }, { name: 'Stir', input: {} }] }
const queued = {
  type: 'queue-operation',
  operation: 'enqueue',
  content: 'pour it',
  timestamp: '2026-11-20T09:31:00Z',
}
const user = (words: string, minute: number) => claude.user(minute, words)

function transcript(lines: readonly string[]) {
  const root = join(temporaryHome(), '.claude')
  put(
    join(root, 'projects', '-srv-eastore', 'ea570000-0000-4000-8000-000000000001.jsonl'),
    `${lines.join('\n')}\n`,
  )
  const [artifact] = discover(rootAt(root)).artifacts
  return artifact!
}

function read(lines: readonly string[]) {
  const { items, session } = readSession(transcript(lines))
  return { items: items.map(readableItem), accounting: session.accounting, last: session.lastActivityMs }
}

const text = JSON.stringify

describe('lines that contain requests to the model', () => {
  it('are recognized by their first bytes, and as what the whole line says', () => {
    for (const each of [blob, shape]) {
      const bytes = Buffer.from(text(each))
      expect(skip({ bytes, start: 0, end: bytes.length })).toBe(each.type)
      expect(normalize(each, transcript([text(each)]))).toEqual([
        { payload: { type: 'skipped', name: each.type } },
      ])
    }
  })

  it('are counted under their type, and yield neither text nor time', () => {
    const lines = [text(user('warm it', 1)), text(blob), text(shape), text(blob)]
    const { items, accounting, last } = read(lines)
    expect(items).toEqual(['human: warm it'])
    expect(accounting).toMatchObject({
      events: 1,
      skipped: { 'api-request-blob': 2, 'api-request-shape': 1 },
    })
    expect(last).toBeLessThan(Date.parse(blob.timestamp))
  })

  it.each([
    ['after a whole one', text(blob) + text(user('pour it', 2))],
    ['after one that was cut in a word', text(blob).slice(0, 120) + text(user('pour it', 2))],
    ['after one that was cut before a value', `{"type":"api-request","params":${text(user('pour it', 2))}`],
    ['after bytes that were never written', `${text(blob).slice(0, 90)}\0\0\0${text(user('pour it', 2))}`],
  ])('hide no record that lost its newline: %s', (_, line) => {
    const lines = [text(user('warm it', 1)), line, text(shape)]
    expect(read(lines).items).toEqual(['human: warm it', 'human: pour it'])
  })

  it.each([
    ['after a whole one', text(blob) + text(queued)],
    ['after one that was cut in a word', text(blob).slice(0, 120) + text(queued)],
    ['after bytes that were never written', `${text(blob).slice(0, 90)}\0\0\0${text(queued)}`],
  ])('hide no record without an id that lost its newline: %s', (_, line) => {
    expect(read([text(user('warm it', 1)), line]).items).toEqual([
      'human: warm it',
      'human (queued): pour it',
    ])
  })

  it('are malformed if they end early', () => {
    expect(
      read([text(user('warm it', 1)), text(blob).slice(0, -6), text(shape).slice(0, 40)]).accounting,
    ).toMatchObject({ events: 1, malformed: 2, skipped: {} })
  })
})

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
        const before = process.threadCpuUsage()
        normalize(entry, artifact)
        expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(LIMIT_MS)
      }
    }
  })
})
