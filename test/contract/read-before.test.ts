import { renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withReadBefore } from '../../src/context/fresh-store.ts'
import type { Store } from '../../src/store/store.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

/** A store of three sessions, and what changes one of them. */
function threeSessions(engine: { open(): Store }) {
  const home = temporaryHome()
  const environment = claudeAt(join(home, '.claude'))
  const paths = [1, 2, 3].map((number) =>
    putClaude(home, uuid(number), [claude.user(number, `Plant ${number}`, { sessionId: uuid(number) })]),
  ) as [string, string, string]
  // A file that has just been written is read again.
  for (const path of paths) utimesSync(path, 1, 1)
  const store = indexOn(engine, environment)
  return { store, paths, update: () => bringUpToDate(store, environment) }
}

describe.each(namedEngines)('on %s, a store of which some was read before', (_, engine) => {
  it('returns the same as without, whatever has changed', () => {
    const { store, paths, update } = threeSessions(engine)
    const before = withReadBefore(store).store
    const isSame = () => {
      expect(before.sessions()).toEqual(store.sessions())
      expect(before.known()).toEqual(store.known())
    }
    isSame()
    append(paths[0], claude.user(9, 'Water them', { sessionId: uuid(1) }))
    update()
    isSame()
    const [first] = before.sessions().filter(({ session }) => session.human === 2)
    expect(first?.session.lastHuman.at(-1)).toBe('Water them')
    renameSync(paths[1], `${paths[1]}.away`)
    renameSync(paths[2], paths[1])
    renameSync(`${paths[1]}.away`, paths[2])
    update()
    isSame()
    rmSync(paths[0])
    update()
    isSame()
    store.assignProjects([{ project: { name: 'roof', path: '/roof' }, artifacts: [1, 2, 3] }])
    isSame()
    store.forget([...store.known().values()].map(({ id }) => id))
    isSame()
    expect(before.sessions()).toEqual([])
    store.close()
  })
})

describe.each(namedEngines)('on %s, what was read before', (_, engine) => {
  it('is not read again, but for files that have changed', () => {
    const { store, paths, update } = threeSessions(engine)
    const { store: before, forget } = withReadBefore(store)
    const read = () => {
      const sessions = new Map(before.sessions().map(({ session }) => [session.path, session]))
      return paths.map((path) => ({ session: sessions.get(path), known: before.known().get(path) }))
    }
    const first = read()
    append(paths[0], claude.user(9, 'Water them', { sessionId: uuid(1) }))
    update()
    const second = read()
    const isSame = second.map(({ session, known }, index) => [
      session === first[index]!.session,
      known === first[index]!.known,
    ])
    expect(isSame).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ])
    forget()
    expect(read().map(({ session }, index) => session === second[index]!.session)).toEqual([
      false,
      false,
      false,
    ])
    store.close()
  })
})
