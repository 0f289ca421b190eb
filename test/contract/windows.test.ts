import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Usage } from '../../src/model/event.ts'
import type { Who } from '../../src/model/session.ts'
import type { Store } from '../../src/store/store.ts'
import { text as block, call, claude, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'
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
  let filled: Store | undefined
  afterAll(() => filled?.close())
  /** One store of all subjects, which no test changes. */
  function storeOfAll(): Store {
    if (filled) return filled
    filled = open()
    for (const [, artifact] of subjects) keep(filled, artifact)
    return filled
  }

  it.each(subjects)('returns the items at a position, as it returns all of them: %s', (_, artifact) => {
    const store = storeOfAll()
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
  })

  it.each(subjects)('outlines the same items: %s', (_, artifact) => {
    const store = storeOfAll()
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
  })

  it('outlines more items and replies than are read at once, a thousand of them in one line', () => {
    const count = 8300
    const calls = Array.from({ length: 1000 }, (_, index) =>
      call(`toolu_${index}`, 'Read', { file_path: `/a/${index}` }),
    )
    const lines = Array.from({ length: count }, (_, index) => {
      const reply = claude.reply(index + 1, [block(`Answer ${index}`)])
      return index % 100 === 0 ? [claude.user(10_000 + index, `Question ${index}`), reply] : [reply]
    })
    // The 8192 items that are read at once end in the middle of this line.
    lines.splice(7500, 0, [claude.reply(20_000, calls)])
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), lines.flat())
    const store = indexOn({ open }, claudeAt(join(home, '.claude')))
    const all = store.messages(path)
    const { who, line, size, at, texts, replies } = store.outline(path, { letters: LETTERS, cut: 40 })
    expect(all.length).toBe(count + calls.length + count / 100)
    const firstCall = all.findIndex(({ who }) => who === 'tool')
    expect(firstCall).toBeLessThan(8192)
    expect(all[8192]).toMatchObject({ who: 'tool', line: all[firstCall]!.line })
    expect(who).toBe(all.map(({ who }) => LETTERS[who]).join(''))
    expect(line).toEqual(all.map(({ line }) => line))
    expect(size).toEqual(all.map(({ text = '' }) => text.length))
    expect(at).toEqual(all.map(({ at }) => at ?? null))
    expect(texts.length).toBe(count / 100)
    expect(replies.index).toHaveLength(count + 1)
    expect(replies.index).toEqual(
      all.flatMap(({ who }, index) => (who === 'agent' || index === firstCall ? [index] : [])),
    )
    expect(new Set(replies.context)).toEqual(new Set([3]))
    expect(new Set(replies.output)).toEqual(new Set([5]))
    for (const { index, text } of texts) expect(text).toBe(all[index]!.text)
    store.close()
  })

  it('finds the files of a session by the beginning of its id', () => {
    const store = storeOfAll()
    const [path] = store.pathsOf('640ab4c7')
    expect(path).toMatch(/640ab4c7[\w-]*\.jsonl$/)
    expect(store.pathsOf('640ab4c7-d010-4b20-a591-b7172ef08e66')).toEqual([path])
    expect(store.pathsOf('640ab4c7-d010-4b20-a591-b7172ef08e660')).toEqual([])
    expect(store.pathsOf('%')).toEqual([])
  })

  it('finds the files of which this version does not know the form', () => {
    const home = temporaryHome()
    const unknown = { type: 'turn9' }
    const ofUnknown = putClaude(home, uuid(1), [unknown])
    putClaude(home, uuid(2), [unknown, claude.user(1, 'Water the ferns')])
    putClaude(home, uuid(3), [])
    const header = { type: 'session', id: 'b1', timestamp: '2026-11-10T09:00:00.000Z' }
    const later = putOpenclaw(home, 'b1.jsonl', [{ ...header, version: 5 }])
    putOpenclaw(home, 'b2.jsonl', [{ ...header, id: 'b2', version: 3 }])
    const dirs = { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] }
    const store = indexOn({ open }, { home, variables: {}, dirs })
    const found = store.unknownForms()
    store.close()
    expect(found).toEqual([ofUnknown, later].sort())
  })
})
