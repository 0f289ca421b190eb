import { describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/model/artifact.ts'
import { runStatus } from '../../src/model/subagent-run.ts'
import { platforms } from '../../src/platforms/index.ts'

/** Names that every object of JavaScript inherits. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty']

/** A record in which everything that may select something is called so. */
const recordOf = (name: string): object => ({
  ...{
    type: 'user',
    subtype: name,
    provenance: name,
    rowSource: name,
    uuid: 'u1',
    timestamp: 1_794_042_000_000,
  },
  ...{ input: [{ type: 'text', text: 'Water it' }], origin: { kind: name }, time: 1_794_042_000_000 },
  message: { role: 'user', parts: [{ text: 'Water it' }], content: 'Water it', origin: { kind: name } },
})

describe('a record with a name that every object inherits', () => {
  it.each(platforms.map((platform) => [platform.id, platform] as const))(
    'has only texts: %s',
    (id, platform) => {
      const artifact = { platform: id, sessionId: 's1', path: '/s1.jsonl', root: '/', agent: 'a' } as Artifact
      for (const name of INHERITED)
        for (const type of ['user', 'turn.prompt', 'context.append_message', 'system', 'message', name]) {
          const drafts = platform.records.normalize({ ...recordOf(name), type }, artifact)
          expect(JSON.parse(JSON.stringify(drafts))).toEqual(structuredClone(drafts))
        }
    },
  )

  it('ends a run with that word', () => {
    for (const name of INHERITED) expect(runStatus(name)).toBe(name)
  })
})
