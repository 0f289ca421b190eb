import { expect, it } from 'vitest'
import { isMirror } from './mirrors.ts'

it('is a copy for a channel if its model or its provider says so', () => {
  expect(
    [
      { provider: 'openclaw', model: 'delivery-mirror', api: 'openai-responses' },
      { provider: 'clawdbot', model: 'delivery-mirror' },
      { provider: 'openclaw', model: 'gateway-injected' },
      { provider: 'openai-responses', model: 'delivery-mirror' },
      { api: 'openclaw-transcript', provider: 'openclaw', model: 'any' },
      { model: 'claude', openclawDeliveryMirror: { kind: 'channel-final' } },
      { provider: 'anthropic', model: 'claude-opus-4-5', api: 'anthropic-messages' },
      { provider: 'openai', model: 'gpt-6', api: 'openai-responses' },
      {},
    ].map(isMirror),
  ).toEqual([true, true, true, true, true, true, false, false, false])
})
