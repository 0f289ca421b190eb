import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf, fixtureRoot, sessionOf, transcripts } from '../../../../test/claude-code-fixtures.ts'
import { readSession } from '../../../collect/read/read-session.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { bucketOf } from '../../../model/fold/fold.ts'
import { normalize } from './normalize.ts'

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
