import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import type { SearchHit } from '../../src/store/search.ts'
import type { Store } from '../../src/store/store.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { type OpenCodeMessage, opencodeDatabase, text } from '../opencode-databases.ts'
import { temporaryHome } from '../records.ts'
import { bringUpToDate, hitsFor } from '../store-audit.ts'
import { type Engine, namedEngines, type StoreAudit } from './engines.ts'

const START = Date.UTC(2026, 10, 20)
const SESSION = 'ses_moss1'
const TOKENS = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } }

/** Every message has a word of its own. */
const wordOf = (number: number, form = 0): string => `w${String(number).padStart(4, '0')}f${form}x`
const isReply = (number: number): boolean => number % 2 === 0
const idOf = (number: number): string => `msg_${String(number).padStart(4, '0')}`
const messageOf = (number: number): OpenCodeMessage => ({
  id: idOf(number),
  at: START + number * 1000,
  role: isReply(number) ? 'assistant' : 'user',
  parts: [text(`${isReply(number) ? 'told' : 'said'} ${wordOf(number)}`)],
  ...(isReply(number) && { data: { tokens: TOKENS } }),
})

/** A database with one session, as the client changes it, and a store that is refreshed from it. */
function livingSession(engine: Engine, count: number) {
  const home = temporaryHome()
  const made = opencodeDatabase(join(home, '.local/share/opencode/opencode.db'), [
    { id: SESSION, at: START, messages: Array.from({ length: count }, (_, index) => messageOf(index + 1)) },
  ])
  const environment: Environment = { home, variables: {} }
  const store = engine.open()
  const audit = engine.audit(store)
  let clock = START + 86_400_000
  let last = count
  const there = Array.from({ length: count }, (_, index) => index + 1)
  const run = (sql: string, ...values: (string | number)[]): void => {
    made.database.prepare(sql).run(...values)
    made.database.prepare('UPDATE session SET time_updated = ?').run(++clock)
  }
  const rewrite = (number: number, words: string): void =>
    run(
      'UPDATE part SET data = ?, time_updated = ? WHERE message_id = ?',
      JSON.stringify(text(words)),
      clock,
      idOf(number),
    )
  return {
    store,
    audit,
    there,
    rewrite,
    refresh: () => expect(bringUpToDate(store, environment).faults).toEqual([]),
    add(number = ++last): void {
      made.message(SESSION, messageOf(number))
      there.push(number)
      run('SELECT 1')
    },
    again(idOfCopy: (id: string) => string): void {
      for (const number of there) {
        const [from, to] = [idOf(number), idOfCopy(idOf(number))]
        const created = messageOf(number).at + 3_600_000
        run(
          `UPDATE message SET id = ?, time_created = ?, data = json_set(data, '$.time.created', ?) WHERE id = ?`,
          ...[to, created, created, from],
        )
        run('UPDATE part SET message_id = ? WHERE message_id = ?', to, from)
      }
    },
    remove(number: number): void {
      for (const [table, column] of [
        ['part', 'message_id'],
        ['message', 'id'],
      ] as const)
        run(`DELETE FROM ${table} WHERE ${column} = ?`, idOf(number))
      there.splice(there.indexOf(number), 1)
    },
    close(): void {
      made.close()
      audit.close()
      store.close()
    },
  }
}

type Living = ReturnType<typeof livingSession>
const pathOf = (store: Store): string => store.sessions()[0]!.session.path
const itemsOf = (store: Store) => [...store.cutMessages(pathOf(store)), ...store.messages(pathOf(store))]
const textsOf = (store: Store) =>
  itemsOf(store).map(({ text: words, cut }) => `${cut ? 'cut: ' : ''}${words}`)

/** Each of these words is in the store once, counts once, and is found where a citation of it says. */
function expectOnce(store: Store, audit: StoreAudit, words: readonly string[], replies: number): void {
  expect(audit.faults()).toEqual({})
  const all = itemsOf(store).flatMap(({ text: each }) => each?.match(/w\d{4}f\dx/g) ?? [])
  expect(all.toSorted()).toEqual(words.toSorted())
  const [{ session }] = store.sessions() as [ReturnType<Store['sessions']>[number]]
  expect(session.human + session.agentMessages).toBe(words.length)
  expect(session.usage?.output ?? 0).toBe(replies * TOKENS.output)
  const figures = [...store.figures({ zone: ODD_ZONE })]
  const said = figures.flatMap(({ messages }) => messages)
  expect(
    said.reduce((sum, { who, count }) => sum + (who === 'human' || who === 'agent' ? count : 0), 0),
  ).toBe(words.length)
  const used = figures.flatMap(({ usage }) => usage)
  expect(used.reduce((sum, { output }) => sum + output, 0)).toBe(replies * TOKENS.output)
  for (const word of words) {
    const hits = hitsFor(store, word)
    expect(hits).toHaveLength(1)
    const [{ path, line }] = hits as [SearchHit]
    expect(store.messages(path, { line, count: 1 })[0]!.text).toContain(word)
  }
}

