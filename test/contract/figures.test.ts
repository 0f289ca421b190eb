import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { BEGIN, DAY, HOUR, lines, UTC } from '../figure-sessions.ts'
import { figuresTwice } from '../figures-audit.ts'
import { call, claude, openclaw, put, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

function storeOf(engine: Engine) {
  const home = temporaryHome()
  const file = put(join(home, 'claude/projects/-home-ann-garden', `${uuid(0)}.jsonl`), lines())
  const store = engine.open()
  const update = (): void => void bringUpToDate(store, claudeAt(join(home, 'claude')))
  update()
  return { store, audit: engine.audit(store), update, file }
}

const idOf = (store: Store, name: string): number =>
  store
    .known()
    .values()
    .find(({ artifact }) => artifact.path.includes(name))!.id

const REFUSAL = `The user doesn't want to proceed with this tool use. The tool use was rejected.`

describe.each(namedEngines)('sums of days on %s', (_, engine) => {
  it('are equal to sums computed in another way, for any zone and any time', () => {
    const { store, audit } = storeOf(engine)
    const moment = fc.integer({ min: BEGIN - 30 * HOUR, max: BEGIN + 140 * HOUR })
    const offset = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => (quarters * HOUR) / 4)
    const zone = fc
      .tuple(offset, fc.option(fc.tuple(moment, fc.constantFrom(-HOUR, HOUR))))
      .map(([offsetMs, change]) => [
        { fromMs: Number.MIN_SAFE_INTEGER, offsetMs },
        ...(change ? [{ fromMs: change[0], offsetMs: offsetMs + change[1] }] : []),
      ])
    const request = fc.record({
      zone,
      fromMs: fc.option(moment, { nil: undefined }),
      untilMs: fc.option(moment, { nil: undefined }),
    })
    fc.assert(
      fc.property(request, (wanted) => {
        // Computed the first time, and cached the second.
        for (let turn = 0; turn < 2; turn++) {
          const [sums, recomputed] = figuresTwice(store, audit, wanted)
          expect(sums).toEqual(recomputed)
        }
      }),
      { numRuns: Math.ceil(300 * engine.share) },
    )
    audit.close()
    store.close()
  })

  it('are those of a file, which may also have days on which nothing counts', () => {
    const { store, audit, file } = storeOf(engine)
    const { store: local } = openSqliteStore(join(temporaryHome(), 'index.sqlite'), 0)
    bringUpToDate(local, claudeAt(join(file, '../../..')))
    const daysOf = (each: Store): unknown[] =>
      [...each.figures({ zone: UTC })].flatMap(({ day, usage, messages, touched }) => {
        const counts = { usage: usage.length, messages: messages.length, touched: touched.length }
        const isEmpty = usage.length + messages.length + touched.length === 0
        expect(isEmpty && !engine.isFile && each === store).toBe(false)
        return isEmpty
          ? []
          : {
              day,
              ...counts,
              words: messages.map(({ who, count, words }) => `${who} ${count} ${words}`).sort(),
            }
      })
    expect(daysOf(local).length).toBeGreaterThan(3)
    expect(daysOf(store)).toEqual(daysOf(local))
    local.close()
    audit.close()
    store.close()
  })

  it('count the calls that wrote to a file without those that failed or were declined', () => {
    const home = temporaryHome()
    const edit = (id: string) =>
      call(id, 'Edit', { file_path: '/srv/fern.ts', old_string: 'a', new_string: 'b' })
    put(join(home, 'claude/projects/-home-ann-garden', `${uuid(0)}.jsonl`), [
      claude.user(1, 'Water the roses'),
      claude.reply(2, [edit('t2'), edit('t3'), edit('t4')]),
      claude.result(3, 't2', 'no such text', true),
      claude.result(4, 't3', 'done'),
      { ...claude.result(5, 't4', REFUSAL, true), toolUseResult: 'User rejected tool use' },
    ])
    const store = engine.open()
    bringUpToDate(store, claudeAt(join(home, 'claude')))
    expect([...store.figures({ zone: UTC })].flatMap(({ touched }) => touched)).toMatchObject([
      { tool: 'Edit', target: '/srv/fern.ts', count: 1 },
    ])
    store.close()
  })

  it('have the reasoning of a reply as a part of its output, once for all files that contain it', () => {
    const home = temporaryHome()
    const usage = { input: 10, output: 2000, reasoning: 1500 }
    const reply = openclaw.message(2, { role: 'assistant', content: [text('Moss.')], model: 'oak', usage })
    const odd = openclaw.message(3, {
      ...reply.message,
      usage: { input: 1, output: 2, reasoning: 9 },
      responseId: 'odd',
    })
    for (const id of [uuid(1), uuid(2)])
      put(join(home, 'openclaw/agents/main/sessions', `${id}.jsonl`), [openclaw.header(id), reply, odd])
    const store = engine.open()
    bringUpToDate(store, { ...claudeAt(''), dirs: { 'claude-code': [], openclaw: [join(home, 'openclaw')] } })
    const audit = engine.audit(store)
    const [sums, recomputed] = figuresTwice(store, audit, { zone: UTC })
    expect(sums).toEqual(recomputed)
    expect(sums.flatMap((each) => each.usage)).toMatchObject([{ output: 2002, reasoning: 1502 }])
    audit.close()
    store.close()
  })

  it('are updated when another file takes over a reply, and when that file is deleted', () => {
    const { store, audit, update, file } = storeOf(engine)
    Array.from(store.figures({ zone: UTC }))
    // The same reply, but on another day and with more tokens.
    const more = {
      ...claude.reply(3, [text('I do.')], {
        uuid: uuid(9003),
        timestamp: new Date(BEGIN + 90 * HOUR).toISOString(),
      }),
    }
    const other = put(join(file, '..', `${uuid(7)}.jsonl`), [
      {
        ...more,
        sessionId: uuid(7),
        message: { ...more.message, usage: { input_tokens: 3, output_tokens: 500 } },
      },
    ])
    update()
    const [sums, recomputed] = figuresTwice(store, audit, { zone: UTC })
    expect(sums).toEqual(recomputed)
    expect(sums.flatMap(({ usage }) => usage).some(({ output }) => output === 500)).toBe(true)
    put(other, [claude.user(1, 'Something else', { sessionId: uuid(7) })])
    update()
    const [later, laterRecomputed] = figuresTwice(store, audit, { zone: UTC })
    expect(later).toEqual(laterRecomputed)
    expect(later.flatMap(({ usage }) => usage).some(({ output }) => output === 500)).toBe(false)
    audit.close()
    store.close()
  })

  it.each([
    ['the only copy of a message is deleted', [], 0],
    ['a message remains in another file than the first', [claude.user(6 * DAY, 'Said twice')], 1],
  ])('are updated when %s', (_, copy, left) => {
    const { store, audit, update, file } = storeOf(engine)
    put(join(file, '..', `${uuid(7)}.jsonl`), [claude.user(6 * DAY, 'Said twice')])
    update()
    put(join(file, '..', `${uuid(8)}.jsonl`), [...copy, claude.user(8 * DAY, 'Said once')])
    update()
    Array.from(store.figures({ zone: UTC }))
    // The only change of that day.
    store.forget([idOf(store, uuid(7))])
    const [sums, recomputed] = figuresTwice(store, audit, { zone: UTC })
    expect(sums).toEqual(recomputed)
    const day = Math.floor((BEGIN + 6 * DAY * 60_000) / (24 * HOUR))
    expect(sums.filter((each) => each.day === day)).toHaveLength(left)
    audit.close()
    store.close()
  })

  it('are updated when a reply without text has tokens', () => {
    const { store, audit, update, file } = storeOf(engine)
    Array.from(store.figures({ zone: UTC }))
    put(file, [...lines(), claude.reply(2 * DAY + 20, [])])
    update()
    const [sums, recomputed] = figuresTwice(store, audit, { zone: UTC })
    expect(sums).toEqual(recomputed)
    audit.close()
    store.close()
  })
})
