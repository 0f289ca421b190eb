import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from './program.ts'
import { put, temporaryHome } from './records.ts'

const CHANGES = `# Changelog

## [1.2.0] - Unreleased

- Ferns.

## [1.1.0] - 2026-11-01

### Added

- Moss.

[1.1.0]: https://example.invalid/v1.1.0
`

function check(tag: string, version: string): { status: number | null; stdout: string; stderr: string } {
  const folder = temporaryHome()
  put(join(folder, 'package.json'), JSON.stringify({ version }))
  put(join(folder, 'CHANGELOG.md'), CHANGES)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(checkout, 'scripts/check-release.ts'), tag],
    { cwd: folder, encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

describe('a release', () => {
  it('has the notes of its section in the changelog', () => {
    expect(check('v1.1.0', '1.1.0')).toEqual({ status: 0, stdout: '### Added\n\n- Moss.\n', stderr: '' })
  })

  it('is rejected if the tag has another version', () => {
    const { status, stdout, stderr } = check('v1.2.0', '1.1.0')
    expect(stderr).toContain('the tag is "v1.2.0", and package.json has 1.1.0')
    expect([status, stdout]).toEqual([1, ''])
  })

  it('is rejected if the changelog has no date or no section for it', () => {
    expect(check('v1.2.0', '1.2.0').stderr).toContain('no date for 1.2.0: "## [1.2.0] - Unreleased"')
    expect(check('v1.3.0', '1.3.0').stderr).toContain('no section "## [1.3.0]"')
  })

  it('has a section in the changelog for the version in package.json', () => {
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8')).toContain(`## [${version}] - `)
  })
})
