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

/** The luminance of a color, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it('signs are seen like text on every ground of both themes', () => {
  const tokens = styleOf('tokens.css')
  const sheets = ['tags.css', 'parts.css', 'conversation.css', 'agents.css'].map(styleOf).join('\n')
  const used = Array.from(
    sheets.matchAll(/[^-]color: var\(--((?:star|series|heat)[\w-]*)\)/g),
    ([, name]) => name!,
  )
  expect(used).toContain('star')
  const valuesOf = (name: string): string[] =>
    Array.from(tokens.matchAll(new RegExp(`--${name}: (#\\w{6});`, 'g')), ([, value]) => value!)
  const faint = [...new Set(used)].flatMap((name) =>
    ['paper', 'surface', 'hover'].flatMap((ground) =>
      valuesOf(ground).flatMap((value, theme) => {
        const ratio = contrast(value, valuesOf(name)[theme]!)
        return ratio < (name === 'star' ? 4.5 : 3) ? [`${name} on ${ground}: ${ratio.toFixed(2)}`] : []
      }),
    ),
  )
  expect(faint).toEqual([])
})
