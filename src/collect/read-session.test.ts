import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claude, openclaw, put, temporaryHome, text } from '../../test/records.ts'
import type { Artifact, PlatformId } from '../model/artifact.ts'
import { type ReadOptions, readSession } from './read-session.ts'

/** A file with these bytes, as discovery would hand it over. */
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

/** Who said what on which line, and how the lines were counted, on the fast path and on the slow one. */
function told(content: string | Buffer, options: Partial<ReadOptions> = {}, platform?: PlatformId) {
  const artifact = artifactOf(content, platform)
  const [fast, slow] = [false, true].map((parseAll) => {
    const { session, items } = readSession(artifact, { purpose: 'read', parseAll, ...options })
    const { events, malformed, malformedAt = [] } = session.accounting
    return {
      said: items.map((item) => `${item.line}: ${item.who} ${item.text}`),
      counted: `${session.lines} lines, ${events} events, ${malformed} malformed${malformedAt.length > 0 ? ` at ${malformedAt}` : ''}`,
    }
  })
  expect(fast).toEqual(slow)
  return fast!
}

const one = line(claude.user(1, 'one'))
const two = line(claude.reply(2, [text('two')]))
const three = line(claude.user(3, 'three'))

describe('a transcript that is damaged', () => {
  it('with two records glued on one line tells both', () => {
    expect(told(`${one}${three}\n${two}\n`)).toEqual({
      said: ['1: human one', '1: human three', '2: agent two'],
      counted: '2 lines, 2 events, 0 malformed',
    })
  })

  it('with a question and its answer glued on one line tells the question first', () => {
    expect(told(`${one}${two}\n`).said).toEqual(['1: human one', '1: agent two'])
  })

  it('with a record behind half of another tells the whole one, and where the tear is', () => {
    expect(told(`${one}\n${two.slice(0, 60)}${three}\n`)).toEqual({
      said: ['1: human one', '2: human three'],
      counted: `2 lines, 2 events, 0 malformed at ${one.length + 1}`,
    })
  })

  it('with a torn last line counts it, and the rest is told', () => {
    expect(told(`${one}\n${two}\n${three.slice(0, three.indexOf('three') + 3)}`)).toEqual({
      said: ['1: human one', '2: agent two'],
      counted: `3 lines, 2 events, 1 malformed at ${one.length + two.length + 2}`,
    })
  })

  it('whose last line has no newline yet but is whole tells it', () => {
    expect(told(`${one}\n${two}`).said).toEqual(['1: human one', '2: agent two'])
  })

  it('whose last line lacks its end tells nothing of it, also where a part of it is whole', () => {
    expect(told(`${one}\n${three.slice(0, -1)}`)).toEqual({
      said: ['1: human one'],
      counted: `2 lines, 1 events, 1 malformed at ${one.length + 1}`,
    })
  })

  it('with runs of NUL before a record tells the record', () => {
    const zeros = '\0'.repeat(4096)
    expect(told(`${one}\n${zeros}${two}\n${three}\n`).said).toEqual([
      '1: human one',
      '2: agent two',
      '3: human three',
    ])
  })

  it('with nothing but NUL is malformed, not empty', () => {
    expect(told('\0'.repeat(2000)).counted).toBe('1 lines, 0 events, 1 malformed at 0')
  })

  it('with bytes that are no UTF-8 tells the words around them', () => {
    const [before, after] = line(claude.user(1, 'fern @ moss')).split('@') as [string, string]
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from(`${after}\n${two}\n`),
    ])
    expect(told(bytes).said).toEqual(['1: human fern \ufffd\ufffd\ufffd moss', '2: agent two'])
  })

  it('with JSON that is no record counts each line and goes on', () => {
    const { said, counted } = told(`[]\n"text"\n12\nnull\ntrue\n{}\n${one}\nno json\n{"type":\n`)
    expect(said).toEqual(['7: human one'])
    expect(counted).toBe(`9 lines, 1 events, 2 malformed at ${26 + one.length + 1},${26 + one.length + 9}`)
  })
})

