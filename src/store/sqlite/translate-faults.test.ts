import { expect, it } from 'vitest'
import { translateFaults } from './translate-faults.ts'

const translate = (error: unknown): Error => new Error(`translated: ${(error as Error).message}`)

const engine = translateFaults(
  {
    name: 'engine',
    read(): number {
      throw new Error('damaged')
    },
    *rows(): Generator<number, string> {
      yield 1
      throw new Error('damaged further back')
    },
    add: (one: number, other: number): number => one + other,
  },
  translate,
)

it('a wrapped object passes results and other members on', () => {
  expect(engine.name).toBe('engine')
  expect(engine.add(1, 2)).toBe(3)
})

it('a wrapped object translates an error of a method', () => {
  expect(() => engine.read()).toThrow('translated: damaged')
})

it('a wrapped object translates an error that occurs while rows are consumed', () => {
  const rows = engine.rows()
  expect(rows.next().value).toBe(1)
  expect(() => rows.next()).toThrow('translated: damaged further back')
})
