import { describe, expect, it } from 'vitest'
import type { Session } from '../model/session.ts'
import { shortLabel, shortPeer } from './peers.ts'
import { surfaceText, withoutIdentities } from './session-surface.ts'

describe('the surface of a session', () => {
  it('is described in a few words, and only if its kind does not imply it', () => {
    const words = [
      { kind: 'human', entry: { surface: 'direct', channel: 'telegram', peer: '55…00' } },
      { kind: 'human', entry: { surface: 'main', channel: 'webchat' } },
      { kind: 'human', entry: { surface: 'webchat', channel: 'webchat' } },
      { kind: 'subagent', entry: { surface: 'subagent', channel: 'telegram' } },
      { kind: 'cron', entry: { surface: 'cron-run' } },
      { kind: 'human' },
    ].map(surfaceText)
    expect(words).toEqual(['telegram direct 55…00', 'webchat main', 'webchat', 'telegram', '', ''])
  })

  it('contains no complete address of a person', () => {
    const row = (more: Partial<Session>): Session => withoutIdentities({ kind: 'human', ...more } as Session)
    expect(
      row({
        title: 'Dev id:5550100',
        sessionKey: 'agent:main:telegram:direct:5550100',
        entry: {
          surface: 'direct',
          peer: '5550100',
          name: 'telegram:5550100',
          origin: 'Dev id:5550100',
          spawnedBy: 'agent:main:telegram:group:-1005550100',
        },
      }),
    ).toMatchObject({
      title: 'Dev id:55…00',
      sessionKey: 'agent:main:telegram:direct:55…00',
      entry: {
        peer: '55…00',
        name: 'telegram:55…00',
        origin: 'Dev id:55…00',
        spawnedBy: 'agent:main:telegram:group:-1…00',
      },
    })
    expect(
      row({ sessionKey: 'agent:main:slack:direct:u0moss77', entry: { peer: 'u0moss77' } }).sessionKey,
    ).toBe('agent:main:slack:direct:u0…77')
  })

  it('leaves the names of tasks and the messages of people unchanged', () => {
    const task = { kind: 'cron', title: 'Close 1234567', entry: { surface: 'cron', name: 'Close 1234567' } }
    expect(withoutIdentities(task as Session)).toEqual(task)
    const human = { kind: 'human', title: 'call 1234567', entry: { surface: 'main' } }
    expect(withoutIdentities(human as Session)).toEqual(human)
  })

  it('shortens addresses of every network', () => {
    expect(
      ['@ann:moss.org', '!room:moss.org', '15550100@s.whatsapp.net', '-1005550100'].map(shortPeer),
    ).toEqual(['@a…rg', '!r…rg', '15…et', '-1…00'])
    expect(shortLabel('Dev (@dev_at_home) dev@moss.org +15550100 of 12')).toBe(
      'Dev (@d…me) de…rg +1…00 of 12',
    )
  })
})
