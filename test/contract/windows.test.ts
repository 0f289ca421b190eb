import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../src/model/event.ts'
import type { Who } from '../../src/model/session.ts'
import { text as block, call, claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { claudeAt, indexOn } from '../store-audit.ts'
import { keep } from '../stores.ts'
import { namedEngines } from './engines.ts'
import { allFixtures, demo } from './subjects.ts'

const LETTERS: Record<Who, string> = {
  human: 'h',
  agent: 'a',
  program: 'p',
  tool: 't',
  error: 'e',
  marker: 'm',
  memory: 'y',
}

describe.each(namedEngines)('a store on %s', (_, { open }) => {
  const subjects = [...allFixtures(), ...demo()].map(({ name, artifact }) => [name, artifact] as const)

  it.each(subjects)('returns the items at a position, as it returns all of them: %s', (_, artifact) => {
    const store = open()
    keep(store, artifact)
    const all = store.messages(artifact.path)
    const count = all.length
    expect(store.countMessages(artifact.path)).toBe(count)
    for (const [from, wanted] of [
      [0, count],
      [0, 1],
      [1, 3],
      [count - 1, 1],
      [count - 3, 3],
      [Math.floor(count / 2), 2],
      [count, 5],
      [count + 7, 5],
      [0, 0],
      [-4, 2],
      [count - 1, 100],
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
    const outline = store.outline(artifact.path, { letters: LETTERS, cut: 40 })
    const texts = new Map(outline.texts.map((each) => [each.index, each]))
    expect(outline.who).toBe(all.map(({ who }) => LETTERS[who]).join(''))
    expect(outline.line).toEqual(all.map(({ line }) => line))
    expect(outline.at).toEqual(all.map(({ at }) => at ?? null))
    const off = new Set(
      outline.off.flatMap(({ from, to }) =>
        all
          .keys()
          .drop(from)
          .take(to - from)
          .toArray(),
      ),
    )
    expect(off).toEqual(new Set(all.flatMap(({ offBranch }, index) => (offBranch ? [index] : []))))
    expect(outline.size).toEqual(all.map(({ text = '' }) => [...text].length))
    for (const [index, { who, text, marker }] of all.entries())
      expect(texts.get(index)).toEqual(
        who === 'human' || who === 'marker'
          ? {
              index,
              text: text === undefined ? undefined : [...text].slice(0, 40).join(''),
              marker: who === 'marker' ? (marker ?? 'note') : undefined,
            }
          : undefined,
      )
    const used = new Map<number, Usage>()
    for (const [index, { reply, usage }] of all.entries())
      if (reply !== undefined && usage && !all.slice(0, index).some((each) => each.reply === reply))
        used.set(index, usage)
    const { index, context, output } = outline.replies
    for (const [at, { input, cacheRead, cacheWrite, output: written }] of used)
      expect([at, context[index.indexOf(at)], output[index.indexOf(at)]]).toEqual([
        at,
        input + cacheRead + cacheWrite,
        written,
      ])
    store.close()
  })

  it('outlines more items and replies than are read at once, thousands of them in one line', () => {
    const lines = Array.from({ length: 9000 }, (_, index) => [
      claude.user(2 * index + 1, `Question ${index}`),
      claude.reply(2 * index + 2, [block(`Answer ${index}`)]),
    ]).flat()
    const many = Array.from({ length: 9000 }, (_, index) =>
      call(`toolu_${index}`, 'Read', { file_path: `/a/${index}` }),
    )
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [
      ...lines,
      claude.reply(20_001, many),
      claude.user(20_002, 'The end'),
    ])
    const store = indexOn({ open }, claudeAt(join(home, '.claude')))
    const all = store.messages(path)
    const { who, line, size, at, texts, replies } = store.outline(path, { letters: LETTERS, cut: 40 })
    expect(all.length).toBeGreaterThan(10_000)
    expect(who).toBe(all.map(({ who }) => LETTERS[who]).join(''))
    expect(line).toEqual(all.map(({ line }) => line))
    expect(size).toEqual(all.map(({ text = '' }) => text.length))
    expect(at).toEqual(all.map(({ at }) => at ?? null))
    expect(texts.length).toBe(9001)
    expect(replies.index).toEqual([...Array.from({ length: 9000 }, (_, index) => 2 * index + 1), 18_000])
    expect(new Set(replies.context)).toEqual(new Set([3]))
    expect(new Set(replies.output)).toEqual(new Set([5]))
    for (const { index, text } of texts) expect(text).toBe(all[index]!.text)
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
