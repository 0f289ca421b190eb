import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/model/session.ts'
import { parseQuery } from '../../src/search/query.ts'
import type { Store } from '../../src/store/store.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { claude, put, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, freshIndex } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

/** Lines that are added, and lines that the client cuts off the beginning of its file, or puts back. */
const FIRST = 4
const steps = fc.array(
  fc.record({ added: fc.nat({ max: 9 }), cut: fc.nat({ max: 12 }), back: fc.nat({ max: 3 }) }),
  {
    minLength: 2,
    maxLength: 8,
  },
)

/** What an agent writes: messages, replies of several lines, errors, and a running total of its costs. */
function record(number: number): object {
  switch (number % 5) {
    case 0:
    case 1: {
      const reply = claude.reply(number, [text(`Answer ${number}`)])
      const usage = { input_tokens: 3, output_tokens: number }
      return { ...reply, message: { ...reply.message, id: `msg_${number - (number % 5)}`, usage } }
    }
    case 2:
      return claude.result(number, `toolu_${number}`, `Error: ${number}`, true)
    case 3:
      return {
        type: 'cost-state',
        sessionId: uuid(1),
        modelUsage: { 'claude-sonnet-5': { costUSD: number / 4 } },
      }
    default:
      return claude.user(number, `Question ${number}`)
  }
}

const contentOf = (store: Store): string[] => {
  const [row] = store.sessions()
  if (!row) return []
  const { path } = row.session
  return [...store.cutMessages(path), ...store.messages(path)].flatMap((each) => each.text ?? [])
}

/** Without the fields that describe the file rather than the session. */
const counts = (store: Store): Partial<Session> => {
  const [row] = store.sessions()
  const { human, agentMessages, errors, startedMs, lastActivityMs, firstHuman, lastHuman, title, usage } =
    row!.session
  return { human, agentMessages, errors, startedMs, lastActivityMs, firstHuman, lastHuman, title, usage }
}

const spent = (store: Store) => {
  const sums = { output: 0, cost: 0, human: 0 }
  for (const { usage, messages } of store.figures({ zone: ODD_ZONE })) {
    for (const figure of usage) {
      sums.output += figure.output
      sums.cost += figure.recorded
    }
    for (const { who, count } of messages) if (who === 'human') sums.human += count
  }
  return sums
}

describe.each(namedEngines)('on %s, a file whose beginning its client cuts off repeatedly', (_, engine) => {
  it('has the same content in the store as an uncut file', () => {
    fc.assert(
      fc.property(steps, (happened) => {
        const folder = mkdtempSync(join(tmpdir(), 'scrollback-heads-'))
        const store = engine.open()
        const [here, whole] = [join(folder, 'cut'), join(folder, 'whole')] as const
        const lines: object[] = []
        let begin = 0
        try {
          const write = (root: string, from: number) =>
            put(join(root, 'projects/-home-ann-garden', `${uuid(1)}.jsonl`), lines.slice(from))
          for (const { added, cut, back } of happened) {
            for (let each = 0; each < added; each++) lines.push(record(lines.length + FIRST))
            write(here, begin)
            bringUpToDate(store, claudeAt(here))
            // At least one line remains, and no reply is split, because both parts of such a reply would be
            // shown.
            begin = Math.max(0, Math.min(begin + cut, lines.length - 1))
            if ((begin + FIRST) % 5 === 1) begin--
            write(here, begin)
            bringUpToDate(store, claudeAt(here))
            if (back > 0) continue
            begin = 0
            write(here, begin)
            bringUpToDate(store, claudeAt(here))
          }
          if (lines.length === 0) return
          write(whole, 0)
          const fresh = freshIndex(claudeAt(whole))
          expect(contentOf(store)).toEqual(contentOf(fresh))
          expect(counts(store)).toEqual(counts(fresh))
          expect(spent(store)).toEqual(spent(fresh))
          fresh.close()
          expectAddresses(store)
        } finally {
          store.close()
          rmSync(folder, { recursive: true })
        }
      }),
      { numRuns: Math.ceil(150 * engine.share) },
    )
  })
})

const taken = fc.array(
  fc.record({ added: fc.nat({ max: 9 }), back: fc.nat({ max: 7 }), put: fc.nat({ max: 3 }) }),
  {
    minLength: 2,
    maxLength: 8,
  },
)

