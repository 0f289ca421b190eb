import { describe, expect, it } from 'vitest'
import { humanWords, readFixture, sessionOf } from '../../../../test/claude-code-fixtures.ts'

describe('the speaker of a prompt', () => {
  it('is another client that passed it on, unless the record says that a person typed it', () => {
    const items = readFixture('passed-on')
    expect(items.filter((item) => item.startsWith('human'))).toMatchInlineSnapshot(`
      [
        "human: [Wed] is the day of the market, right?",
        "human: [cron:5145 Shelf count] why does this line stand in my log?",
      ]
    `)
    expect(new Set(items.slice(0, 11).map((item) => item.split(':')[0]))).toEqual(
      new Set(['program (openclaw)']),
    )
  })

  it('is a hook or the client if the row says so, whatever else it says', () => {
    expect(readFixture('row-sources')).toMatchInlineSnapshot(`
      [
        "human: count the cups",
        "program (hook): The linter found two faults.",
        "program (client): The session goes on.",
        "human: and the saucers",
      ]
    `)
  })

  it('is a hook that makes the agent go on, with and without a mark as context', () => {
    expect(readFixture('hook-feedback')).toMatchInlineSnapshot(`
      [
        "human: polish the pot",
        "program (hook): Stop hook feedback: / [check.sh]: polish it again",
        "program (hook): SubagentStop hook feedback: / [check.sh]: and the lid",
        "program (hook): TaskCompleted hook feedback: / [check.sh]: not yet",
        "human: Operation stopped by hooks is what I read, why?",
      ]
    `)
  })

  it('is the client that begins the work on a plan, also without the plan as a field', () => {
    expect(readFixture('plan-without-content')).toMatchInlineSnapshot(`
      [
        "program (plan): Implement the following plan: /  / # Warm the pot first",
        "human: Implement the following plan: warm the pot first",
      ]
    `)
  })

  it('is not the human in the lines of advice that follow a notification', () => {
    expect(readFixture('notification-advice')).toMatchInlineSnapshot(`
      [
        "human: start counting",
        "human: and what did it count?",
      ]
    `)
  })

  it('is another agent whose message is marked as context', () => {
    expect(readFixture('coordinator')).toMatchInlineSnapshot(`
      [
        "human: count the forks",
        "program (coordinator): leave the bent ones out",
        "program (coordinator): count the knives as well",
      ]
    `)
  })
})

describe('the prompts of a program that a person sits in front of', () => {
  it.each(['attended-edits', 'attended-interruption'])('are all the human’s: %s', (name) => {
    expect(humanWords(name)).toEqual(['list the pots', 'paint the first one', 'and the second'])
    expect(sessionOf(name)).toMatchObject({ kind: 'human', human: 3 })
  })

  it.each(['attended-by-nobody', 'attended-never'])('stay the program’s without such a sign: %s', (name) => {
    expect(humanWords(name)).toEqual([])
    expect(sessionOf(name)).toMatchObject({ kind: 'program', human: 0 })
  })
})
