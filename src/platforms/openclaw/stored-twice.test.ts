import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import { fixture, fixtureRoot } from '../../../test/openclaw-fixtures.ts'
import { openclaw, put, temporaryHome } from '../../../test/records.ts'
import { bringUpToDate, indexOn } from '../../../test/store-audit.ts'
import { keep, storedContent } from '../../../test/stores.ts'
import { readSession } from '../../collect/read/read-session.ts'
import type { Artifact } from '../../model/artifact.ts'
import { IN_MEMORY, openSqliteStore } from '../../store/sqlite/open.ts'
import { discover } from './discover.ts'

const of = (name: string, index = 0): Artifact => [...fixture(name).files.values()][index]!
const read = (artifact: Artifact) => {
  const { items, session } = readSession(artifact)
  const { human, agentMessages, toolCalls, errors, usage } = session
  return {
    items: items.map(readableItem),
    counts: { human, agentMessages, toolCalls, errors, output: usage?.output },
  }
}
const memory = { open: () => openSqliteStore(IN_MEMORY, 0).store }
const storeOf = (name: string) =>
  indexOn(memory, {
    home: '/nowhere',
    variables: {},
    dirs: { openclaw: [fixtureRoot(name).path], 'claude-code': [] },
  })

const TWICE = [
  ['history-again', 0],
  ['history-again', 1],
  ['sibling-prompts', 0],
  ['replies-twice', 0],
] as const

describe('what OpenClaw stores twice', () => {
  it.each([0, 1])(
    'in a history that it writes again is shown once, with and without the ids of responses',
    (index) => {
      expect(read(of('history-again', index))).toEqual({
        items: [
          'human: warm the pot',
          'agent: I look.',
          'tool: exec false',
          'error: (exec false) no such cup',
          'agent: No cup there.',
          'human: then buy one',
          'agent: Bought.',
        ],
        counts: { human: 2, agentMessages: 3, toolCalls: 1, errors: 1, output: 20 },
      })
    },
  )

  it('is shown once if the same prompt has two siblings within a second, and twice if it was sent again', () => {
    const { items, counts } = read(of('sibling-prompts'))
    expect(items.filter((item) => item.includes('is the pot warm?'))).toHaveLength(2)
    expect(counts.human).toBe(3)
  })

  it('is shown once if a reply follows itself or has a sibling, and twice if it was given again', () => {
    expect(read(of('replies-twice'))).toMatchInlineSnapshot(`
      {
        "counts": {
          "agentMessages": 3,
          "errors": 0,
          "human": 3,
          "output": 26,
          "toolCalls": 0,
        },
        "items": [
          "human: is the pot warm?",
          "agent: It is warm.",
          "human: and the cups?",
          "agent: They too.",
          "human: say it again",
          "agent: They too.",
        ],
      }
    `)
  })

  it.each(TWICE)('is the same wherever the reading was interrupted: %s %i', (name, index) => {
    const artifact = of(name, index)
    const { store: whole } = openSqliteStore(IN_MEMORY, 0)
    keep(whole, artifact)
    const expected = storedContent(whole, artifact.path)
    for (const slice of [1, 300, 700, 1100]) {
      const { store } = openSqliteStore(IN_MEMORY, 0)
      keep(store, artifact, { slice })
      expect(storedContent(store, artifact.path)).toEqual(expected)
      store.close()
    }
    whole.close()
  })

  it('is not mixed up with records of other sessions, whose short ids may be equal', () => {
    const store = storeOf('short-ids')
    expect(store.statistics()).toMatchObject({ messages: 4, occurrences: 4 })
    const output = [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
      .flatMap(({ usage }) => usage)
      .reduce((sum, each) => sum + each.output, 0)
    expect(output).toBe(17)
    store.close()
  })
})

describe('prompts of OpenClaw', () => {
  it('that repeat one after a failure are the program’s', () => {
    expect(read(of('retry-prompts')).items).toMatchInlineSnapshot(`
      [
        "human: pour the tea",
        "error: 503",
        "program (retry): pour the tea",
        "agent: Poured.",
        "program (retry): Continue where you left off. The previous model attempt failed or timed out.",
        "agent: Done.",
        "human: what does [Retry after the previous model attempt failed or timed out] mean?",
      ]
    `)
  })

  it('lose the id of the message in front of them, but not one that somebody wrote', () => {
    expect(read(of('message-id-line')).items).toMatchInlineSnapshot(`
      [
        "human: is the pot warm?",
        "agent: Yes.",
        "human: and the lid?",
        "agent: Yes.",
        "human: is [message_id: 7] your field?",
      ]
    `)
  })

  it('that are heartbeats behind system events decide the kind, unless a human writes as well', () => {
    const kinds = [0, 1].map((index) => {
      const { kind, human } = readSession(of('heartbeat-behind-system', index), { keep: 'counts' }).session
      return [kind, human]
    })
    expect(kinds).toEqual([
      ['heartbeat', 0],
      ['human', 1],
    ])
  })
})

describe('the session index of OpenClaw', () => {
  it('gives the label that a person chose as the title, but a channel’s name only if nobody wrote', () => {
    const titles = [0, 1, 2].map(
      (index) => readSession(of('labels', index), { keep: 'counts' }).session.title,
    )
    expect(titles).toEqual(['The tea things', 'Spoons by hand', 'count the forks'])
  })

  it('has given a label that remains the title after the index has dropped the session', () => {
    const home = temporaryHome()
    cpSync(fixtureRoot('labels').path, join(home, '.openclaw'), { recursive: true })
    const environment = {
      ...{ home: '/nowhere', variables: {} },
      dirs: { openclaw: [join(home, '.openclaw')], 'claude-code': [] },
    }
    const { store } = openSqliteStore(IN_MEMORY, 0)
    bringUpToDate(store, environment)
    put(join(home, '.openclaw/agents/main/sessions/sessions.json'), '{}')
    const [first] = discover(
      { platform: 'openclaw', path: join(home, '.openclaw'), reason: 'test', found: true },
      { home, variables: {} },
    ).artifacts
    appendFileSync(first!.path, `${JSON.stringify(openclaw.user(9, 'and the lids'))}\n`)
    bringUpToDate(store, environment)
    const titles = store.sessions().map(({ session }) => session.title)
    expect(titles.sort()).toEqual(['Spoons by hand', 'The tea things', 'count the forks'])
    store.close()
  })

  it('names a session once if its file has another name', () => {
    const root = fixtureRoot('other-file-name')
    const { artifacts, named } = discover(root, { home: '/nowhere', variables: {} })
    expect(artifacts.map(({ sessionKey, titleHint }) => [sessionKey, titleHint])).toEqual([
      ['agent:main:main', 'Jars'],
    ])
    expect(named ?? []).toEqual([])
  })
})
