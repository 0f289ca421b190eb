import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkout } from '../program.ts'
import { put, temporaryHome } from '../records.ts'

/** A user without rights of its own. The administrator may read everything. */
const NOBODY = 65_534
const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const { status } = spawnSync(process.execPath, ['--version'], { cwd: checkout, ...as })

it.skipIf(status !== 0)(
  'what may not be read is named, whichever file or folder it is, and everything else is answered',
  () => {
    const home = temporaryHome()
    cpSync(join(checkout, 'demo'), home, { recursive: true })
    put(join(home, '.claude/history.jsonl'), [
      { display: 'Prune the fern', timestamp: 1, project: '/garden' },
    ])
    put(join(home, '.claude/plans/fern.md'), 'Prune it.')
    put(join(home, '.openclaw/workspace/memory/2026-11-01.md'), 'The fern was pruned.')
    for (const name of ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })])
      if (as.uid !== undefined) chownSync(join(home, name), NOBODY, NOBODY)
    chmodSync(home, 0o755)
    const script = join(import.meta.dirname, 'unreadable-run.ts')
    const { stdout, stderr } = spawnSync(process.execPath, [script, home], {
      ...{ encoding: 'utf8', cwd: home, env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH }, ...as },
    })
    expect(stderr.replaceAll(/^.*(?:Warning|warnings).*$/gm, '').trim()).toBe('')
    const { tried, wrong } = JSON.parse(stdout) as { tried: number; wrong: string[] }
    expect(tried).toBeGreaterThan(50)
    expect(wrong).toEqual([])
  },
)
