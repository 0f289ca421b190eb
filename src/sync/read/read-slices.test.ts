import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedHome } from '../../../test/records.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item } from '../../model/session.ts'
import { discover } from '../discover.ts'
import { readSession, readSlices } from './read-session.ts'

const demo = join(import.meta.dirname, '../../../demo')
const environment = {
  home: '/home/dev',
  variables: {},
  dirs: { 'claude-code': [join(demo, '.claude')], openclaw: [join(demo, '.openclaw')] },
  deleted: true,
}
const folder = sharedHome()

const inSlices = (artifact: Artifact, slice?: number): Item[] =>
  [...readSlices(artifact, { slice })].flatMap(({ items }) => items)

describe('a transcript read in slices', () => {
  const { artifacts } = discover(environment)
  it.each(artifacts.map((artifact) => [artifact.sessionId, artifact] as const))(
    'yields the same items as one read at once: %s',
    (_, artifact) => {
      const whole = readSession(artifact)
      for (const slice of [1, 1000, 5000]) {
        expect(joined(inSlices(artifact, slice))).toEqual(joined(whole.items))
        for (const { session } of readSlices(artifact, { slice })) {
          expect(session).toMatchObject({ human: whole.session.human, toolCalls: whole.session.toolCalls })
          expect(session.accounting).toEqual(whole.session.accounting)
        }
      }
    },
  )

  it('has only a few slices in memory, however long it is', () => {
    const [one] = artifacts.filter(({ platform }) => platform === 'claude-code')
    const path = join(folder, 'long.jsonl')
    const lines = readFileSync(one!.path, 'utf8')
    for (let copy = 0; copy < 400; copy++)
      appendFileSync(path, lines.replace(/"uuid":"/g, `"uuid":"${copy}-`))
    const artifact = { ...one!, path, bytes: statSync(path).size }
    let most = 0
    for (const { items } of readSlices(artifact, { slice: 100_000 })) most = Math.max(most, items.length)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(readSession(artifact).items.length / 20)
  })
})

/** If a slice ends between two blocks of one reply, they may stay two items with the same text. */
function joined(items: readonly Item[]): object[] {
  const all: (Pick<Item, 'who' | 'text' | 'messageId' | 'line' | 'offBranch'> & { tool?: string })[] = []
  for (const { who, text, messageId, line, offBranch, tool } of items) {
    const last = all.at(-1)
    if (who === 'agent' && last?.who === 'agent' && last.messageId === messageId) last.text += `\n\n${text}`
    else all.push({ who, text, messageId, line, offBranch, tool: tool && `${tool.name} ${tool.target}` })
  }
  return all
}
