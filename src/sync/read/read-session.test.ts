import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claude, openclaw, put, temporaryHome, text } from '../../../test/records.ts'
import type { Artifact, PlatformId } from '../../model/artifact.ts'
import { type ReadOptions, readSession } from './read-session.ts'

/** A file with this content, as discovery returns it. */
function artifactOf(content: string | Buffer, platform: PlatformId = 'claude-code'): Artifact {
  const path = put(join(temporaryHome(), 'a.jsonl'), content)
  return {
    platform,
    root: '/',
    path,
    kind: 'transcript',
    state: 'live',
    sessionId: 'a',
    agent: 'claude',
    bytes: statSync(path).size,
    modifiedMs: 0,
  }
}

const line = (record: object): string => JSON.stringify(record)

/** The messages with their lines, and the accounting. */
function readAll(content: string | Buffer, options: Partial<ReadOptions> = {}, platform?: PlatformId) {
  const artifact = artifactOf(content, platform)
  const { session, items } = readSession(artifact, options)
  const { events, malformed, malformedAt = [] } = session.accounting
  return {
    messages: items.map((item) => `${item.line}: ${item.who} ${item.text}`),
    counted: `${session.lines} lines, ${events} events, ${malformed} malformed${malformedAt.length > 0 ? ` at ${malformedAt}` : ''}`,
  }
}

const one = line(claude.user(1, 'one'))
const two = line(claude.reply(2, [text('two')]))
const three = line(claude.user(3, 'three'))

describe('a damaged transcript', () => {
  it('with two records on one line yields both', () => {
    expect(readAll(`${one}${three}\n${two}\n`)).toEqual({
      messages: ['1: human one', '1: human three', '2: agent two'],
      counted: '2 lines, 2 events, 0 malformed',
    })
  })

  it('with a question and its answer on one line yields the question first', () => {
    expect(readAll(`${one}${two}\n`).messages).toEqual(['1: human one', '1: agent two'])
  })

  it('with a whole record after half of another yields the whole one and reports the damage', () => {
    expect(readAll(`${one}\n${two.slice(0, 60)}${three}\n`)).toEqual({
      messages: ['1: human one', '2: human three'],
      counted: `2 lines, 2 events, 0 malformed at ${one.length + 1}`,
    })
  })

  it('with a torn last line counts that line and yields the rest', () => {
    expect(readAll(`${one}\n${two}\n${three.slice(0, three.indexOf('three') + 3)}`)).toEqual({
      messages: ['1: human one', '2: agent two'],
      counted: `3 lines, 2 events, 1 malformed at ${one.length + two.length + 2}`,
    })
  })

  it('with a whole last line without a newline yields that line', () => {
    expect(readAll(`${one}\n${two}`).messages).toEqual(['1: human one', '2: agent two'])
  })

  it('with an incomplete last line yields nothing of it, even if a part of it is whole JSON', () => {
    expect(readAll(`${one}\n${three.slice(0, -1)}`)).toEqual({
      messages: ['1: human one'],
      counted: `2 lines, 1 events, 1 malformed at ${one.length + 1}`,
    })
  })

  it('with NUL bytes before a record yields the record', () => {
    const zeros = '\0'.repeat(4096)
    expect(readAll(`${one}\n${zeros}${two}\n${three}\n`).messages).toEqual([
      '1: human one',
      '2: agent two',
      '3: human three',
    ])
  })

  it('with nothing but NUL bytes is malformed, not empty', () => {
    expect(readAll('\0'.repeat(2000)).counted).toBe('1 lines, 0 events, 1 malformed at 0')
  })

  it('with invalid UTF-8 yields the text around it', () => {
    const [before, after] = line(claude.user(1, 'fern @ moss')).split('@') as [string, string]
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from(`${after}\n${two}\n`),
    ])
    expect(readAll(bytes).messages).toEqual(['1: human fern \ufffd\ufffd\ufffd moss', '2: agent two'])
  })

  it('with JSON that is not a record counts each line and continues', () => {
    const { messages, counted } = readAll(`[]\n"text"\n12\nnull\ntrue\n{}\n${one}\nno json\n{"type":\n`)
    expect(messages).toEqual(['7: human one'])
    expect(counted).toBe(`9 lines, 1 events, 2 malformed at ${26 + one.length + 1},${26 + one.length + 9}`)
  })
})

