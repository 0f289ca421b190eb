import { describe, expect, it } from 'vitest'
import { openclawSession, session } from '../../test/sessions.ts'
import { speakerName, voiceOf } from './voice.ts'

describe('how the two sides are called', () => {
  it('is by a named voice or by two names', () => {
    expect(voiceOf('default')).toEqual({ human: 'You' })
    expect(voiceOf('devlog')).toEqual({ human: 'MY HUMAN', agent: 'ME' })
    expect(voiceOf(' Ann , Bot ')).toEqual({ human: 'Ann', agent: 'Bot' })
    for (const text of ['', 'nobody', 'a,', ',b', 'a,b,c', ',']) expect(voiceOf(text), text).toBeUndefined()
  })

  it('is the agent itself by its own name, and says who exactly where several may write', () => {
    const voice = voiceOf('default')!
    expect(speakerName({ who: 'agent' }, session(), voice)).toBe('Claude')
    expect(speakerName({ who: 'agent' }, openclawSession({ agent: 'ops' }), voice)).toBe('ops')
    expect(speakerName({ who: 'human', label: 'Jonas' }, openclawSession(), voice)).toBe('You (Jonas)')
    expect(speakerName({ who: 'program', label: 'cron' }, openclawSession(), voice)).toBe('Program (cron)')
  })
})
