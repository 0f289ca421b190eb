import { expect, it } from 'vitest'
import { judgeCorpus, judgeDemo, scoreOf } from './judge.ts'

/** As stated in docs/guides/search.md. Lower values are a regression. */
const STATED = { demo: { first: 17, firstFive: 19 }, corpus: { first: 23, firstFive: 28 } }

it('the search finds in the demo what people look for', async () => {
  const { first, firstFive } = scoreOf(await judgeDemo())
  expect({ first, firstFive }).toEqual(STATED.demo)
})

it.skipIf(process.env.SCROLLBACK_CORPUS === undefined)(
  'the search finds in the corpus what people look for (skipped if SCROLLBACK_CORPUS is not set)',
  async () => {
    const { first, firstFive } = scoreOf((await judgeCorpus())!)
    expect({ first, firstFive }).toEqual(STATED.corpus)
  },
)
