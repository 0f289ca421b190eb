import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { opened } from '../../src/io/source.ts'
import { IN_MEMORY, openSqliteStore } from '../../src/store/sqlite/open.ts'
import { run } from '../program.ts'
import { putClaude, temporaryHome, userLines, uuid } from '../records.ts'
import { bringUpToDate, claudeAt } from '../store-audit.ts'

describe('a path that is not a regular file, or vanishes', () => {
  afterEach(() => {
    opened.listener = undefined
  })

  it('never blocks: a pipe that is named like a transcript', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 1))
    const pipe = path.replace(uuid(1), uuid(2))
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    for (const args of [
      ['sessions', '--all'],
      ['search', 'fern'],
      ['read', '--all'],
      ['doctor', '--deep'],
      ['read', pipe],
    ]) {
      const { stderr, code } = run(args, home, { timeout: 120_000 })
      expect({ args, code }).toEqual({ args, code: args[1] === pipe ? 1 : 0 })
      expect(stderr).not.toContain('fault of the program')
    }
  })

  it.each([
    ['a transcript', (path: string) => rmSync(path)],
    ['its folder', (path: string) => rmSync(join(path, '..'), { recursive: true })],
  ])('is reported, and the rest is read: %s that is deleted between listing and reading', (_, vanish) => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 1))
    putClaude(home, uuid(2), userLines(2, 1), '-home-ann-moss')
    const { store } = openSqliteStore(IN_MEMORY, 0)
    opened.listener = (each) => {
      if (each === path && existsSync(path)) vanish(path)
    }
    const environment = claudeAt(join(home, '.claude'))
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 1, faults: [{ path, fault: 'ENOENT' }] })
    opened.listener = undefined
    expect(bringUpToDate(store, environment)).toMatchObject({ gone: 0, faults: [] })
    expect(store.statistics()).toMatchObject({ artifacts: 1, messages: 1 })
  })

  it('is marked as gone the next time if it was stored before', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 1))
    const environment = claudeAt(join(home, '.claude'))
    const { store } = openSqliteStore(IN_MEMORY, 0)
    bringUpToDate(store, environment)
    putClaude(home, uuid(1), userLines(1, 2))
    opened.listener = () => rmSync(path, { force: true })
    expect(bringUpToDate(store, environment)).toMatchObject({ gone: 0, faults: [{ path, fault: 'ENOENT' }] })
    opened.listener = undefined
    expect(bringUpToDate(store, environment)).toMatchObject({ gone: 1, faults: [] })
    expect(store.statistics().messages).toBe(1)
  })
})