/** Without running totals, which a client takes back with its records, and replies of several lines. */
const message = (number: number): object =>
  number % 5 === 1 || number % 5 === 3 ? claude.user(number, `Remark ${number}`) : record(number)

describe.each(namedEngines)('on %s, a file whose end its client takes back repeatedly', (_, engine) => {
  it('has the same content and figures as a file that keeps it, and every message has an address', () => {
    fc.assert(
      fc.property(taken, (happened) => {
        const folder = mkdtempSync(join(tmpdir(), 'scrollback-ends-'))
        const store = engine.open()
        const [here, whole] = [join(folder, 'taken'), join(folder, 'whole')] as const
        const all = [message(FIRST)]
        let now = [...all]
        try {
          const write = (root: string, lines: readonly object[]) =>
            put(join(root, 'projects/-home-ann-garden', `${uuid(1)}.jsonl`), lines)
          for (const { added, back, put: restored } of happened) {
            for (let each = 0; each < added; each++) {
              const next = message(all.length + FIRST)
              all.push(next)
              now.push(next)
            }
            write(here, now)
            bringUpToDate(store, claudeAt(here))
            now = now.slice(0, Math.max(1, now.length - back))
            write(here, now)
            bringUpToDate(store, claudeAt(here))
            if (restored > 0) continue
            now = [...all]
            write(here, now)
            bringUpToDate(store, claudeAt(here))
          }
          write(whole, all)
          const fresh = freshIndex(claudeAt(whole))
          expect(contentOf(store).sort()).toEqual(contentOf(fresh).sort())
          const { lastHuman: _, ...others } = counts(store)
          expect(counts(fresh)).toMatchObject(others)
          expect(spent(store)).toEqual(spent(fresh))
          fresh.close()
          expectAddresses(store)
        } finally {
          store.close()
          rmSync(folder, { recursive: true })
        }
      }),
      { numRuns: Math.ceil(100 * engine.share) },
    )
  })
})

describe.each(namedEngines)(
  'on %s, a file that is emptied, or filled with zeros as after a crash',
  (_, engine) => {
    it.each([0, 900])(
      'keeps its messages, and where its session ran, once when they are back: %s bytes',
      (bytes) => {
        const folder = mkdtempSync(join(tmpdir(), 'scrollback-emptied-'))
        const store = engine.open()
        try {
          const path = join(folder, 'projects/-home-ann-garden', `${uuid(1)}.jsonl`)
          put(path, [4, 5, 9].map(record))
          bringUpToDate(store, claudeAt(folder))
          const factsOf = () => {
            const [{ session }] = store.sessions() as [ReturnType<Store['sessions']>[number]]
            const { bytes: _, modifiedMs: __, lines: ___, accounting: ____, cut: _____, ...facts } = session
            return facts
          }
          const before = [factsOf(), contentOf(store), spent(store)]
          writeFileSync(path, Buffer.alloc(bytes))
          bringUpToDate(store, claudeAt(folder))
          expect([factsOf(), contentOf(store), spent(store)]).toEqual(before)
          put(path, [4, 5, 9].map(record))
          bringUpToDate(store, claudeAt(folder))
          expect([factsOf(), contentOf(store), spent(store)]).toEqual(before)
          expect(store.cutMessages(path)).toEqual([])
        } finally {
          store.close()
          rmSync(folder, { recursive: true })
        }
      },
    )
  },
)

/** Each message is found at a line from which on it can be read. */
function expectAddresses(store: Store): void {
  const { path } = store.sessions()[0]!.session
  const all = [...store.cutMessages(path), ...store.messages(path)]
  for (const { text, line, message: id } of all) {
    expect(store.messages(path, { line, count: 4 }).map((each) => each.message)).toContain(id)
    const number = /\d+$/.exec(text ?? '')?.[0]
    if (number === undefined || text?.includes('\n')) continue
    const query = parseQuery(`"${text}"`, 0, () => 0)
    const { hits } = store.search({ query, limit: 20, enough: 20, now: 0 })
    expect([...hits].find((each) => each.message === id)?.line, text).toBe(line)
  }
}
