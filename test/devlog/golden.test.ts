import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { briefsOf } from '../../src/devlog/brief.ts'
import { gather } from '../../src/devlog/gather.ts'
import { finish } from '../../src/model/iteration.ts'
import { shortId } from '../../src/selection/session-names.ts'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'
import { corpusSources } from './stories.ts'

const golden = (name: string): string => join(import.meta.dirname, 'golden', name)

it.each([
  ['brief.md', ['api', '--yes']],
  ['brief-tutorial.md', ['api', '--yes', '--budget', '5k', '--style', 'tutorial', '--voice', 'neutral']],
  ['code.md', ['7122ceb8', '--yes', '--code', '--style', 'deep-dive']],
  ['standup.md', ['--style', 'standup', '--since', '2026-11-05T00:00Z']],
  ['changelog.md', ['api', '--style', 'changelog']],
  ['log.md', ['api', '--yes', '--style', 'log']],
  ['evidence.md', ['640ab4c7', '--yes', '--evidence']],
])('what devlog makes of the demo is frozen in %s', async (name, args) => {
  const { stdout, code } = run(['devlog', ...args, '--demo'], temporaryHome())
  expect(code).toBe(0)
  await expect(stdout).toMatchFileSnapshot(golden(name))
})

const corpus = process.env.SCROLLBACK_CORPUS

describe.skipIf(!corpus || !existsSync(corpus))('the brief about transcripts of others', () => {
  it('uses its budget, and tells more of a project in parts than in one brief', async () => {
    const sources = corpusSources(corpus!, 20)
    const items = sources.reduce((sum, each) => sum + each.items.length, 0)
    const evidence = finish(
      gather(sources, {
        project: 'corpus',
        topic: null,
        coverage: {
          sessions: { used: sources.length, fitting: sources.length, seen: sources.length },
          items: { read: items, there: items },
          duplicates: 0,
        },
      }),
    )
    const [whole, ...parts] = finish(
      briefsOf(sources, evidence, {
        style: 'story',
        voice: 'agent',
        budget: 8000,
        nameOf: shortId,
      }),
    )
    expect(parts.length).toBeGreaterThan(1)
    for (const { tokens } of [whole!, ...parts]) expect(tokens).toBeLessThanOrEqual(8000)
    expect(whole!.tokens).toBeGreaterThanOrEqual(8000 * 0.98)
    const told = (text: string): number => new Set(text.match(/\[\^[\w:-]+\]/g)).size
    const all = parts.map(({ text }) => text).join('\n')
    expect(told(all)).toBeGreaterThan(told(whole!.text))
  })
})