const CHANGES: Record<string, { change: (living: Living) => void; shown: string[]; replies: number }> = {
  'the last messages, with the next prompt, as an undo does': {
    change(living) {
      living.remove(3)
      living.remove(4)
      living.add()
    },
    shown: ['cut: said w0003f0x', 'cut: told w0004f0x', 'said w0001f0x', 'told w0002f0x', 'said w0005f0x'],
    replies: 2,
  },
  'one message in between': {
    change: (living) => living.remove(2),
    shown: ['cut: told w0002f0x', 'said w0001f0x', 'said w0003f0x', 'told w0004f0x'],
    replies: 2,
  },
  'the first message': {
    change: (living) => living.remove(1),
    shown: ['cut: said w0001f0x', 'told w0002f0x', 'said w0003f0x', 'told w0004f0x'],
    replies: 2,
  },
  'all messages': {
    change(living) {
      for (const number of [1, 2, 3, 4]) living.remove(number)
    },
    shown: ['cut: said w0001f0x', 'cut: told w0002f0x', 'cut: said w0003f0x', 'cut: told w0004f0x'],
    replies: 2,
  },
  'the words of a prompt, which it overwrites': {
    change: (living) => living.rewrite(3, `said ${wordOf(3, 1)}`),
    shown: ['cut: said w0003f0x', 'said w0001f0x', 'told w0002f0x', 'said w0003f1x', 'told w0004f0x'],
    replies: 2,
  },
}

describe.each(namedEngines)(
  'on %s, what a client deletes from its database stays with the session:',
  (_, engine) => {
    it.each(Object.entries(CHANGES))('%s', (__, { change, shown, replies }) => {
      const living = livingSession(engine, 4)
      living.refresh()
      change(living)
      living.refresh()
      expect(textsOf(living.store)).toEqual(shown)
      const words = shown.flatMap((each) => each.match(/w\d{4}f\dx/g) ?? [])
      expectOnce(living.store, living.audit, words, replies)
      living.close()
    })

    it('but a reply that grows leaves nothing of its earlier forms, also if it ended within a word', () => {
      const living = livingSession(engine, 2)
      const words = `told ${wordOf(2)} that the moss at the wall is dry `
      for (let end = 1; end <= words.length; end += 3) {
        living.rewrite(2, words.slice(0, end))
        living.refresh()
        expect(textsOf(living.store)).toEqual([`said ${wordOf(1)}`, words.slice(0, end).trimEnd()])
      }
      expect(hitsFor(living.store, 'told')).toHaveLength(1)
      living.close()
    })

    it('but nothing of a history that is written again under other ids, and later', () => {
      const living = livingSession(engine, 4)
      living.refresh()
      living.again((id) => `${id}b`)
      living.refresh()
      expect(textsOf(living.store)).toEqual([
        ...['said w0001f0x', 'told w0002f0x', 'said w0003f0x', 'told w0004f0x'],
      ])
      expectOnce(
        living.store,
        living.audit,
        [1, 2, 3, 4].map((each) => wordOf(each)),
        2,
      )
      living.close()
    })

    it('and counts once if it comes back, in the same form or with more words', () => {
      const living = livingSession(engine, 4)
      living.refresh()
      living.remove(3)
      living.remove(4)
      living.refresh()
      living.add(3)
      living.add(4)
      living.rewrite(4, `told ${wordOf(4)} at length`)
      living.refresh()
      expect(textsOf(living.store)).toEqual([
        ...['said w0001f0x', 'told w0002f0x', 'said w0003f0x', 'told w0004f0x at length'],
      ])
      expectOnce(
        living.store,
        living.audit,
        [1, 2, 3, 4].map((each) => wordOf(each)),
        2,
      )
      living.close()
    })

    it('whatever happens, in any order', () => {
      const step = fc.record({
        what: fc.constantFrom(
          'add',
          'add',
          'remove',
          'remove',
          'overwrite',
          'grow',
          'back',
          'refresh',
          'refresh',
        ),
        which: fc.nat({ max: 30 }),
      })
      fc.assert(
        fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
          const living = livingSession(engine, 4)
          const removed: number[] = []
          const forms = new Map<number, number>()
          const seen = new Set<string>()
          const replies = new Set<number>()
          const grown = new Set<number>()
          const wordsOf = (number: number): string => {
            const words = `${isReply(number) ? 'told' : 'said'} ${wordOf(number, forms.get(number))}`
            return grown.has(number) ? `${words} at length` : words
          }
          const refresh = (): void => {
            living.refresh()
            for (const number of living.there) {
              seen.add(wordOf(number, forms.get(number)))
              if (isReply(number)) replies.add(number)
            }
            expectOnce(living.store, living.audit, [...seen], replies.size)
          }
          try {
            refresh()
            for (const { what, which } of steps) {
              const number = living.there[which % Math.max(1, living.there.length)]
              if (what === 'refresh') refresh()
              else if (what === 'add') living.add()
              else if (what === 'back') {
                const back = removed.pop()
                if (back === undefined) continue
                living.add(back)
                living.rewrite(back, wordsOf(back))
              } else if (number !== undefined) {
                if (what === 'remove') {
                  living.remove(number)
                  removed.push(number)
                } else if (what === 'grow') {
                  grown.add(number)
                  living.rewrite(number, wordsOf(number))
                } else if (!isReply(number)) {
                  forms.set(number, ((forms.get(number) ?? 0) + 1) % 10)
                  living.rewrite(number, wordsOf(number))
                }
              }
            }
            refresh()
          } finally {
            living.close()
          }
        }),
        { numRuns: Math.ceil(60 * engine.share) },
      )
    })
  },
)
