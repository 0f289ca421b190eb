import { appendFileSync, cpSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { Inbox, SpaceAddress } from '../../src/store/team.ts'
import { differences } from '../clickhouse/audit.ts'
import { createTree } from '../clickhouse/kills/tree.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, hitsFor } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'
import { machineStore, send } from './space.ts'

const OAK = { device: 'oak' }

const environmentOf = (home: string) => ({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
})

/** A machine with a store and a home, and a space. */
function machine() {
  const home = temporaryHome()
  const store = machineStore()
  const space = emptyServer()
  const read = (): void => void bringUpToDate(store, environmentOf(home))
  return { home, store, space, read }
}

function wordsFound(space: SpaceAddress, words: string): number {
  const reading = openClickHouseStore({ ...space, device: 'nobody' })
  const { length } = hitsFor(reading, words)
  reading.close()
  return length
}

/** An inbox that breaks at some request, before or after the server has executed it. */
const breakingAt =
  (request: number, executes: boolean) =>
  (inbox: Inbox): Inbox => {
    let count = 0
    const attempt = <Result>(work: () => Result): Result => {
      if (++count < request) return work()
      if (executes && count === request) work()
      throw new Error('cut')
    }
    return {
      ...inbox,
      announce: (files) => attempt(() => inbox.announce(files)),
      send: (parts, version) => attempt(() => inbox.send(parts, version)),
      finish: (files, version) => attempt(() => inbox.finish(files, version)),
      delivered: (counts) => attempt(() => inbox.delivered(counts)),
    }
  }

describe.runIf(hasServer)('what a machine sends to a space', () => {
  it('does not change when a document is touched, copied over or restored', () => {
    const { home, store, space, read } = machine()
    put(join(home, '.openclaw/openclaw.json'), '{}')
    const path = put(
      join(home, '.openclaw/workspace/MEMORY.md'),
      '# Memory\n\n- The heron nests in the reed bed.\n',
    )
    read()
    send(store, space, OAK)
    expect(wordsFound(space, 'heron')).toBe(1)
    const later = new Date(Date.now() + 60_000)
    for (const change of [
      () => utimesSync(path, later, later),
      () => {
        cpSync(path, `${path}.new`)
        renameSync(`${path}.new`, path)
      },
    ]) {
      change()
      read()
      expect(send(store, space, OAK).messages).toBe(0)
      expect(wordsFound(space, 'heron')).toBe(1)
      expect(differences(store, space, 'oak')).toEqual({})
    }
    store.close()
  })

  it('is one message after a copy of the whole home and one more line', () => {
    const { home, store, space, read } = machine()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the fern'), claude.user(2, 'And the moss')])
    read()
    expect(send(store, space, OAK)).toMatchObject({ messages: 2, files: 1 })
    const folder = join(home, '.claude')
    cpSync(folder, `${folder}.copy`, { recursive: true })
    renameSync(folder, `${folder}.before`)
    renameSync(`${folder}.copy`, folder)
    appendFileSync(path, `${JSON.stringify(claude.user(3, 'And ten words more'))}\n`)
    read()
    expect(send(store, space, OAK)).toMatchObject({ messages: 1, files: 1 })
    expect(send(store, space, OAK)).toMatchObject({ messages: 0, files: 0 })
    expect(differences(store, space, 'oak')).toEqual({})
    store.close()
  })

  it('is complete after every way in which files change, and only what has changed is sent', () => {
    const { home, store, space, read } = machine()
    const tree = createTree(home, 7)
    for (let step = 0; step < 12; step++) {
      tree.change()
      tree.grow()
      read()
      send(store, space, { ...OAK, now: step % 3 === 0 ? Date.now() : 0 })
      expect(differences(store, space, 'oak')).toEqual({})
    }
    store.close()
  })

  it.each([true, false])(
    'is complete after connections were cut at any request, executed: %s',
    (executes) => {
      const { home, store, space, read } = machine()
      const tree = createTree(home, 11)
      for (let request = 1; request <= 4; request++) {
        tree.change()
        tree.grow()
        read()
        expect(() => send(store, space, { ...OAK, through: breakingAt(request, executes) })).toThrow('cut')
        tree.change()
        read()
        send(store, space, OAK)
        expect(differences(store, space, 'oak')).toEqual({})
      }
      store.close()
    },
  )

  it('changes nothing when it arrives again, late and out of order', () => {
    const { home, store, space, read } = machine()
    const tree = createTree(home, 13)
    const kept: { send: Parameters<Inbox['send']>; finish: Parameters<Inbox['finish']> }[] = []
    const keeping = (inbox: Inbox): Inbox => {
      const entry = { send: [[], 0], finish: [[], 0] } as unknown as (typeof kept)[number]
      kept.push(entry)
      return {
        ...inbox,
        send(...given) {
          entry.send = given
          return inbox.send(...given)
        },
        finish(...given) {
          entry.finish = given
          return inbox.finish(...given)
        },
      }
    }
    for (let step = 0; step < 5; step++) {
      tree.change()
      tree.grow()
      read()
      send(store, space, { ...OAK, through: keeping })
    }
    send(store, space, {
      ...OAK,
      through(inbox) {
        for (const each of kept.toReversed()) {
          inbox.finish(...each.finish)
          inbox.send(...each.send)
        }
        return inbox
      },
    })
    expect(differences(store, space, 'oak')).toEqual({})
    store.close()
  })

  it('counts once what two machines have, and what a machine sends from a new store', () => {
    const { home, store, space, read } = machine()
    putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
    read()
    send(store, space, OAK)
    const again: Store = machineStore()
    bringUpToDate(again, environmentOf(home))
    send(again, space, OAK)
    send(again, space, { device: 'elm', person: 'bob' })
    const reading = openClickHouseStore({ ...space, device: 'nobody' })
    expect(
      reading
        .sessions()
        .map(({ session }) => session.device)
        .sort(),
    ).toEqual(['elm', 'oak'])
    const [hit, ...others] = hitsFor(reading, 'fern')
    expect([others.length, hit!.copies.length]).toEqual([0, 1])
    const human = [...reading.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
      .flatMap(({ messages }) => messages)
      .reduce((sum, { count }) => sum + count, 0)
    expect(human).toBe(1)
    for (const each of [store, again, reading]) each.close()
  })

  it('leaves the space with a project that is no longer chosen, and no text of it', () => {
    const { home, store, space, read } = machine()
    putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
    read()
    send(store, space, OAK)
    expect(send(store, space, { ...OAK, isWanted: () => false })).toMatchObject({ removed: 1 })
    const connection = connect(space)
    connection.run('OPTIMIZE TABLE item FINAL')
    expect(JSON.stringify(connection.select('SELECT * FROM item'))).not.toContain('fern')
    connection.close()
    send(store, space, OAK)
    expect(wordsFound(space, 'fern')).toBe(1)
    store.close()
  })
})
