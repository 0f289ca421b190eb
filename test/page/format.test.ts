import { expect, it } from 'vitest'
import { distinctNames } from '../../ui/text/format.ts'

it('the names of files in a list are as long as it takes to tell them apart', () => {
  const paths = ['/a/hooks/index.ts', '/a/state/index.ts', '/b/state/index.ts', '/a/read.ts', 'index.ts']
  expect([...distinctNames(paths).entries()].sort()).toEqual([
    ['/a/hooks/index.ts', 'hooks/index.ts'],
    ['/a/read.ts', 'read.ts'],
    ['/a/state/index.ts', 'a/state/index.ts'],
    ['/b/state/index.ts', 'b/state/index.ts'],
    ['index.ts', 'index.ts'],
  ])
})
