import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { put, temporaryHome } from '../../../test/records.ts'
import { mergeGenerations } from './generations.ts'

/**
 * Merges generations in order, each given by the names of its records. Records that begin with a small letter
 * have an id.
 */
function merged(...generations: readonly (readonly string[])[]): string[] {
  const home = temporaryHome()
  const paths = generations.map((names, number) =>
    put(join(home, String(number)), names.map((name) => `${lineOf(name)}\n`).join('')),
  )
  const pieces: Buffer[] = []
  mergeGenerations(
    paths.reverse(),
    { platform: 'claude-code', kind: 'transcript' },
    (bytes) => void pieces.push(bytes),
  )
  const text = Buffer.concat(pieces).toString('utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => (line === '' ? '' : (JSON.parse(line) as { name: string }).name))
}

const lineOf = (name: string): string =>
  name === '' ? '' : JSON.stringify(/^[a-z]/.test(name) ? { uuid: name[0], name } : { type: 'mode', name })

describe('merging the generations of a file', () => {
  it('puts records that were cut off before those that remain', () => {
    expect(merged(['a', 'b', 'c', 'd'], ['c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('restores the records of several cuts', () => {
    expect(merged(['a', 'b', 'c'], ['c', 'd', 'e'], ['e', 'f'], ['f'])).toEqual([...'abcdef'])
  })

  it('appends a generation if nothing of the earlier one remains', () => {
    expect(merged(['a', 'b'], ['c', 'd'], ['e'])).toEqual([...'abcde'])
  })

  it('restores removed records at their old position', () => {
    expect(merged(['a', 'b', 'c', 'd'], ['a', 'd', 'e'])).toEqual([...'abcde'])
    expect(merged(['a', 'b', 'c'], ['a', 'd'])).toEqual([...'abcd'])
    expect(merged(['a', 'b', 'c', 'd'], ['a', 'b', 'd'], ['a', 'd'])).toEqual([...'abcd'])
  })

  it('uses the latest form of a record', () => {
    expect(merged(['a', 'b as it was', 'c'], ['b as it is', 'c'])).toEqual(['a', 'b as it is', 'c'])
  })

  it('does not order generations by repeated records without id and time', () => {
    expect(merged(['Mode', 'a', 'b', 'Mode', 'c'], ['c', 'Mode', 'd'])).toEqual(['a', 'b', 'c', 'Mode', 'd'])
  })

  it('preserves the empty lines of the latest generation', () => {
    expect(merged(['a', '', 'b'], ['b', '', 'c'])).toEqual(['a', 'b', '', 'c'])
  })

  it('merges hundreds of generations', () => {
    const names = Array.from({ length: 300 }, (_, number) => String.fromCodePoint(0x4e00 + number))
    const text = merged(...names.map((name) => [name]))
    expect(text).toEqual(names)
  })

  it('loses and repeats no record, whatever happened to the file', () => {
    const generation = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(generation, { minLength: 1, maxLength: 5 }), (generations) => {
        const all = merged(...generations)
        expect(all.toSorted()).toEqual([...new Set(generations.flat())].toSorted())
        const last = new Set(generations.at(-1))
        expect(all.filter((name) => last.has(name))).toEqual(generations.at(-1))
      }),
    )
  })
})
