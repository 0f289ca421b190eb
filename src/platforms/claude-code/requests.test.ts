import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem, rootAt } from '../../../test/claude-code-fixtures.ts'
import { claude, put, temporaryHome } from '../../../test/records.ts'
import { readSession } from '../../collect/read/read-session.ts'
import { discover } from './discover.ts'
import { normalize, skip } from './records/normalize.ts'

const blob = {
  ...{ type: 'api-request-blob', sessionId: 's', hash: 'a1', timestamp: '2026-11-20T09:30:00.000Z' },
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
