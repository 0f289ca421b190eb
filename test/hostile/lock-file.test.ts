import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from '../program.ts'
import { temporaryHome } from '../records.ts'

type Lock = { packages: Record<string, { integrity?: string; resolved?: string }> }

const lock = (): Lock => JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as Lock

function check(given: Lock): { status: number | null; stderr: string } {
  const folder = temporaryHome()
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(given))
  const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'scripts/check-lock.ts')], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stderr }
}

describe('the lock file', () => {
  it('identifies every package by the hash of its content, and names no registry', () => {
    expect(check(lock())).toEqual({ status: 0, stderr: '' })
  })

  it('is rejected if a package has no hash', () => {
    const open = lock()
    delete open.packages['node_modules/@biomejs/cli-darwin-arm64']!.integrity
    const { status, stderr } = check(open)
    expect(stderr).toContain('node_modules/@biomejs/cli-darwin-arm64: no integrity')
    expect(status).toBe(1)
  })

  it('is rejected if it contains an address', () => {
    const bound = lock()
    bound.packages['node_modules/vitest']!.resolved = 'https://packages.example/vitest.tgz'
    const { status, stderr } = check(bound)
    expect(stderr).toContain('node_modules/vitest: an address')
    expect(status).toBe(1)
  })
})
