import { serialize } from 'node:v8'
import { zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { SavedFold } from '../../model/fold/fold.ts'
import { openState, packState } from './fold-state.ts'

const saved = {
  state: { latest: { who: 'agent', text: 'I do.' }, replies: { recent: ['I do.'] } },
  parts: new Map<string, unknown>([
    ['records.0', Int32Array.from([1, -2, 3])],
    ['prompts.0', [{ speaker: 'human', text: 'Will you?' }]],
  ]),
} as unknown as SavedFold

it('a packed state is the same when it is opened', () => {
  const { state, parts } = openState(packState(saved))
  expect(state).toEqual(saved.state)
  for (const [name, part] of saved.parts) expect(parts.load(name)).toEqual(part)
})

it('a state that is opened as bytes is packed with the parts that have not changed', () => {
  const { pack } = openState(packState(saved))
  const { parts } = openState(pack({ ...saved, parts: new Map([['prompts.0', []]]) }))
  expect(parts.load('records.0')).toEqual(saved.parts.get('records.0'))
  expect(parts.load('prompts.0')).toEqual([])
})

it('a part that is missing or damaged throws when it is loaded', () => {
  const stored = { ...openState(packState(saved)), head: packState({ ...saved, parts: new Map() }) }
  const damaged = {
    head: stored.head,
    part: (name: string) => (name === 'a' ? undefined : Buffer.of(1, 2, 3)),
  }
  for (const name of ['a', 'b']) expect(() => openState(damaged).parts.load(name)).toThrow()
})

it('a state without its length is understood', () => {
  expect(openState(zstdCompressSync(serialize(saved.state))).state).toEqual(saved.state)
})
