import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { putClaude, temporaryHome, userLines, uuid } from '../records.ts'

const storeOf = (home: string): string => join(home, '.local/share/scrollback/store.sqlite')

describe('a path where no store can be created', () => {
  it.each([
    ['a/store.sqlite is a folder', 'a', 'a/store.sqlite', 'this is a folder'],
    ['its folder is a file', 'file', 'file/store.sqlite', 'a part of this path is a file'],
    ['a folder above it is a file', 'file/below', 'file/below/store.sqlite', 'a part of this path is a file'],
    ['its lock is a folder', 'b', 'b/store.sqlite.lock', 'this is a folder'],
  ])('is reported, with a way out: %s', (_, folder, path, reason) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 1))
    mkdirSync(join(home, 'a/store.sqlite'), { recursive: true })
    mkdirSync(join(home, 'b/store.sqlite.lock'), { recursive: true })
    writeFileSync(join(home, 'file'), '')
    const { stdout, stderr, code } = run(['sessions', '--all'], home, {
      env: { SCROLLBACK_HOME: join(home, folder) },
    })
    expect({ stdout, stderr: stderr.replaceAll(home, '~'), code }).toEqual({
      stdout: '',
      stderr: `scrollback: The store ~/${path} cannot be created: ${reason}.\nSet SCROLLBACK_HOME to a folder that you may write to.\n`,
      code: 1,
    })
  })

  it.skipIf(!existsSync('/proc/self'))('is reported if the system gives contradictory answers', () => {
    const { stderr, code } = run(['sessions', '--all'], temporaryHome(), {
      env: { SCROLLBACK_HOME: '/proc/nowhere' },
      timeout: 120_000,
    })
    expect(stderr).toContain(
      'The store /proc/nowhere/store.sqlite cannot be created: its folder cannot be created.\n',
    )
    expect(code).toBe(1)
  })
})

describe('a damaged store', () => {
  const SET_ASIDE = 'The store was damaged, or written by an early version. It was moved to '
  const noise = (length: number): Buffer => Buffer.alloc(length, 'this is no page of any database ')

  it.each([
    ['its first page is overwritten', (path: string) => overwrite(path, 0)],
    ['it is cut off', (path: string) => truncateSync(path, 10_000)],
    ['it is cut off within its first page', (path: string) => truncateSync(path, 50)],
  ])('is set aside and created again: %s', (_, damage) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 2))
    run(['index'], home)
    damage(storeOf(home))
    const { stdout, stderr, code } = run(['search', 'fern'], home)
    expect(stdout).toContain('2 matches in 1 session')
    expect(stderr).toContain(SET_ASIDE)
    expect(code).toBe(0)
    expect(run(['search', 'fern'], home)).toMatchObject({ stdout, stderr: '', code: 0 })
  })

  it('is set aside at the latest when a query reads the damage, wherever it is', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 2))
    run(['index'], home)
    const whole = readFileSync(storeOf(home))
    let met = 0
    for (let page = 1; page * PAGE < whole.length; page += 3) {
      writeFileSync(storeOf(home), whole)
      overwrite(storeOf(home), page)
      const first = run(['search', 'fern'], home)
      expect(first.stderr, `page ${page}`).not.toContain('fault of the program')
      if (first.stderr === '') continue
      met++
      expect(first.stderr, `page ${page}`).toMatch(/The store was damaged.*It was moved to /)
      if (first.code === 1)
        expect(first.stderr).toContain('Run the command again: it rebuilds the store from the transcripts.')
      else expect(first.code).toBe(0)
      const second = run(['search', 'fern'], home)
      expect({ stderr: second.stderr, code: second.code }).toEqual({ stderr: '', code: 0 })
      expect(second.stdout).toContain('2 matches in 1 session')
    }
    expect(met).toBeGreaterThan(1)
  })

  it('is not assumed if only its journal or its lock file is invalid', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 2))
    run(['index'], home)
    for (const name of [`${storeOf(home)}-wal`, `${storeOf(home)}.lock`]) {
      writeFileSync(name, noise(100_000))
      putClaude(home, uuid(2), userLines(11, 1))
      const { stdout, stderr, code } = run(['search', 'fern'], home)
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
      expect(stdout).toContain('3 matches in 2 sessions')
    }
  })

  const PAGE = 8192
  function overwrite(path: string, page: number): void {
    const content = readFileSync(path)
    noise(PAGE).copy(content, page * PAGE)
    writeFileSync(path, content)
  }
})
