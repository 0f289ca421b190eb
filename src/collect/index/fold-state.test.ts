import { serialize } from 'node:v8'
import { zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { FoldState } from '../../model/fold/fold.ts'
import { packState, unpackState } from './fold-state.ts'

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.1, at: 5, model: 'a' }
const state = {
  latest: { who: 'agent', text: 'I do.' },
  replies: {
    positions: [3, 300, -7, 8, 9, -10],
    usages: { usages: new Map([[2 ** 52, usage]]), stated: new Map() },
  },
} as unknown as FoldState

it('a packed state is the same when it is unpacked', () => {
  expect(unpackState(packState(state))).toEqual(state)
})

it('a state of an older version is understood', () => {
  expect(unpackState(zstdCompressSync(serialize(state)))).toEqual(state)
})
