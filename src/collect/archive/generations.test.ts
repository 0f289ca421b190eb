import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { put, temporaryHome } from '../../../test/records.ts'
import { mergeGenerations } from './generations.ts'

/** Generations in order, each of them the names of its records. What begins with a small letter has an id. */
function merged(...generations: readonly (readonly string[])[]): string[] {
  const home = temporaryHome()
  const paths = generations.map((names, number) =>
    put(join(home, String(number)), names.map((name) => `${lineOf(name)}\n`).join('')),
  )
  const pieces: Buffer[] = []
  mergeGenerations(paths.reverse(), (bytes) => void pieces.push(bytes))
  const text = Buffer.concat(pieces).toString('utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => (line === '' ? '' : (JSON.parse(line) as { name: string }).name))
}

const lineOf = (name: string): string =>
  name === '' ? '' : JSON.stringify(/^[a-z]/.test(name) ? { uuid: name[0], name } : { type: 'mode', name })

describe('the generations of a file', () => {
  it('have what was cut away before what is left', () => {
    expect(merged(['a', 'b', 'c', 'd'], ['c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('have all that several cuts took', () => {
    expect(merged(['a', 'b', 'c'], ['c', 'd', 'e'], ['e', 'f'], ['f'])).toEqual([...'abcdef'])
  })

  it('stand one behind the other where nothing is left of the earlier one', () => {
    expect(merged(['a', 'b'], ['c', 'd'], ['e'])).toEqual([...'abcde'])
  })

  it('have what was taken out where it stood', () => {
    expect(merged(['a', 'b', 'c', 'd'], ['a', 'd', 'e'])).toEqual([...'abcde'])
    expect(merged(['a', 'b', 'c'], ['a', 'd'])).toEqual([...'abcd'])
    expect(merged(['a', 'b', 'c', 'd'], ['a', 'b', 'd'], ['a', 'd'])).toEqual([...'abcd'])
  })

  it('have the last form of a record', () => {
    expect(merged(['a', 'b as it was', 'c'], ['b as it is', 'c'])).toEqual(['a', 'b as it is', 'c'])
  })

  it('are not put in order by records without id and time, which repeat', () => {
    expect(merged(['Mode', 'a', 'b', 'Mode', 'c'], ['c', 'Mode', 'd'])).toEqual(['a', 'b', 'c', 'Mode', 'd'])
  })

  it('keep the empty lines of the last one', () => {
    expect(merged(['a', '', 'b'], ['b', '', 'c'])).toEqual(['a', 'b', '', 'c'])
  })

  it('are many', () => {
    const names = Array.from({ length: 300 }, (_, number) => String.fromCodePoint(0x4e00 + number))
    const text = merged(...names.map((name) => [name]))
    expect(text).toEqual(names)
  })

  it('lose nothing and repeat nothing, whatever became of the file', () => {
    const generation = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(generation, { minLength: 1, maxLength: 5 }), (generations) => {
        const told = merged(...generations)
        expect(told.toSorted()).toEqual([...new Set(generations.flat())].toSorted())
        const last = new Set(generations.at(-1))
        expect(told.filter((name) => last.has(name))).toEqual(generations.at(-1))
      }),
    )
  })
})
