import { appendFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pushChanges, wantedFiles } from '../../src/deliver/push.ts'
import { finish } from '../../src/model/iteration.ts'
import type { Changes } from '../../src/store/changes.ts'
import type { Store } from '../../src/store/store.ts'
import type { Inbox, SentFile } from '../../src/store/team.ts'
import { machineStore } from '../contract/space.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'

/** A space that only has texts, by file and position, and what was announced. */
function fakeSpace() {
  const texts = new Map<string, string>()
  const announced: number[] = []
  const versions: number[] = []
  let refuses: (file: SentFile) => boolean = () => false
  const inbox: Inbox = {
    announce(files) {
      for (const { number } of files) announced.push(number)
      return files.filter(refuses)
    },
    send(parts, version) {
      versions.push(version)
      for (const { file, items } of parts)
        for (const { generation, line, order, item } of items) {
          const key = `${file.number} ${generation} ${line} ${order}`
          if (item) texts.set(key, item.text ?? '')
          else texts.delete(key)
        }
      return []
    },
    finish: (files) => files.filter(refuses),
    delivered: () => undefined,
    bytes: () => 0,
    close: () => undefined,
  }
  return {
    inbox,
    announced,
    versions,
    texts: (): string[] => [...texts.values()].sort(),
    refuse(test: typeof refuses) {
      refuses = test
    },
  }
}

/** A file that was written just before it is read is read again. */
function aged(path: string): string {
  const at = new Date(Date.UTC(2026, 0, 1))
  utimesSync(path, at, at)
  return path
}

function machine() {
  const home = temporaryHome()
  const store = machineStore() as Store & { changes: Changes }
  const push = (inbox: Inbox, now = 0, isWanted = true) => {
    bringUpToDate(store, {
      home: '/nowhere',
      variables: {},
      dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
    })
    const wanted = isWanted ? wantedFiles(store, { isWanted: () => true }) : new Set<number>()
    return finish(pushChanges(store, inbox, { address: 'a', wanted, person: 'ann', program: '1.0.0', now }))
  }
  return { home, store, push }
}

it('what has changed is sent once, and what is gone is removed', () => {
  const { home, store, push } = machine()
  const space = fakeSpace()
  const path = aged(putClaude(home, uuid(1), [claude.user(1, 'Water the fern')]))
  expect(push(space.inbox)).toMatchObject({ files: 1, messages: 1 })
  expect(push(space.inbox)).toMatchObject({ files: 0, messages: 0 })
  appendFileSync(path, `${JSON.stringify(claude.user(2, 'And the moss'))}\n`)
  expect(push(space.inbox)).toMatchObject({ files: 1, messages: 1 })
  put(path, [claude.user(1, 'Water the fern'), claude.user(3, 'Not the moss')])
  push(space.inbox)
  expect(space.texts()).toContain('Not the moss')
  store.erase([...store.known().values()].map(({ id }) => id))
  rmSync(path)
  expect(push(space.inbox)).toMatchObject({ removed: 1 })
  expect(space.texts()).toEqual([])
  expect(space.announced).toHaveLength(1)
  store.close()
})

it('numbers grow with each delivery, also if the clock is set back', () => {
  const { home, store, push } = machine()
  const space = fakeSpace()
  for (const [index, now] of [5000, 1_900_000_000_000, 1000, 2000].entries()) {
    putClaude(home, uuid(index), [claude.user(index + 1, `Water ${index}`, { sessionId: uuid(index) })])
    push(space.inbox, now)
  }
  expect(space.versions).toEqual([5000, 1_900_000_000_000, 1_900_000_000_001, 1_900_000_000_002])
  store.close()
})

it('a document that was touched is not sent again, and keeps its text', () => {
  const { home, store, push } = machine()
  const space = fakeSpace()
  put(join(home, '.openclaw/openclaw.json'), '{}')
  const path = put(join(home, '.openclaw/workspace/MEMORY.md'), '# Memory\n\n- The heron nests.\n')
  push(space.inbox)
  const before = space.texts()
  expect(before.join()).toContain('heron')
  utimesSync(path, new Date(), new Date(Date.now() + 60_000))
  expect(push(space.inbox).messages).toBe(0)
  expect(space.texts()).toEqual(before)
  store.close()
})

it('what a space refuses is not offered again until it changes', () => {
  const { home, store, push } = machine()
  const space = fakeSpace()
  const path = aged(putClaude(home, uuid(1), [claude.user(1, 'Water the fern')]))
  space.refuse(() => true)
  expect(push(space.inbox)).toMatchObject({ refused: 1, files: 0 })
  expect(space.texts()).toEqual([])
  space.refuse(() => false)
  expect(push(space.inbox)).toMatchObject({ refused: 1, files: 0 })
  appendFileSync(path, `${JSON.stringify(claude.user(2, 'And the moss'))}\n`)
  expect(push(space.inbox)).toMatchObject({ refused: 0, files: 1 })
  // As a whole, because the space had nothing of it.
  expect(space.texts()).toEqual(['And the moss', 'Water the fern'])
  store.close()
})

it('what is no longer wanted is removed, and sent whole when it is wanted again', () => {
  const { home, store, push } = machine()
  const space = fakeSpace()
  putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
  push(space.inbox)
  expect(push(space.inbox, 0, false)).toMatchObject({ removed: 1 })
  expect(space.texts()).toEqual([])
  expect(push(space.inbox)).toMatchObject({ files: 1 })
  expect(space.texts()).toEqual(['Water the fern'])
  store.close()
})
