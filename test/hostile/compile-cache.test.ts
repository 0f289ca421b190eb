import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'

const usesCaches = process.platform === 'linux'

/** A home, the directory for cached code, and a temporary directory that others write to. */
function machine() {
  const home = temporaryHome()
  const shared = temporaryHome()
  chmodSync(shared, 0o1777)
  const folder = join(home, '.cache/scrollback/compiled')
  const start = (env: NodeJS.ProcessEnv = {}) => {
    const { code } = run(['--demo'], home, { env: { TMPDIR: shared, NODE_COMPILE_CACHE: undefined, ...env } })
    expect(code).toBe(0)
    expect(readdirSync(shared)).toEqual([])
  }
  const cached = (path = folder): number =>
    existsSync(path)
      ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
      : 0
  return { home, shared, folder, start, cached }
}

describe.runIf(usesCaches)('compiled code', () => {
  it('is cached where only its user can write, and never in the temporary directory', () => {
    const { folder, start, cached } = machine()
    start()
    expect(cached()).toBeGreaterThan(0)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is not cached in a directory that others may write to', () => {
    for (const mode of [0o777, 0o770, 0o1777]) {
      const { folder, start, cached } = machine()
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, mode)
      start()
      expect(cached()).toBe(0)
    }
  })

  it('is not cached in a directory whose parent others may write to', () => {
    const { home, folder, start, cached } = machine()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(join(home, '.cache/scrollback'), 0o777)
    start()
    expect(cached()).toBe(0)
  })

  it('is not cached behind a symbolic link', () => {
    const { home, shared, folder, start } = machine()
    mkdirSync(join(home, '.cache/scrollback'), { recursive: true, mode: 0o700 })
    symlinkSync(shared, folder)
    start()
  })

  it('is not cached in a relative path', () => {
    const { home, start, cached } = machine()
    start({ XDG_CACHE_HOME: 'caches' })
    expect(existsSync(join(home, 'caches'))).toBe(false)
    expect(cached()).toBeGreaterThan(0)
  })

  it('is not cached if no directory can be created, and the program runs anyway', () => {
    const { home, start } = machine()
    start({ XDG_CACHE_HOME: join(home, 'no/such'), HOME: '/proc/none' })
  })

  it.runIf(process.getuid?.() === 0)('is not cached in a directory of another user', () => {
    const { folder, start, cached } = machine()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chownSync(folder, 65_534, 65_534)
    start()
    expect(cached()).toBe(0)
  })
})
