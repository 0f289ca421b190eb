import { expect, it } from 'vitest'
import { judgeCorpus, judgeDemo, scoreOf } from './judge.ts'

/** What docs/guides/search.md states; fewer is a step back. */
const STATED = { demo: { first: 16, firstFive: 19 }, corpus: { first: 23, firstFive: 28 } }

it('finds in the demo what people look for', async () => {
  const { first, firstFive } = scoreOf(await judgeDemo())
  expect({ first, firstFive }).toEqual(STATED.demo)
})

it.skipIf(process.env.SCROLLBACK_CORPUS === undefined)(
  'finds in the corpus what people look for (skipped where SCROLLBACK_CORPUS is not set)',
  async () => {
    const { first, firstFive } = scoreOf((await judgeCorpus())!)
    expect({ first, firstFive }).toEqual(STATED.corpus)
  },
)
