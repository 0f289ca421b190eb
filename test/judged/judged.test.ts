import { describe, expect, it } from 'vitest'
import { testDatabases } from '../clickhouse/databases.ts'
import { judgeCorpus, judgeDemo, scoreOf } from './judge.ts'
import { inMemory, inTeamStore } from './targets.ts'

/** As stated in docs/guides/search.md. Lower values are a regression. */
const STATED = { demo: { first: 17, firstFive: 20 }, corpus: { first: 26, firstFive: 27 } }

const databases = testDatabases()
const targets = [
  ['in a store of this machine', inMemory],
  ...(databases ? [['in a team store', inTeamStore(databases)] as const] : []),
] as const

describe.each(targets)('the search %s', (_, target) => {
  it('finds in the demo what people look for', async () => {
    const { first, firstFive } = scoreOf(await judgeDemo(target))
    expect({ first, firstFive }).toEqual(STATED.demo)
  })

  it.skipIf(process.env.SCROLLBACK_CORPUS === undefined)(
    'finds in the corpus what people look for (skipped if SCROLLBACK_CORPUS is not set)',
    async () => {
      const { first, firstFive } = scoreOf((await judgeCorpus(target))!)
      expect({ first, firstFive }).toEqual(STATED.corpus)
    },
  )
})
