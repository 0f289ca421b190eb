import { expect, it } from 'vitest'
import { isWantedIn } from './space-settings.ts'

const wanted = (projects: string[], name: string | undefined, folder?: string): boolean =>
  isWantedIn({ projects })({ name, folder })

it.each([
  [['shop*'], 'shop-front', undefined, true],
  [['shop*'], 'Shop', undefined, true],
  [['shop*'], 'workshop', undefined, false],
  [['shop'], 'shop-front', undefined, false],
  [['api', 'web'], 'web', undefined, true],
  [['/home/ann/*'], 'web', '/home/ann/web', true],
  [['/home/ann/*'], 'web', '/srv/web', false],
  [['a.c'], 'abc', undefined, false],
  [['a+(b)'], 'a+(b)', undefined, true],
  [['shop*'], undefined, undefined, false],
  [['*'], undefined, undefined, true],
  [['x*'], 'x\ny', undefined, true],
])('of the patterns %j, the project %j in %j is wanted: %j', (patterns, name, folder, expected) => {
  expect(wanted(patterns, name, folder)).toBe(expected)
})
