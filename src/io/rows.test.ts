import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRows, type Row } from './rows.ts'

const STATE = { size: 0, mtimeMs: 0, identity: '' }

/** Counts the rows that are read. */
function source(rows: readonly Row[]) {
  const asked = { rows: 0 }
  function* counted(some: readonly Row[]): Generator<Row> {
    for (const row of some) {
      asked.rows++
      yield row
    }
  }
  const opened = openRows({
    from: (seq) => counted(rows.filter((row) => row.seq >= seq)),
    below: (seq) => counted(rows.filter((row) => row.seq < seq).toReversed()),
    state: () => STATE,
  })
  return { asked, opened }
}

/** The contents of a file with the same lines. */
const wholeOf = (rows: readonly Row[]): Buffer => {
  const lines: string[] = []
  for (const { seq, bytes } of rows) lines[seq] = bytes.toString()
  return Buffer.from(Array.from(lines, (line) => `${line ?? ''}\n`).join(''))
}

function read(opened: ReturnType<typeof openRows>, length: number, chunk: number): Buffer {
  const into = Buffer.alloc(length + 2)
  let held = 0
  while (held < length) {
    const count = opened.read(into, 1 + held, Math.min(chunk, length - held))
    if (count === 0) break
    held += count
  }
  return into.subarray(1, 1 + held)
}

const someRows: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record({
      gap: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 5 })),
      text: fc.string(),
    }),
    {
      maxLength: 30,
    },
  )
  .map((each) => {
    let seq = -1
    return each.map(({ gap, text }) => {
      seq += 1 + gap
      return { seq, bytes: Buffer.from(text.replaceAll('\n', ' ')) }
    })
  })

describe('rows read as lines of a file', () => {
  it('are the same bytes from any offset, whichever line was announced before', () => {
    const steps = fc.array(
      fc.record({
        anchor: fc.option(fc.nat()),
        offset: fc.nat(),
        length: fc.nat({ max: 300 }),
        chunk: fc.integer({ min: 1, max: 40 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(someRows, steps, (rows, wanted) => {
        const whole = wholeOf(rows)
        const starts = [0]
        for (let at = whole.indexOf(10); at >= 0; at = whole.indexOf(10, at + 1)) starts.push(at + 1)
        const { opened } = source(rows)
        expect(read(opened, whole.length + 10, 7)).toEqual(whole)
        for (const { anchor, offset, length, chunk } of wanted) {
          if (anchor !== null) {
            const line = anchor % starts.length
            opened.lineBegins!(starts[line]!, line + 1)
          }
          const at = offset % (whole.length + 1)
          opened.seek(at)
          expect(read(opened, length, chunk)).toEqual(whole.subarray(at, at + length))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('are requested from the nearest known offset', () => {
    const rows = Array.from({ length: 10_000 }, (_, seq) => ({ seq, bytes: Buffer.from(`row ${seq}`) }))
    const whole = wholeOf(rows)
    const { opened, asked } = source(rows)
    opened.lineBegins!(whole.length, 10_001)
    for (const from of [0, 50, whole.length - 50, whole.length]) {
      opened.seek(from)
      read(opened, 50, 50)
    }
    expect(asked.rows).toBeLessThan(60)
  })

  it('end with a line that is not JSON if a gap is larger than any transcript has', () => {
    const rows = [0, 1, 2 ** 40, 2 ** 40 + 1].map((seq) => ({ seq, bytes: Buffer.from(`row ${seq}`) }))
    const { opened } = source(rows)
    expect(read(opened, 100, 7).toString()).toBe('row 0\nrow 1\n\0\n')
    opened.seek(3)
    expect(read(opened, 100, 7).toString()).toBe(' 0\nrow 1\n\0\n')
  })
})