describe('a transcript that other programs wrote', () => {
  it('may start with a byte order mark', () => {
    expect(readAll(`\uFEFF${one}\n${two}\n`)).toEqual({
      messages: ['1: human one', '2: agent two'],
      counted: '2 lines, 2 events, 0 malformed',
    })
  })

  it('may have Windows line ends and blank lines', () => {
    expect(readAll(`\r\n${one}\r\n  \r\n\t\n${two}\r\n\r\n`)).toEqual({
      messages: ['2: human one', '5: agent two'],
      counted: '2 lines, 2 events, 0 malformed',
    })
  })

  it('may contain Unicode line separators in its texts', () => {
    expect(readAll(`${line(claude.user(1, 'a\u2028b\u2029c\u0085d'))}\n${two}\n`).messages).toEqual([
      '1: human a\u2028b\u2029c\u0085d',
      '2: agent two',
    ])
  })

  it('may have white space around every token', () => {
    const spaced = JSON.stringify(claude.reply(2, [text('two')]), null, 1).replaceAll('\n', '\t ')
    expect(readAll(`  ${spaced}  \n${one}\n`).messages).toEqual(['1: agent two', '2: human one'])
  })
})

describe('a transcript of any size', () => {
  it('with zero bytes is a session without messages', () => {
    for (const keep of ['counts', 'condensed'] as const) {
      const { session, items } = readSession(artifactOf(''), { keep })
      expect(items).toEqual([])
      expect(session).toMatchObject({ lines: 0, human: 0, agentMessages: 0, kind: null, bytes: 0 })
      expect(session.accounting).toEqual({ events: 0, skipped: {}, unknown: {}, malformed: 0 })
      expect(session.startedMs).toBeUndefined()
    }
  })

  it('with lines over the limit counts them as malformed and continues', () => {
    const long = line(claude.user(9, 'x'.repeat(3_000_000)))
    expect(readAll(`${one}\n${long}\n${two}\n`, { lineLimit: 1_000_000 })).toEqual({
      messages: ['1: human one', '3: agent two'],
      counted: `3 lines, 2 events, 1 malformed at ${one.length + 1}`,
    })
    expect(readAll(`${one}\n${long}`, { lineLimit: 1_000_000 }).counted).toBe(
      `2 lines, 1 events, 1 malformed at ${one.length + 1}`,
    )
  })

  it('with a line between two lines over the limit yields that line', () => {
    const long = line(claude.user(9, 'x'.repeat(3_000_000)))
    expect(readAll(`${long}\n${two}\n${long}\n`, { lineLimit: 1_000_000 })).toEqual({
      messages: ['2: agent two'],
      counted: `3 lines, 1 events, 2 malformed at 0,${long.length + two.length + 2}`,
    })
  })

  it('with a line of 20 MB yields it and its neighbours', () => {
    const words = 'fern '.repeat(4_000_000)
    const { session, items } = readSession(artifactOf(`${one}\n${line(claude.user(2, words))}\n${three}\n`))
    expect(items.map((item) => [item.line, item.text?.length])).toEqual([
      [1, 3],
      [2, words.trim().length],
      [3, 5],
    ])
    expect(session.firstHuman).toBe('one')
  })

  it('with 20 MB in a tool result skips them', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(20_000_000) },
    }
    const result = {
      ...claude.user(2, ''),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [image] }] },
    }
    expect(readAll(`${one}\n${line(result)}\n${three}\n`)).toEqual({
      messages: ['1: human one', '3: human three'],
      counted: '3 lines, 3 events, 0 malformed',
    })
  })
})

describe('a transcript that cannot be read', () => {
  it('throws the error of the system', () => {
    const artifact = artifactOf('')
    expect(() => readSession({ ...artifact, path: `${artifact.path}.gone` }, { keep: 'counts' })).toThrow(
      'ENOENT',
    )
    expect(() => readSession({ ...artifact, path: join(artifact.path, '..') }, { keep: 'counts' })).toThrow(
      'EISDIR',
    )
  })

  it('leaves no state for the next transcript', () => {
    const artifact = artifactOf(`${one}\n`)
    expect(() => readSession({ ...artifact, path: `${artifact.path}.gone` })).toThrow()
    expect(readSession(artifact).items.map((item) => item.text)).toEqual(['one'])
    expect(
      readAll(`${line(openclaw.header('a'))}\n${line(openclaw.user(1, 'moss'))}\n`, {}, 'openclaw').messages,
    ).toEqual(['2: human moss'])
  })
})
