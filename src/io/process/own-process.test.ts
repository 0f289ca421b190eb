import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'

/** Where a thread caches compiled code in a process that caches it in `folder`. */
function cacheOfThread(folder: string, claim: boolean): string {
  const thread = `
    import { getCompileCacheDir } from 'node:module'
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage(getCompileCacheDir() ?? 'none')`
  const program = `
    import { enableCompileCache } from 'node:module'
    import { claimProcess, createThread } from ${JSON.stringify(join(import.meta.dirname, 'own-process.ts'))}
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
