import { expect, it } from 'vitest'
import { readLines } from '../../io/lines.ts'
import { Scanner } from '../../io/scanner/scanner.ts'
import { depthOf } from '../../io/scanner/shape.ts'
import { bufferSource } from '../../io/source.ts'
import { createFieldNumbers } from './field-numbers.ts'

const WORDS = ['cwd', 'payload', 'in', 'at']

/** The values that are found at the paths of a line, as JSON. */
function found(line: string, ...paths: string[]): string[] {
  const numbers = createFieldNumbers(paths, WORDS)
  const scanner = new Scanner({ words: WORDS, descend: new Set(['payload', 'in']) }, 4096)
  const bytes = Buffer.from(`${line}\n`)
  const seen: string[] = []
  readLines(bufferSource(bytes, 0, { size: bytes.length, mtimeMs: 0, identity: '' }), scanner, (shape) => {
    for (let index = shape.first; index < shape.first + shape.pairs * 3; index += 3) {
      const meta = shape.words[index]!
      if (depthOf(meta) > numbers.deepest) continue
      const path = paths.find((each) => numbers.numberOf(each) === numbers.at(meta))
      const [start, end] = [shape.words[index + 1]!, shape.words[index + 2]!]
      if (path) seen.push(`${path}=${shape.bytes.toString('utf8', start, end)}`)
    }
  })
  return seen
}

it('the scanner finds fields at their paths and nowhere else', () => {
  const line = '{"cwd":"a","payload":{"cwd":"b","in":{"at":1}},"in":{"cwd":"c"},"at":2}'
  expect(found(line, 'cwd', 'at')).toEqual(['cwd=a', 'at=2'])
  expect(found(line, 'payload.cwd', 'at')).toEqual(['payload.cwd=b', 'at=2'])
  expect(found(line, 'payload.in.at', 'in.cwd')).toEqual(['payload.in.at=1', 'in.cwd=c'])
})

it('the scanner finds no fields in lists or after a nested object', () => {
  expect(found('{"payload":[{"cwd":"a"},"b"],"cwd":"c"}', 'payload.cwd')).toEqual([])
  expect(found('{"in":["a"]}', 'in.in')).toEqual([])
  expect(found('{"payload":{"in":{"cwd":"a"}}}', 'payload.cwd')).toEqual([])
})
