import { describe, expect, it } from 'vitest'
import type { Artifact } from '../artifact.ts'
import type { SessionEvent } from '../event.ts'
import { createPrompts } from './prompts.ts'

const artifact = (kindHint?: Artifact['kindHint']) => ({ kindHint }) as Artifact

type Step =
  | { enqueue: string | undefined }
  | { dequeue: string | undefined }
  | { remove: string | undefined }
  | { popAll: string | undefined }
  | { typed: string; as?: 'human' | 'program'; queued?: boolean; lastOnly?: boolean }

/** Plays the steps, one per line, and returns the messages with their speakers. */
function play(steps: Step[], kindHint?: Artifact['kindHint']): string[] {
  const prompts = createPrompts(artifact(kindHint))
  steps.forEach((step, index) => {
    const origin = { line: index + 1, offset: index, length: 1 }
    if ('typed' in step) {
      const { typed: text, as: speaker = 'human', queued, lastOnly } = step
      const payload = { type: 'message', role: 'user', speaker, parts: [], queued } as const
      const event: SessionEvent = { payload: { ...payload, parts: [] }, origin, index: 0, order: 0 }
      prompts.add({ event, speaker, text, media: [], lastOnly })
      return
    }
    const [[operation, text]] = Object.entries(step) as [[string, string | undefined]]
    const payload = {
      type: 'queue',
      text,
      operation: operation === 'popAll' ? 'pop-all' : operation,
    } as const
    prompts.queue({ payload: payload as SessionEvent['payload'], origin, index: 0, order: 0 })
  })
  return prompts.settle().prompts.map((each) => `${each.event.origin.line} ${each.speaker}: ${each.text}`)
}

const taken = { dequeue: undefined }
const absorbed = { remove: undefined }

describe('the queue of prompts', () => {
  it('shows a prompt that an ordinary line repeats once, at that line', () => {
    expect(play([{ enqueue: 'a' }, taken, { typed: 'a' }])).toEqual(['3 human: a'])
    expect(play([{ enqueue: 'a  b' }, absorbed, { typed: 'a b', queued: true }])).toEqual(['3 human: a b'])
  })

  it('shows a prompt that no line repeats where it was typed', () => {
    expect(play([{ typed: 'x' }, { enqueue: 'a' }, absorbed, { typed: 'y' }])).toEqual([
      '1 human: x',
      '2 human: a',
      '4 human: y',
    ])
  })

  it('treats an equal line before a prompt as another prompt', () => {
    expect(play([{ typed: 'go' }, { enqueue: 'go' }, absorbed])).toEqual(['1 human: go', '2 human: go'])
  })

  it('shows both of two equal prompts', () => {
    const steps = [{ enqueue: 'go' }, absorbed, { enqueue: 'go' }, taken, { typed: 'go' }]
    expect(play(steps)).toEqual(['1 human: go', '5 human: go'])
  })

  it('prefers a line that is marked as queued', () => {
    expect(play([{ enqueue: 'go' }, absorbed, { typed: 'go' }, { typed: 'go', queued: true }])).toHaveLength(
      2,
    )
  })

  it('recognizes shell lines with and without their sign', () => {
    expect(play([{ enqueue: 'ls' }, absorbed, { typed: '! ls', queued: true }])).toEqual(['3 human: ! ls'])
  })

  it('finds several prompts that were sent as one', () => {
    expect(play([{ enqueue: 'a' }, { enqueue: 'b' }, taken, taken, { typed: 'a\nb' }])).toEqual([
      '5 human: a\nb',
    ])
  })

  it('does not find a prompt inside other words', () => {
    expect(play([{ enqueue: 'ok' }, absorbed, { typed: 'look' }])).toEqual(['1 human: ok', '3 human: look'])
  })

  it('removes prompts that were taken back, one by one or all at once', () => {
    expect(play([{ enqueue: 'a' }, { enqueue: 'b' }, { popAll: 'a' }])).toEqual(['2 human: b'])
    expect(play([{ enqueue: 'a' }, { enqueue: 'b' }, { popAll: 'a' }, { popAll: 'b' }])).toEqual([])
    expect(play([{ enqueue: 'a' }, { enqueue: 'b' }, { popAll: undefined }])).toEqual([])
  })

  it('removes the named prompt if the operation names one', () => {
    expect(play([{ enqueue: 'a' }, { enqueue: 'b' }, { dequeue: 'b' }, { remove: 'a' }])).toEqual([
      '1 human: a',
    ])
  })

  it('no longer relies on the order after an unnamed prompt has left', () => {
    const notice = { enqueue: undefined }
    expect(play([notice, { enqueue: 'a' }, absorbed, taken])).toEqual(['2 human: a'])
    expect(play([notice, { enqueue: 'a' }, taken, absorbed])).toEqual(['2 human: a'])
    expect(play([notice, { enqueue: 'a' }, absorbed, taken, { enqueue: 'b' }, taken])).toEqual(['2 human: a'])
  })

  it('ignores operations on an empty queue', () => {
    expect(play([taken, absorbed, { popAll: undefined }, { remove: 'a' }])).toEqual([])
  })

  it('assigns prompts to the program in a session that a program drives', () => {
    expect(play([{ typed: 'run', as: 'program' }, { enqueue: 'a' }, absorbed])).toEqual([
      '1 program: run',
      '2 program: a',
    ])
  })
})

describe('the speaker of a session', () => {
  it('is decided by the path first', () => {
    expect(play([{ typed: 'hi' }], 'cron')).toEqual(['1 program: hi'])
    expect(play([{ typed: 'hi' }], 'human')).toEqual(['1 human: hi'])
  })

  it('is the human only in the last of the lines that repeat a parent session', () => {
    const own = (typed: string) => ({ typed, lastOnly: true })
    expect(play([own('copied'), own('also copied'), own('mine')], 'subagent')).toEqual([
      '1 program: copied',
      '2 program: also copied',
      '3 human: mine',
    ])
  })
})
