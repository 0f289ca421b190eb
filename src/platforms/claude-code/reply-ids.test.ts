import { describe, expect, it } from 'vitest'
import { fixture, fixtureRoot, readFixture, sessionOf } from '../../../test/claude-code-fixtures.ts'
import { indexOn } from '../../../test/store-audit.ts'
import { keep, storedContent } from '../../../test/stores.ts'
import { readSession } from '../../collect/read/read-session.ts'
import { IN_MEMORY, openSqliteStore } from '../../store/sqlite/open.ts'

const SHARED = 'shared-message-id'
const WORDS = 'word-message-ids'
const memory = { open: () => openSqliteStore(IN_MEMORY, 0).store }

/** What each way of reading counts. */
const counted = (name: string) =>
  (['counts', 'condensed'] as const).map((keep) => {
    const { usage, agentMessages } = readSession(fixture(name)[0]!, { keep }).session
    return { input: usage?.input, output: usage?.output, agentMessages }
  })

describe('replies with the same message id', () => {
  it('are different if they answer another request in another turn', () => {
    expect(readFixture(SHARED).filter((item) => item.startsWith('agent'))).toMatchInlineSnapshot(`
      [
        "agent: Water boils. /  / It whistles.",
        "agent: Poured.",
        "agent: Drunk.",
      ]
    `)
    expect(new Set(counted(SHARED).map((each) => JSON.stringify(each)))).toMatchInlineSnapshot(`
      Set {
        "{"input":30,"output":15,"agentMessages":2}",
      }
    `)
  })

  it('are different by their request if the id is a word, also in one turn', () => {
    expect(readFixture(WORDS).filter((item) => item.startsWith('agent'))).toEqual([
      'agent: Water boils.',
      'agent: It whistles.',
      'agent: Poured.',
    ])
    expect(new Set(counted(WORDS).map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"input":33,"output":18,"agentMessages":3}']),
    )
  })

  it('are different across files if the id is a word', () => {
    const store = indexOn(memory, {
      home: '/nowhere',
      variables: {},
      dirs: { 'claude-code': [fixtureRoot(WORDS).path], openclaw: [] },
    })
    const input = [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
      .flatMap(({ usage }) => usage)
      .reduce((sum, each) => sum + each.input, 0)
    expect(input).toBe(133)
    store.close()
  })

  it.each([SHARED, WORDS])('are the same wherever the reading was interrupted: %s', (name) => {
    const [artifact] = fixture(name)
    const whole = openSqliteStore(IN_MEMORY, 0).store
    keep(whole, artifact!)
    const expected = storedContent(whole, artifact!.path)
    for (const slice of [1, 400, 900, 1500]) {
      const { store } = openSqliteStore(IN_MEMORY, 0)
      keep(store, artifact!, { slice })
      expect(storedContent(store, artifact!.path)).toEqual(expected)
      store.close()
    }
    expect(expected.session.agentMessages).toBe(sessionOf(name).agentMessages)
    whole.close()
  })
})
