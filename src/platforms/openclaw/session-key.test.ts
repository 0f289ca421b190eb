import { describe, expect, it } from 'vitest'
import { surfaceOfKey } from './session-key.ts'

describe('the surface of a session key', () => {
  it.each([
    ['agent:main:main', { surface: 'main' }],
    ['main', { surface: 'main' }],
    ['agent:main:main:thread:abc', { surface: 'thread', thread: 'abc' }],
    ['agent:main:direct:107', { surface: 'direct', peer: '107' }],
    ['agent:main:telegram:dm:107', { surface: 'direct', channel: 'telegram', peer: '107' }],
    [
      'agent:main:telegram:work:direct:107',
      { surface: 'direct', channel: 'telegram', account: 'work', peer: '107' },
    ],
    ['agent:ops:whatsapp:group:1203@g.us', { surface: 'group', channel: 'whatsapp', peer: '1203@g.us' }],
    [
      'agent:main:telegram:group:-100:topic:5',
      { surface: 'thread', channel: 'telegram', peer: '-100', thread: '5' },
    ],
    ['agent:main:discord:channel:C77', { surface: 'channel', channel: 'discord', peer: 'C77' }],
    [
      'agent:main:slack:channel:c1:thread:1774.17',
      { surface: 'thread', channel: 'slack', peer: 'c1', thread: '1774.17' },
    ],
    [
      'agent:main:matrix:direct:@ann:moss.org',
      { surface: 'direct', channel: 'matrix', peer: '@ann:moss.org' },
    ],
    ['agent:main:telegram:slash:107', { surface: 'slash', channel: 'telegram', peer: '107' }],
    ['agent:main:telegram:107', { channel: 'telegram', peer: '107' }],
    ['agent:main:Discord', { channel: 'discord' }],
    ['group:-100', { surface: 'group', peer: '-100' }],
    ['agent:main:subagent:7f', { surface: 'subagent' }],
    ['agent:main:telegram:direct:1:subagent:7f', { surface: 'subagent', channel: 'telegram', peer: '1' }],
    ['agent:main:cron:5145', { surface: 'cron' }],
    ['cron:5145', { surface: 'cron' }],
    ['agent:main:cron:5145:run:7f', { surface: 'cron-run' }],
    ['hook:7f', { surface: 'hook' }],
    ['agent:main:hook:gmail:7f', { surface: 'hook' }],
    ['agent:main:main:heartbeat', { surface: 'heartbeat' }],
    ['agent:main:telegram:direct:1:heartbeat', { surface: 'heartbeat', channel: 'telegram', peer: '1' }],
    ['agent:main:explicit:abc', { surface: 'explicit' }],
    ['agent:main:tui-7f', { surface: 'tui' }],
    ['agent:main:webchat:7f', { surface: 'webchat' }],
    ['agent:main:dashboard:7f', { surface: 'dashboard' }],
    ['agent:main:acp:7f', { surface: 'acp' }],
    ['agent:main:boot:7f', { surface: 'boot' }],
    ['agent:main:openai:7f', { surface: 'openai' }],
    ['agent:main:openai-user:ann', { surface: 'openai', peer: 'ann' }],
    ['agent:main:openresponses-user:ann', { surface: 'openresponses', peer: 'ann' }],
    ['global', { surface: 'global' }],
    ['agent:subagent:main', { surface: 'main' }],
    ['unknown', {}],
    ['agent:main:my-own-key', {}],
    ['agent:main:__proto__:constructor', {}],
    ['agent', {}],
    ['', {}],
  ])('%s', (key, surface) => {
    expect(surfaceOfKey(key)).toEqual(surface)
  })
})
