import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem, rootAt, transcripts } from '../../../test/claude-code-fixtures.ts'
import { temporaryHome } from '../../../test/records.ts'
import { readSession } from '../../collect/read/read-session.ts'
import type { Artifact } from '../../model/artifact.ts'

let records = 0
const record = (content: string, type = 'user'): string =>
  JSON.stringify({
    type,
    message: { role: type, content },
    uuid: `u${++records}`,
    timestamp: '2026-03-02T09:00:00Z',
  })

/** A transcript with these bytes, which git and editors would change in a fixture. */
function transcript(...bytes: (string | Buffer)[]): Artifact {
  const root = temporaryHome()
  const project = join(root, 'projects/-srv-eastore')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'a.jsonl'), Buffer.concat(bytes.map((each) => Buffer.from(each as string))))
  return [...transcripts(rootAt(root)).files.values()][0]!
}

function read(artifact: Artifact, lineLimit?: number) {
  const { items, session } = readSession(artifact, { lineLimit })
  return { items: items.map(readableItem), lines: session.lines, ...session.accounting }
}

describe('a damaged file', () => {
  it('is read after a run of zero bytes', () => {
    const { items, malformed } = read(
      transcript(Buffer.alloc(5000), record('a'), '\n', Buffer.alloc(9), '\n', record('b'), '\n'),
    )
    expect(items).toEqual(['human: a', 'human: b'])
    expect(malformed).toBeLessThanOrEqual(1)
  })

  it('is read after a byte order mark, and with carriage returns', () => {
    const result = read(transcript('\uFEFF', record('a'), '\r\n', '\r\n', record('b'), '\r\n'))
    expect(result).toMatchObject({ items: ['human: a', 'human: b'], malformed: 0, events: 2 })
  })

  it('yields the text around invalid UTF-8', () => {
    const [before, after] = record('teaXpot').split('X') as [string, string]
    const result = read(transcript(before, Buffer.from([0xff, 0xc3]), after, '\n', record('b'), '\n'))
    expect(result.items[0]).toMatch(/^human: tea\uFFFD+pot$/)
    expect(result.events).toBe(2)
  })

  it('yields a last line without a newline if it is whole, and counts it if it is not', () => {
    expect(read(transcript(record('a'), '\n', record('b')))).toMatchObject({ events: 2, malformed: 0 })
    const torn = read(transcript(record('a'), '\n', record('bbb').slice(0, 40)))
    expect(torn).toMatchObject({ items: ['human: a'], malformed: 1, lines: 2 })
  })

  it('yields both of two records on one line', () => {
    expect(
      read(transcript(record('a'), record('b'), '\n', record('c'), ' ', record('d'), '\n')),
    ).toMatchObject({
      items: ['human: a', 'human: b', 'human: c', 'human: d'],
      lines: 2,
      malformed: 0,
    })
  })

  it('preserves NUL characters and separators in texts, and marks half a character as lost', () => {
    const line = '{"type":"user","message":{"content":"a\\u0000b\u2028c\u2029d\\ud800"},"uuid":"x"}\n'
    expect(read(transcript(line)).items).toEqual(['human: a␀b⤶c\u2029d\ufffd'])
  })

  it('may be empty or consist of white space', () => {
    expect(read(transcript(''))).toMatchObject({ items: [], lines: 0 })
    expect(read(transcript('\n \n\t\r\n'))).toMatchObject({ items: [], lines: 0, malformed: 0 })
  })
})

describe('a line of twenty megabytes', () => {
  const picture = 'A'.repeat(20 * 1024 * 1024)
  const prompt = JSON.stringify({
    type: 'user',
    uuid: 'big',
    message: {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', data: picture } },
        { type: 'text', text: 'what is this?' },
      ],
    },
  })

  it('is read like any other', () => {
    expect(read(transcript(prompt, '\n', record('and this?'), '\n')).items).toEqual([
      'human: what is this? [image]',
      'human: and this?',
    ])
  })

  it('is skipped and counted if it is longer than the limit', () => {
    const result = read(
      transcript(record('before'), '\n', prompt, '\n', record('behind'), '\n'),
      4 * 1024 * 1024,
    )
    expect(result).toMatchObject({ items: ['human: before', 'human: behind'], lines: 3, malformed: 1 })
  })
})
