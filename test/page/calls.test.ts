import { describe, expect, it } from 'vitest'
import type { Item } from '../../ui/api/ask.ts'
import { callsOf, summary } from '../../ui/pages/session/calls.ts'
import type { Conversation } from '../../ui/pages/session/conversation.ts'

/** A run of these items, in which `undefined` has not arrived. */
const run = (who: string, items: readonly (Partial<Item> | undefined)[]) =>
  callsOf(
    { shape: { peek: () => ({ who }) }, item: (index: number) => items[index] } as unknown as Conversation,
    0,
    who.length,
  )

const bash: Partial<Item> = { who: 'tool', tool: { name: 'Bash', target: 'npm test' } }
const bashFailed: Partial<Item> = { who: 'error', tool: { name: 'Bash' } as Item['tool'], text: 'exit 1' }
const overloaded: Partial<Item> = { who: 'error', text: '529: overloaded' }

const named = (calls: ReturnType<typeof run>): string[] =>
  summary(calls).map(({ name, target }, index) => `${name} ${target} ${calls[index]!.error?.text ?? 'works'}`)

describe('the calls of a run', () => {
  it('have the errors of their tool', () => {
    expect(named(run('te', [bash, bashFailed]))).toEqual(['Bash npm test exit 1'])
  })

  it('do not have the error of a reply, which is named as such', () => {
    expect(named(run('e', [overloaded]))).toEqual(['Reply  529: overloaded'])
    expect(named(run('te', [bash, overloaded]))).toEqual(['Bash npm test works', 'Reply  529: overloaded'])
  })

  it('have no name until they arrive', () => {
    expect(named(run('te', [undefined, undefined]))).toEqual(['…  works'])
  })
})
