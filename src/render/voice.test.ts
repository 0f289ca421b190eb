import { describe, expect, it } from 'vitest'
import { openclawSession, session } from '../../test/sessions.ts'
import { speakerName, voiceOf } from './voice.ts'

describe('the names of the two sides', () => {
  it('come from a named voice or from two given names', () => {
    expect(voiceOf('default')).toEqual({ human: 'You' })
    expect(voiceOf('devlog')).toEqual({ human: 'MY HUMAN', agent: 'ME' })
    expect(voiceOf(' Ann , Bot ')).toEqual({ human: 'Ann', agent: 'Bot' })
    for (const text of ['', 'nobody', 'a,', ',b', 'a,b,c', ',']) expect(voiceOf(text), text).toBeUndefined()
  })

  it("include the agent's own name, and the sender where several people may write", () => {
    const voice = voiceOf('default')!
    expect(speakerName({ who: 'agent' }, session(), voice)).toBe('Claude')
    expect(speakerName({ who: 'agent' }, openclawSession({ agent: 'ops' }), voice)).toBe('ops')
    expect(speakerName({ who: 'human', label: 'Jonas' }, openclawSession(), voice)).toBe('You (Jonas)')
    expect(speakerName({ who: 'program', label: 'cron' }, openclawSession(), voice)).toBe('Program (cron)')
  })
})
