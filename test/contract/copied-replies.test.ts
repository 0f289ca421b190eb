import { copyFileSync, cpSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import type { Store } from '../../src/store/store.ts'
import { ODD_ZONE } from '../figures-audit.ts'
import { bash, opencodeDatabase, text } from '../opencode-databases.ts'
import { temporaryHome } from '../records.ts'
import { bringUpToDate, freshIndex, hitsFor } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const START = Date.UTC(2026, 10, 20)
const call = (command: string, output: string): object => ({ ...bash(command, output), callID: 'call_1' })
const WORDS = 'The blue pot at the wall is free.'

/** A home with a session whose reply is written step by step. */
function writtenReply() {
  const home = temporaryHome()
  const path = join(home, '.local/share/opencode/opencode.db')
  const { database, session, message, close } = opencodeDatabase(path)
  session({
    id: 'ses_1',
    at: START,
    messages: [{ id: 'msg_1', at: START + 1, parts: [text('Which pot is free?')] }],
  })
  let clock = START + 10
  const write = (parts: object[], output: number): void => {
    const tokens = { input: 10, output, reasoning: 0, cache: { read: 0, write: 0 } }
    database.exec("DELETE FROM message WHERE id = 'msg_2'; DELETE FROM part WHERE message_id = 'msg_2'")
    message('ses_1', { id: 'msg_2', at: START + 2, role: 'assistant', parts, data: { tokens } })
    database.prepare('UPDATE session SET time_updated = ?').run(++clock)
  }
  return { home, path, write, close, environment: { home, variables: {} } satisfies Environment }
}

/** How much was said and used in all sessions. */
function sumsOf(store: Store) {
  const sums = { output: 0, human: 0, agent: 0, tool: 0 }
  for (const { usage, messages } of store.figures({ zone: ODD_ZONE })) {
    for (const { output } of usage) sums.output += output
    for (const { who, count } of messages) if (who in sums) sums[who as keyof typeof sums] += count
  }
  return sums
}

const WHOLE = { output: 9, human: 1, agent: 1, tool: 1 }

describe.each(namedEngines)('on %s, a database that was copied while a reply grew', (_, engine) => {
  it.each([
    ['after', 'its beginning', [text(WORDS.slice(0, 12))]],
    ['after', 'its beginning and a call', [text(WORDS.slice(0, 12)), call('ls', '')]],
    ['before', 'its beginning', [text(WORDS.slice(0, 12))]],
    ['before', 'a call that has not ended', [text(WORDS), call('', '')]],
  ])('has one reply with all of its words, read %s the whole one, with %s', (order, __, parts) => {
    const { path, write, environment, close } = writtenReply()
    const copy = join(dirname(path), 'opencode-beta.db')
    const store = engine.open()
    const audit = engine.audit(store)
    write(parts, 3)
    const half = join(temporaryHome(), 'half.db')
    copyFileSync(path, half)
    if (order === 'before') {
      copyFileSync(half, copy)
      bringUpToDate(store, environment)
    }
    write([text(WORDS), call('ls pots', 'blue\n')], 9)
    bringUpToDate(store, environment)
    if (order === 'after') {
      copyFileSync(half, copy)
      bringUpToDate(store, environment)
    }
    expect(sumsOf(store)).toEqual(WHOLE)
    expect(audit.faults()).toEqual({})
    const hits = hitsFor(store, 'blue')
    expect(hits.map(({ text: words }) => words)).toEqual([WORDS])
    expect([hits[0]!.path, ...hits[0]!.copies.map((each) => each.path)].sort()).toEqual(
      [`${path}#ses_1`, `${copy}#ses_1`].sort(),
    )
    // Whatever is read first, and also if both are read again.
    const fresh = freshIndex(environment)
    expect(sumsOf(fresh)).toEqual(WHOLE)
    expect(hitsFor(fresh, 'blue').map(({ text: words }) => words)).toEqual([WORDS])
    for (const [index, each] of [copy, path].entries()) utimesSync(each, 2_000_000_000 + index, 2_000_000_000)
    bringUpToDate(store, environment)
    expect(sumsOf(store)).toEqual(WHOLE)
    for (const each of [fresh, store]) each.close()
    audit.close()
    close()
  })

  it('has the reply as it ends, if that is read step by step while the copy stays', () => {
    const { home, path, write, environment, close } = writtenReply()
    const store = engine.open()
    const audit = engine.audit(store)
    for (let end = 4; end <= WORDS.length; end++) {
      write([text(WORDS.slice(0, end))], end)
      if (end === 9) cpSync(path, join(home, '.local/share/opencode/opencode-beta.db'))
      bringUpToDate(store, environment)
      expect(sumsOf(store)).toEqual({ output: end, human: 1, agent: 1, tool: 0 })
      expect(audit.faults()).toEqual({})
      expect(hitsFor(store, 'the')).toHaveLength(1)
    }
    store.close()
    audit.close()
    close()
  })
})
