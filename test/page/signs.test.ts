import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { identities } from '../../src/platforms/identities.ts'

const styleOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../ui/style', name), 'utf8')

it('the sign of each agent has letters of its own, and a color of its own in both themes', () => {
  const [signs, tokens] = [styleOf('agents.css'), styleOf('tokens.css')]
  const shown = identities.map(({ id, prefix, color }) => {
    const [, name = 'gray'] =
      new RegExp(`data-color="${color}"\\] \\{\\s*--sign: var\\(--agent-(\\w+)\\)`).exec(signs) ?? []
    const values = Array.from(
      tokens.matchAll(new RegExp(`--agent-${name}: (#\\w+);`, 'g')),
      ([, value]) => value,
    )
    return { id, prefix: prefix.slice(0, 2), color, values }
  })
  expect(shown.filter(({ values }) => values.length !== 2)).toEqual([])
  for (const of of [
    ({ prefix }: (typeof shown)[number]) => prefix,
    ({ values }: (typeof shown)[number]) => values[0],
    ({ values }: (typeof shown)[number]) => values[1],
  ])
    expect(new Set(shown.map(of)).size).toBe(shown.length)
})
