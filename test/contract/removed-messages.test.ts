import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { claude, put, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, hitsFor } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'

const [ONE, OTHER] = [uuid(1), uuid(2)]

const lines = [
  claude.user(1, 'plant basil'),
  claude.reply(2, [text('Planted the basil.')]),
  claude.user(3, 'water the basil'),
  claude.reply(4, [text('Watered the basil.')]),
]
const copied = lines.map((each) => ({ ...each, sessionId: OTHER }))

/** A store, and a function that writes files and indexes them. */
function writing(engine: Engine) {
  const folder = join(temporaryHome(), '.claude')
  const store = engine.open()
  return {
    store,
    write(session: string, records: readonly object[]): void {
      put(join(folder, 'projects/-home-ann-garden', `${session}.jsonl`), records)
      bringUpToDate(store, claudeAt(folder))
    },
  }
}

/** The messages that statistics count, and those of all listed sessions. */
const counts = (store: Store) => ({
  stats: [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
    .flatMap(({ messages }) => messages)
    .reduce((sum, { count }) => sum + count, 0),
  sessions: store.sessions().reduce((sum, { session }) => sum + session.human + session.agentMessages, 0),
})

/** What a search finds, and whether it says that it is gone. */
const found = (store: Store): string[] =>
  hitsFor(store, 'basil')
    .map((hit) => `${hit.text}${hit.goneMs === undefined ? '' : ' [gone]'}`)
    .sort()

describe.each(namedEngines)('on %s, messages that are no longer in their file', (_, engine) => {
  it('are found as gone and counted nowhere if the file was changed in its middle', () => {
    const { store, write } = writing(engine)
    write(ONE, lines)
    expect(counts(store)).toEqual({ stats: 4, sessions: 4 })
    write(ONE, [lines[0]!, ...lines.slice(2)])
    expect(counts(store)).toEqual({ stats: 3, sessions: 3 })
    expect(found(store)).toEqual([
      'Planted the basil. [gone]',
      'Watered the basil.',
      'plant basil',
      'water the basil',
    ])
    write(ONE, lines)
    expect(counts(store)).toEqual({ stats: 4, sessions: 4 })
    store.close()
  })

  it('belong to the session, and are not gone, if the client cut off the beginning', () => {
    const { store, write } = writing(engine)
    write(ONE, lines)
    write(ONE, lines.slice(2))
    expect(counts(store)).toEqual({ stats: 4, sessions: 4 })
    expect(found(store)).toEqual([
      'Planted the basil.',
      'Watered the basil.',
      'plant basil',
      'water the basil',
    ])
    store.close()
  })

  it('count while another file has them', () => {
    const { store, write } = writing(engine)
    write(ONE, lines)
    write(OTHER, [...copied, claude.user(9, 'plant mint', { sessionId: OTHER })])
    write(ONE, [lines[0]!, ...lines.slice(2)])
    expect(counts(store).stats).toBe(5)
    expect(found(store)).not.toContain('Planted the basil. [gone]')
    store.close()
  })
})
