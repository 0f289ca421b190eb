import { describe, expect, it } from 'vitest'
import {
  fixture,
  humanWords,
  readableItems,
  readFixture,
  sessionOf,
} from '../../../test/claude-code-fixtures.ts'
import { readSession } from '../../collect/read/read-session.ts'

const MAIN = 'ea570000-0000-4000-8000-000000000001'

/** Kind, links and human messages of each transcript of a fixture. */
const joins = (name: string) =>
  fixture(name).map((artifact) => {
    const { id, kind, parentSessionId, parentCallId, fork, subagent, human } = readSession(artifact, {
      keep: 'counts',
    }).session
    return { id, kind, human, parentSessionId, parentCallId, fork, subagent }
  })

describe('subagents', () => {
  it('are in the main transcript in early versions, and their prompts are not human', () => {
    expect(readFixture('sidechain-inline')).toMatchInlineSnapshot(`
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

  it('have flat files next to the main one in other versions, even if they only warm up', () => {
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

  it('have their own files below the session in later versions, linked to the call that started them', () => {
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
    expect(readableItems(fixture('nested-agents')[1]!)).toMatchInlineSnapshot(`
      [
        "program (parent agent): Count plates.",
        "agent (subagent): Six.",
        "tool: Bash ls plates",
        "error: (Bash ls plates) Exit code 2: ls: plates: no such file",
      ]
    `)
  })

  it('repeat the directive that the human typed in their parent, or obey the agent whose call they answer', () => {
    expect(joins('forked-subagent').map(({ human }) => human)).toEqual([1, 0, 0])
    expect(humanWords('forked-subagent')).toEqual(['/subtask polish the spoons'])
    expect(readFixture('forked-subagent', 1)[0]).toBe('program (directive): polish the spoons')
    expect(readFixture('forked-subagent', 2)[0]).toBe('program (parent agent): polish the forks')
  })
})

describe('the forks of Claude Code', () => {
  it('end with a side question of the human, after copied messages', () => {
    expect(readFixture('side-question', 1)).toMatchInlineSnapshot(`
      [
        "program (copied): paint the cups",
        "agent: Painting.",
        "human: which blue was it?",
        "agent: Cobalt.",
      ]
    `)
    expect(joins('side-question')[1]).toMatchObject({
      kind: 'subagent',
      fork: 'side_question',
      parentSessionId: MAIN,
    })
  })

  it('contain no human message if they only summarize', () => {
    expect(readFixture('compaction-fork', 1)).toMatchInlineSnapshot(`
      [
        "program (parent agent): fold napkins",
        "agent: Folded.",
        "program (parent agent): Your task is to create a detailed summary of the conversation so far",
        "agent: <summary>Napkins.</summary>",
      ]
    `)
    expect(joins('compaction-fork')[1]).toMatchObject({ human: 0, fork: 'compact' })
  })

  it('name the session that a background session was forked from, as its job records it', () => {
    const rows = [0, 1].map((index) => sessionOf('background-fork', index))
    expect(rows.map(({ id, parentSessionId }) => [id.slice(0, 8), parentSessionId])).toEqual([
      ['ea570041', undefined],
      ['ea570042', 'ea570041-0000-4000-8000-000000000041'],
    ])
  })

  it('repeat what the human typed after the command that forked a background session', () => {
    expect(humanWords('background-fork')).toEqual(['warm the pot', '/fork paint the door'])
    expect(readFixture('background-fork', 1)).toEqual([
      'human: warm the pot',
      'agent: Warm.',
      'program (directive): paint the door',
      'agent: Painted.',
      'human: and the frame',
    ])
  })

  it('start with the call of their parent, which is counted only there', () => {
    const rows = [0, 1, 2, 3].map((index) => sessionOf('workflow-and-fork', index))
    const fork = rows.find(({ subagent }) => subagent?.type === 'fork')!
    expect(rows.map(({ toolCalls }) => toolCalls).sort()).toEqual([0, 0, 1, 1])
    expect(fork.toolCalls).toBe(1)
    const parsed = readSession(fixture('workflow-and-fork').find(({ path }) => path === fork.path)!)
    expect(parsed.session.toolCalls).toBe(1)
    expect(parsed.items.flatMap(({ tool, who }) => (who === 'tool' ? [tool?.name] : []))).toEqual(['Read'])
  })

  it('have the title of their workflow step, or their prompt if its record is gone', () => {
    const titles = [0, 1, 2, 3].map((index) => sessionOf('workflow-and-fork', index).title)
    expect(titles).toContain('taste: green')
    expect(titles).toContain('Taste the black tea.')
  })
})
