import { describe, expect, it } from 'vitest'
import { humanWords, sessionOf, tellFixture } from './fixture-reading.ts'

describe('prompts that were typed while the agent was busy', () => {
  it('are told once in print mode, where every prompt passes through the queue', () => {
    expect(tellFixture('queue-print-mode')).toMatchInlineSnapshot(`
      [
        "program (sdk): list the teas",
        "agent: Oolong, mint.",
      ]
    `)
    expect(sessionOf('queue-print-mode').kind).toBe('program')
  })

  it('are told when the queue holds the only copy', () => {
    expect(tellFixture('queue-absorbed')).toMatchInlineSnapshot(`
      [
        "human: bake scones",
        "tool: Bash bake",
        "human (queued): and no raisins",
        "agent: Scones without raisins.",
      ]
    `)
  })

  it('are told from the attachment, and once when they stand in both', () => {
    expect(tellFixture('queue-attached')).toMatchInlineSnapshot(`
      [
        "human: bake scones",
        "tool: Bash bake",
        "human: both in the queue and attached",
        "human: attached only",
        "human: with a picture [image]",
        "human: [image]",
        "human: ! ls cups",
        "program (peer): from a peer",
        "agent: All heard.",
      ]
    `)
  })

  it('are not told when they were taken back into the input line', () => {
    expect(humanWords('queue-taken-back')).toEqual(['bake bread', 'with rye, no seeds'])
  })

  it('are found behind a notification that left the queue after them', () => {
    expect(humanWords('queue-notifications')).toEqual(['watch the oven', 'also the fridge'])
  })

  it('are not lost because a later prompt contains them, or says the same again', () => {
    expect(humanWords('queue-short-words')).toEqual([
      'shall we?',
      'ok',
      'look at the bookshop',
      'continue',
      'continue',
    ])
  })

  it('are told once when several were handed over together', () => {
    expect(humanWords('queue-joined')).toEqual(['mix dough', 'then rest it / for an hour'])
  })

  it('are told when the session ended before they were heard', () => {
    expect(humanWords('queue-left-over')).toEqual(['mix dough', 'and stop when it is smooth', '/compact'])
  })

  it('are lost where the client kept no words', () => {
    expect(humanWords('queue-without-words')).toEqual(['mix dough'])
  })
})
