import { appendFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import type { ParsedRows } from '../../src/store/stored.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

/** A store of three sessions, and what changes one of them. */
function threeSessions(engine: { open(): Store }) {
  const home = temporaryHome()
  const environment = claudeAt(join(home, '.claude'))
  const paths = [1, 2, 3].map((number) =>
    putClaude(home, uuid(number), [claude.user(number, `Plant ${number}`, { sessionId: uuid(number) })]),
  ) as [string, string, string]
  const store = indexOn(engine, environment)
  return { store, paths, update: () => bringUpToDate(store, environment) }
}

describe.each(namedEngines)('on %s, sessions of which some were read before', (_, engine) => {
  it('are the same as those that are read now, whatever has changed', () => {
    const { store, paths, update } = threeSessions(engine)
    const parsed: ParsedRows = new Map()
    const isSame = () => expect(store.sessions(undefined, undefined, parsed)).toEqual(store.sessions())
    isSame()
    appendFileSync(paths[0], `${JSON.stringify(claude.user(9, 'Water them', { sessionId: uuid(1) }))}\n`)
    update()
    isSame()
    const [first] = store.sessions(undefined, undefined, parsed).filter(({ session }) => session.human === 2)
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
    expect(store.sessions(undefined, undefined, parsed)).toEqual([])
    store.close()
  })
})

describe('on SQLite, sessions that were read before', () => {
  it('are not read again unless their file has changed', () => {
    const { store, paths, update } = threeSessions(namedEngines[0]![1])
    const parsed: ParsedRows = new Map()
    const byPath = () =>
      new Map(
        store.sessions(undefined, undefined, parsed).map(({ session }) => [session.path, session] as const),
      )
    const before = byPath()
    appendFileSync(paths[0], `${JSON.stringify(claude.user(9, 'Water them', { sessionId: uuid(1) }))}\n`)
    update()
    const after = byPath()
    expect(paths.map((path) => after.get(path) === before.get(path))).toEqual([false, true, true])
    store.close()
  })
})
