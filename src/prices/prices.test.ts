import { calcPrice, findProvider } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { LENGTH_STEPS, lengthOf, type PricedUsage } from '../model/usage.ts'
import { namesOf, notPriced, priceOf } from './catalog.ts'

/**
 * Models with one price, two lengths, a change on a date, other lengths, no price for cache writes, and no
 * price at all.
 */
const MODELS = [
  'claude-3-5-haiku-20241022',
  'claude-sonnet-4-5-20250929',
  'claude-opus-4-6',
  'gpt-5.4',
  'gemini-2.5-pro',
  'nobodys-model',
]
const DAYS = ['2025-11-01', '2026-03-12', '2026-03-13', '2026-03-14', '2026-11-01']

const usages: PricedUsage[] = [
  0, 1, 128_001, 199_999, 200_000, 200_001, 271_999, 272_000, 272_001, 512_001, 900_000,
].flatMap((input) =>
  [0, 7, 150_000].flatMap((cacheRead) =>
    [0, 11].flatMap((cacheWrite) =>
      [0, 13].flatMap((cacheWriteHour) =>
        [0, 5, 32_000].map((output) => ({ input, output, cacheRead, cacheWrite, cacheWriteHour })),
      ),
    ),
  ),
)

const inputOf = ({ input, cacheRead, cacheWrite, cacheWriteHour }: PricedUsage): number =>
  input + cacheRead + cacheWrite + cacheWriteHour

/** Asks the package for each request. */
function asked(model: string, usage: PricedUsage, timestamp: Date) {
  const { cacheRead, cacheWrite, cacheWriteHour } = usage
  const counted = {
    input_tokens: inputOf(usage),
    output_tokens: usage.output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite + cacheWriteHour,
    cache_write_1h_tokens: cacheWriteHour,
  }
  try {
    return calcPrice(counted, model, { timestamp })?.total_price
  } catch {
    return undefined
  }
}

