import { describe, expect, it } from 'vitest'
import { IN_MEMORY, openSqliteStore } from '../../src/store/sqlite/open.ts'
import { keep } from '../stores.ts'
import { allFixtures, demo } from './subjects.ts'

/** Every engine. Each has to pass all of this. */
const engines = { sqlite: () => openSqliteStore(IN_MEMORY, 0).store }

describe.each(Object.entries(engines))('a store on %s', (_, open) => {
  const subjects = [...allFixtures(), ...demo()].map(({ name, artifact }) => [name, artifact] as const)

  it.each(subjects)('returns the items at a position, as it returns all of them: %s', (_, artifact) => {
    const store = open()
    keep(store, artifact)
    const all = store.messages(artifact.path)
    const count = all.length
    expect(store.countMessages(artifact.path)).toBe(count)
    for (const [from, wanted] of [
      ...[
        [0, count],
        [0, 1],
        [1, 3],
        [count - 1, 1],
        [count - 3, 3],
        [Math.floor(count / 2), 2],
      ],
      ...[
        [count, 5],
        [count + 7, 5],
        [0, 0],
        [-4, 2],
        [count - 1, 100],
      ],
    ] as [number, number][]) {
      const first = Math.max(0, from)
      const { total, items, replies } = store.itemsAt(artifact.path, from, wanted)
      expect([total, items]).toEqual([count, all.slice(first, first + wanted)])
      const before = new Set(all.slice(0, first).flatMap(({ reply }) => reply ?? []))
      const continued = (each: Set<number>): number[] =>
        items.flatMap(({ reply }) => (reply !== undefined && each.has(reply) ? [reply] : []))
      expect(continued(replies)).toEqual(continued(before))
    }
    store.close()
  })

  it.each(subjects)('outlines the same items: %s', (_, artifact) => {
    const store = open()
    keep(store, artifact)
    const all = store.messages(artifact.path)
    const shown = [...store.outline(artifact.path, 40)]
    expect(shown).toEqual(
      all.map(({ who, at, line, text, reply, marker, offBranch }) => ({
        ...{ who, at, line, reply, marker, offBranch: offBranch === true },
        size: text === undefined ? 0 : [...text].length,
        text:
          (who === 'human' || who === 'marker') && text !== undefined
            ? [...text].slice(0, 40).join('')
            : undefined,
      })),
    )
    const used = new Map(
      all.flatMap(({ reply, usage }) => (reply !== undefined && usage ? [[reply, usage.output]] : [])),
    )
    const replies = new Map(store.replies(artifact.path).map(({ reply, output }) => [reply, output]))
    for (const [reply, output] of used) expect(replies.get(reply)).toBe(output)
    store.close()
  })

  it('finds the files of a session by the beginning of its id', () => {
    const store = open()
    for (const { artifact } of demo()) keep(store, artifact)
    const [path] = store.pathsOf('640ab4c7')
    expect(path).toMatch(/640ab4c7[\w-]*\.jsonl$/)
    expect(store.pathsOf('640ab4c7-d010-4b20-a591-b7172ef08e66')).toEqual([path])
    expect(store.pathsOf('640ab4c7-d010-4b20-a591-b7172ef08e660')).toEqual([])
    expect(store.pathsOf('%')).toEqual([])
    store.close()
  })
})
