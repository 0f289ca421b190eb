import { describe, expect, it } from 'vitest'
import { readSession } from '../../collect/read-session.ts'
import { fixture, humanWords, sessionOf, tell, tellFixture } from './fixture-reading.ts'

const MAIN = 'ea570000-0000-4000-8000-000000000001'

/** Kind, joins and human words of each transcript of a fixture. */
const joins = (name: string) =>
  fixture(name).map((artifact) => {
    const { id, kind, parentSessionId, parentCallId, fork, subagent, human } = readSession(artifact, {
      purpose: 'index',
    }).session
    return { id, kind, human, parentSessionId, parentCallId, fork, subagent }
  })

describe('agents that were asked by an agent', () => {
  it('speak inside the main transcript in early versions, and nobody human asks them', () => {
    expect(tellFixture('sidechain-inline')).toMatchInlineSnapshot(`
      [
        "human: count spoons, ask somebody",
        "tool: Task counter: Count",
        "program (parent agent): Count the spoons.",
        "agent (subagent): Counting.",
        "tool: Bash ls spoons",
        "error: (Bash ls spoons) no such drawer",
        "agent (subagent): Eleven.",
        "agent: Eleven spoons.",
      ]
    `)
  })

  it('have flat files beside the main one in others, the one that only warms up too', () => {
    expect(joins('flat-agents')).toMatchInlineSnapshot(`
      [
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-0a1b2c3d",
          "kind": "subagent",
          "parentCallId": undefined,
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": undefined,
        },
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-d6c25b8b",
          "kind": "subagent",
          "parentCallId": undefined,
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": undefined,
        },
        {
          "fork": undefined,
          "human": 1,
          "id": "ea570000-0000-4000-8000-000000000001",
          "kind": "human",
          "parentCallId": undefined,
          "parentSessionId": undefined,
          "subagent": undefined,
        },
      ]
    `)
  })

  it('have files of their own below the session, and are joined to the call that started them', () => {
    expect(joins('nested-agents')).toMatchInlineSnapshot(`
      [
        {
          "fork": undefined,
          "human": 1,
          "id": "ea570000-0000-4000-8000-000000000001",
          "kind": "human",
          "parentCallId": undefined,
          "parentSessionId": undefined,
          "subagent": undefined,
        },
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-a20ef48",
          "kind": "subagent",
          "parentCallId": "toolu_n1",
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": {
            "description": "Count plates",
            "type": "counter",
          },
        },
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-a3530e884e16702d1",
          "kind": "subagent",
          "parentCallId": undefined,
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": undefined,
        },
      ]
    `)
    expect(tell(fixture('nested-agents')[1]!)).toMatchInlineSnapshot(`
      [
        "program (parent agent): Count plates.",
        "agent (subagent): Six.",
        "tool: Bash ls plates",
        "error: (Bash ls plates) Exit code 2: ls: plates: no such file",
      ]
    `)
  })

  it('take a directive from the human, or from the agent whose call it answers', () => {
    expect(joins('forked-subagent').map(({ human }) => human)).toEqual([1, 1, 0])
    expect(humanWords('forked-subagent', 1)).toEqual(['polish the spoons'])
    expect(tellFixture('forked-subagent', 2)[0]).toBe('program (parent agent): polish the forks')
  })
})

describe("the client's own forks", () => {
  it('hold a side question of the human at their end, and copies before it', () => {
    expect(tellFixture('side-question', 1)).toMatchInlineSnapshot(`
      [
        "program (copied): paint the cups",
        "agent (subagent): Painting.",
        "human: which blue was it?",
        "agent (subagent): Cobalt.",
      ]
    `)
    expect(joins('side-question')[1]).toMatchObject({
      kind: 'subagent',
      fork: 'side_question',
      parentSessionId: MAIN,
    })
  })

  it('hold no human word when they only sum up', () => {
    expect(tellFixture('compaction-fork', 1)).toMatchInlineSnapshot(`
      [
        "program (parent agent): fold napkins",
        "agent (subagent): Folded.",
        "program (parent agent): Your task is to create a detailed summary of the conversation so far",
        "agent (subagent): <summary>Napkins.</summary>",
      ]
    `)
    expect(joins('compaction-fork')[1]).toMatchObject({ human: 0, fork: 'compact' })
  })

  it('name the session that one in the background was forked from, out of the record of its job', () => {
    const rows = [0, 1].map((place) => sessionOf('background-fork', place))
    expect(rows.map(({ id, parentSessionId }) => [id.slice(0, 8), parentSessionId])).toEqual([
      ['ea570041', undefined],
      ['ea570042', 'ea570041-0000-4000-8000-000000000041'],
    ])
  })

  it('begin, as forks, with the call of their parent, which is counted there alone', () => {
    const rows = [0, 1, 2, 3].map((place) => sessionOf('workflow-and-fork', place))
    const fork = rows.find(({ subagent }) => subagent?.type === 'fork')!
    expect(rows.map(({ toolCalls }) => toolCalls).sort()).toEqual([0, 0, 1, 1])
    expect(fork.toolCalls).toBe(1)
    const parsed = readSession(fixture('workflow-and-fork').find(({ path }) => path === fork.path)!, {
      ...{ purpose: 'read', parseAll: true },
    })
    expect(parsed.session.toolCalls).toBe(1)
    expect(parsed.items.flatMap(({ tool, who }) => (who === 'tool' ? [tool?.name] : []))).toEqual(['Read'])
  })

  it('are called, in a workflow, what it calls their step, and by their prompt where its record is gone', () => {
    const titles = [0, 1, 2, 3].map((place) => sessionOf('workflow-and-fork', place).title)
    expect(titles).toContain('taste: green')
    expect(titles).toContain('Taste the black tea.')
  })
})
