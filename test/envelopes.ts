import { hash } from 'node:crypto'
import { idOf } from '../src/deliver/delivery/envelope.ts'
import type { Batch } from '../src/sinks/sink.ts'

export const idOfNumber = (number: number): string => hash('sha256', `record ${number}`, 'hex').slice(0, 32)

/** A record as the collector writes it, with its newline. `raw` is JSON. */
export const envelope = (number: number, raw = `{"type":"user","n":${number}}`, more = ''): string =>
  `{"v":1,"id":"${idOfNumber(number)}","at":"2026-11-20T10:00:00.000Z","platform":"claude-code","kind":"transcript","device":"laptop",` +
  `"agent":"claude","session":"5f0c","project":"~/shop","path":"~/.claude/projects/-shop/5f0c.jsonl","line":${number + 1},` +
  `"offset":${number * 100},"generation":1${more},"raw":${raw},"redactions":0}\n`

/** Lines as a batch, as the sender creates one. */
export function batchOf(lines: readonly string[]): Batch {
  const records = lines.map((line) => Buffer.from(line))
  const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id)
  return {
    key: idOf(...ids),
    bytes: Buffer.concat(records),
    ids,
    lengths: records.map(({ length }) => length),
  }
}

export const batchOfNumbers = (from: number, to: number): Batch =>
  batchOf(Array.from({ length: to - from }, (_, index) => envelope(from + index)))