describe('prices', () => {
  it('count long requests of Sonnet 4 as those of 4.5, which cost the same', () => {
    const usage: PricedUsage = { input: 500_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
    const at = new Date('2025-11-01')
    for (const model of ['claude-sonnet-4-20250514', 'claude-sonnet-4', 'claude-sonnet-4-5'])
      expect(priceOf(model, usage, lengthOf(500_000), at), model).toBeCloseTo(3, 9)
  })

  it.each(MODELS)('are those of the package for any request to %s', (model) => {
    for (const day of DAYS)
      for (const usage of usages) {
        const at = new Date(day)
        const wanted = asked(model, usage, at)
        const price = priceOf(model, usage, lengthOf(inputOf(usage)), at)
        if (wanted === undefined) expect(price).toBeUndefined()
        else expect(price).toBeCloseTo(wanted, 9)
      }
  })

  it.each([
    ['anthropic/claude-opus-4-6', 'claude-opus-4-6'],
    ['us.anthropic.claude-3-5-haiku-20241022-v1:0', 'claude-3-5-haiku-20241022'],
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['glm-4.6', 'z-ai/glm-4.6'],
    ['GLM-4.6', 'z-ai/glm-4.6'],
    ['qwen3-coder-plus', 'qwen/qwen3-coder-plus'],
    ['openrouter/qwen/qwen3-coder-plus', 'qwen/qwen3-coder-plus'],
    ['gpt-5-codex-mini', 'gpt-5.1-codex-mini'],
    ['us-gov.anthropic.claude-3-5-haiku-20241022-v1:0', 'claude-3-5-haiku-20241022'],
    ['claude-sonnet-4-5-20250929[1m]', 'claude-sonnet-4-5-20250929'],
  ])('of %s are those of %s', (model, plain) => {
    const usage = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
    const price = priceOf(plain, usage, 0, new Date(DAYS[0]!))
    expect(price).toBeGreaterThan(0)
    expect(priceOf(model, usage, 0, new Date(DAYS[0]!))).toBe(price)
  })

  it.each([
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]', 'claude-sonnet-4-5'],
  ])('of %s are 1.1 times those of %s, also for long requests', (model, plain) => {
    for (const input of [1000, 300_000]) {
      const usage = { input, output: 1000, cacheRead: 50, cacheWrite: 7, cacheWriteHour: 0 }
      const [here, usual] = [model, plain].map((name) =>
        priceOf(name, usage, lengthOf(input), new Date(DAYS[0]!)),
      )
      expect(here).toBeCloseTo(usual! * 1.1, 9)
    }
  })

  it.each(['us.amazon.nova-pro-v1:0', 'accounts/fireworks/models/kimi-k2p5'])(
    'of %s are those of its host',
    (model) => {
      const usage = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
      expect(priceOf(model, usage, 0, new Date(DAYS.at(-1)!))).toBeGreaterThan(0)
    },
  )

  it.each<[string, string[]]>([
    ['oak', ['oak']],
    ['forest/oak', ['forest/oak', 'oak']],
    ['oak-4-5[1m]', ['oak-4-5']],
    ['oak[1m]-x', ['oak[1m]-x']],
    ['anthropic.oak-v1:0', ['anthropic.oak-v1:0', 'oak']],
    ['eu.anthropic.oak-v12:34', ['eu.anthropic.oak-v12:34', 'oak']],
    ['us-gov.anthropic.oak-v1:0', ['us-gov.anthropic.oak-v1:0', 'oak']],
    ['oak.anthropic.elm', ['oak.anthropic.elm', 'elm']],
    ['lumber.anthropic.oak', ['lumber.anthropic.oak', 'oak']],
    ['north-eu.anthropic.oak', ['north-eu.anthropic.oak']],
    ['oak-v2', ['oak-v2', 'oak']],
    ['oak:12', ['oak:12', 'oak']],
    ['oak-v1:0-elm', ['oak-v1:0-elm']],
    ['oak-vx:y', ['oak-vx:y']],
    ['oak@20250929', ['oak@20250929', 'oak-20250929']],
  ])('of %s are looked up as %j', (model, names) => expect(namesOf(model)).toEqual(names))

  it.each([
    ['claude-opus-4-6', 6],
    ['claude-opus-4-8', 2],
    ['claude-opus-5', 2],
    ['claude-sonnet-4-5', 1],
  ])('of fast requests to %s are %i times those of others', (model, factor) => {
    const usage = { input: 1000, output: 1000, cacheRead: 50, cacheWrite: 7, cacheWriteHour: 0 }
    const at = new Date(DAYS.at(-1)!)
    const usual = priceOf(model, usage, 0, at)
    const fast = priceOf(`${model}[fast]`, usage, 0, at)
    if (usual === undefined) expect(fast).toBeUndefined()
    else expect(fast).toBeCloseTo(usual * factor, 12)
  })

  it.each([
    ['claude-opus-4-6', undefined],
    ['claude-opus-4-6[1m]', undefined],
    ['claude-opus-4-6[fast]', undefined],
    ['claude-sonnet-4-5[fast]', 'fast mode'],
    ['claude-sonnet-4-5[us batch]', 'data residency in us (1.1 × the price), batch (half the price)'],
    ['claude-sonnet-4-5[priority]', 'priority tier'],
    ['gpt-5.5[priority]', 'priority tier (2 to 2.5 × the price)'],
    ['gpt-5.5[flex]', 'flex tier (half the price)'],
  ])('of %s do not include: %s', (model, terms) => expect(notPriced(model)).toBe(terms))

  it.each(['anthropic', 'openai', 'google', 'x-ai', 'openrouter', 'aws', 'azure', 'deepseek', 'mistral'])(
    'of %s change at the known lengths, and at no others',
    (providerId) => {
      const models = findProvider({ providerId })!.models
      const steps = JSON.stringify(models).matchAll(/"start":(\d+)/g)
      for (const [, start] of steps) expect(LENGTH_STEPS).toContain(Number(start))
      expect(models.length).toBeGreaterThan(0)
    },
  )
})
