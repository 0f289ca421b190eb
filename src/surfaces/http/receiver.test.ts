import { describe, expect, it } from 'vitest'
import { createReplay } from './receiver.ts'

const body = (number: number): Buffer => Buffer.from(`request ${number}`)
const MOST = 1000

describe('the answers that a receiver remembers', () => {
  it('are repeated for the same key with the same bytes', () => {
    const replay = createReplay()
    replay.keep('a', body(1), { accepted: 1 }, true)
    expect(replay.find('a', body(1))).toMatchObject({ answer: { accepted: 1 }, partly: true })
    expect(replay.find('a', body(2))).toBeUndefined()
    expect(replay.find('b', body(1))).toBeUndefined()
  })

  it('are the latest thousand: a new one only replaces the oldest', () => {
    const replay = createReplay()
    for (let number = 0; number < MOST; number++)
      replay.keep(`key ${number}`, body(number), { number }, false)
    expect(replay.find('key 0', body(0))).toMatchObject({ answer: { number: 0 } })
    replay.keep('one more', body(-1), {}, false)
    expect(replay.find('key 0', body(0))).toBeUndefined()
    expect(replay.find('key 1', body(1))).toMatchObject({ answer: { number: 1 } })
    expect(replay.find('one more', body(-1))).toBeDefined()
  })

  it('of a key that is reused with other bytes replace no other answer', () => {
    const replay = createReplay()
    for (let number = 0; number < MOST; number++)
      replay.keep(`key ${number}`, body(number), { number }, false)
    replay.keep('key 5', body(-5), { again: true }, false)
    expect(replay.find('key 0', body(0))).toMatchObject({ answer: { number: 0 } })
    expect(replay.find('key 5', body(-5))).toMatchObject({ answer: { again: true } })
    // It is the latest now.
    for (let number = 0; number < 6; number++) replay.keep(`new ${number}`, body(number), {}, false)
    expect(replay.find('key 5', body(-5))).toBeDefined()
    expect(replay.find('key 6', body(6))).toBeUndefined()
  })
})