describe('a transcript that other programs wrote', () => {
  it('may begin with a byte order mark', () => {
    expect(told(`\uFEFF${one}\n${two}\n`)).toEqual({
      said: ['1: human one', '2: agent two'],
      counted: '2 lines, 2 events, 0 malformed',
    })
  })

  it('may end its lines as Windows does, and have blank ones', () => {
    expect(told(`\r\n${one}\r\n  \r\n\t\n${two}\r\n\r\n`)).toEqual({
      said: ['2: human one', '5: agent two'],
      counted: '2 lines, 2 events, 0 malformed',
    })
  })

  it('may hold line separators of Unicode inside its texts', () => {
    expect(told(`${line(claude.user(1, 'a\u2028b\u2029c\u0085d'))}\n${two}\n`).said).toEqual([
      '1: human a\u2028b\u2029c\u0085d',
      '2: agent two',
    ])
  })

  it('may hold white space around every token', () => {
    const spaced = JSON.stringify(claude.reply(2, [text('two')]), null, 1).replaceAll('\n', '\t ')
    expect(told(`  ${spaced}  \n${one}\n`).said).toEqual(['1: agent two', '2: human one'])
  })
})

describe('a transcript of any size', () => {
  it('of zero bytes is a session without a word', () => {
    for (const purpose of ['index', 'read'] as const) {
      const { session, items } = readSession(artifactOf(''), { purpose })
      expect(items).toEqual([])
      expect(session).toMatchObject({ lines: 0, human: 0, agentMessages: 0, kind: null, bytes: 0 })
      expect(session.accounting).toEqual({ events: 0, skipped: {}, unknown: {}, malformed: 0 })
      expect(session.startedMs).toBeUndefined()
    }
  })

  it('counts lines over the limit as stubs and reads on behind them', () => {
    const long = line(claude.user(9, 'x'.repeat(3_000_000)))
    expect(told(`${one}\n${long}\n${two}\n`, { lineLimit: 1_000_000 })).toEqual({
      said: ['1: human one', '3: agent two'],
      counted: `3 lines, 2 events, 1 malformed at ${one.length + 1}`,
    })
    expect(told(`${one}\n${long}`, { lineLimit: 1_000_000 }).counted).toBe(
      `2 lines, 1 events, 1 malformed at ${one.length + 1}`,
    )
  })

  it('reads what stands between two lines over the limit', () => {
    const long = line(claude.user(9, 'x'.repeat(3_000_000)))
    expect(told(`${long}\n${two}\n${long}\n`, { lineLimit: 1_000_000 })).toEqual({
      said: ['2: agent two'],
      counted: `3 lines, 1 events, 2 malformed at 0,${long.length + two.length + 2}`,
    })
  })

  it('reads a line of 20 MB, and its neighbours', () => {
    const words = 'fern '.repeat(4_000_000)
    const { session, items } = readSession(artifactOf(`${one}\n${line(claude.user(2, words))}\n${three}\n`), {
      purpose: 'read',
    })
    expect(items.map((item) => [item.line, item.text?.length])).toEqual([
      [1, 3],
      [2, words.trim().length],
      [3, 5],
    ])
    expect(session.firstHuman).toBe('one')
  })

  it('passes over 20 MB in a result without telling it', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(20_000_000) },
    }
    const result = {
      ...claude.user(2, ''),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [image] }] },
    }
    expect(told(`${one}\n${line(result)}\n${three}\n`)).toEqual({
      said: ['1: human one', '3: human three'],
      counted: '3 lines, 3 events, 0 malformed',
    })
  })
})

describe('a transcript that cannot be read', () => {
  it('throws what the system says', () => {
    const artifact = artifactOf('')
    expect(() => readSession({ ...artifact, path: `${artifact.path}.gone` }, { purpose: 'index' })).toThrow(
      'ENOENT',
    )
    expect(() => readSession({ ...artifact, path: join(artifact.path, '..') }, { purpose: 'index' })).toThrow(
      'EISDIR',
    )
  })

  it('leaves nothing behind for the next one', () => {
    const artifact = artifactOf(`${one}\n`)
    expect(() => readSession({ ...artifact, path: `${artifact.path}.gone` }, { purpose: 'read' })).toThrow()
    expect(readSession(artifact, { purpose: 'read' }).items.map((item) => item.text)).toEqual(['one'])
    expect(
      told(`${line(openclaw.header('a'))}\n${line(openclaw.user(1, 'moss'))}\n`, {}, 'openclaw').said,
    ).toEqual(['2: human moss'])
  })
})
