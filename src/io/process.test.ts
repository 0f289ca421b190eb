import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from '../../test/records.ts'
import { programPaths } from './process.ts'

/** Where a thread caches compiled code in a process that caches it in `folder`. */
function cacheOfThread(folder: string, claim: boolean): string {
  const thread = `
    import { getCompileCacheDir } from 'node:module'
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage(getCompileCacheDir() ?? 'none')`
  const program = `
    import { enableCompileCache } from 'node:module'
    import { claimProcess, createThread } from ${JSON.stringify(join(import.meta.dirname, 'process.ts'))}
    enableCompileCache(${JSON.stringify(folder)})
    if (${claim}) claimProcess(process.env)
    const thread = createThread(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`)}), {})
    thread.once('message', console.log)`
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const args = ['--no-warnings', '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim()
}

it('a thread uses the cache of compiled code of the process, if that is ours', () => {
  const folder = temporaryHome()
  expect(cacheOfThread(folder, true)).toContain(`${folder}/v`)
  expect(cacheOfThread(folder, true).slice(folder.length)).toMatch(/^\/[^/]+$/)
  expect(cacheOfThread(folder, false)).toBe('none')
})

describe('the paths of a program', () => {
  it('are its name in each folder of PATH, in order', () => {
    const variables = { PATH: '/usr/bin::/home/ann/bin', PATHEXT: '.EXE' }
    expect(programPaths('claude', variables, 'linux')).toEqual(['/usr/bin/claude', '/home/ann/bin/claude'])
  })

  it('have the extensions that Windows starts, whatever the case of the variables', () => {
    const variables = { Path: 'C:\\Windows;C:\\npm', PathExt: '.EXE;.CMD' }
    expect(programPaths('claude', variables, 'win32')).toEqual([
      'C:\\Windows\\claude.EXE',
      'C:\\Windows\\claude.CMD',
      'C:\\npm\\claude.EXE',
      'C:\\npm\\claude.CMD',
    ])
  })

  it('have the usual extensions if Windows does not say which', () => {
    expect(programPaths('claude', { PATH: 'C:\\npm' }, 'win32')).toEqual([
      'C:\\npm\\claude.COM',
      'C:\\npm\\claude.EXE',
      'C:\\npm\\claude.BAT',
      'C:\\npm\\claude.CMD',
    ])
  })

  it('are none without a PATH', () => {
    expect(programPaths('claude', {}, 'linux')).toEqual([])
  })
})
