import { describe, expect, it } from 'vitest'
import { humanWords, readFixture, sessionOf } from '../../../test/claude-code-fixtures.ts'

describe('prompts that were typed while the agent was busy', () => {
  it('are shown once in print mode, where every prompt passes through the queue', () => {
    expect(readFixture('queue-print-mode')).toMatchInlineSnapshot(`
      [
        "program (sdk): list the teas",
        "agent: Oolong, mint.",
      ]
    `)
    expect(sessionOf('queue-print-mode').kind).toBe('program')
  })

  it('are shown if the queue contains the only copy', () => {
    expect(readFixture('queue-absorbed')).toMatchInlineSnapshot(`
      [
        "human: bake scones",
        "tool: Bash bake",
        "human (queued): and no raisins",
        "agent: Scones without raisins.",
      ]
    `)
  })

  it('are read from the attachment, and shown once if both contain them', () => {
    expect(readFixture('queue-attached')).toMatchInlineSnapshot(`
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

  it('are not shown if the human took them back into the input line', () => {
    expect(humanWords('queue-taken-back')).toEqual(['bake bread', 'with rye, no seeds'])
  })

  it('are found after a notification that left the queue after them', () => {
    expect(humanWords('queue-notifications')).toEqual(['watch the oven', 'also the fridge'])
  })

  it('are not lost if a later prompt contains or repeats them', () => {
    expect(humanWords('queue-short-words')).toEqual([
      'shall we?',
      'ok',
      'look at the bookshop',
      'continue',
      'continue',
    ])
  })

  it('are shown once if several were sent together', () => {
    expect(humanWords('queue-joined')).toEqual(['mix dough', 'then rest it / for an hour'])
  })

  it('are shown if the session ended before they were sent', () => {
    expect(humanWords('queue-left-over')).toEqual(['mix dough', 'and stop when it is smooth', '/compact'])
  })

  it('are lost if the client did not store their text', () => {
    expect(humanWords('queue-without-words')).toEqual(['mix dough'])
  })
})
