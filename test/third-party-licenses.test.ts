import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from './program.ts'
import { put, temporaryHome } from './records.ts'

const script = join(checkout, 'scripts/third-party-licenses.ts')

function listIn(folder: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--print'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** A program that is bundled from one file and uses two packages. */
function programThat(imports: string, license = 'MIT'): string {
  const folder = temporaryHome()
  for (const entry of [
    'commands/worker',
    'surfaces/http/page/worker',
    'surfaces/library/worker',
    'store/clickhouse/connection/worker',
    'index',
    'render/gate',
    'surfaces/cli/statusline',
    'surfaces/cli/early-page',
    'parse',
    'redact/all-rules',
  ])
    put(join(folder, `src/${entry}.ts`), 'export {}')
  put(join(folder, 'src/surfaces/cli/main.ts'), `${imports}\nconsole.log(leaf)`)
  for (const name of ['fern', 'moss']) {
    put(
      join(folder, `node_modules/${name}/package.json`),
      JSON.stringify({ name, version: '1.2.3', license, sideEffects: false, main: 'main.js' }),
    )
    put(join(folder, `node_modules/${name}/main.js`), `export const leaf = '${name}'`)
    put(join(folder, `node_modules/${name}/LICENSE`), 'Do as you like.\n')
  }
  return folder
}

describe('the licences of what is bundled', () => {
  it('are listed for the current bundle (npm run licenses updates the list)', () => {
    const { status, stdout, stderr } = listIn(checkout)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(readFileSync(join(checkout, 'THIRD-PARTY-LICENSES.md'), 'utf8')).toBe(stdout)
  })

  it('are those of packages whose code is bundled, each text once', () => {
    const used = listIn(programThat("import { leaf } from 'fern'\nimport { leaf as other } from 'moss'"))
    expect(used.stdout).toContain('| fern | 1.2.3 | MIT |\n')
    expect(used.stdout).not.toContain('moss')
    const both = listIn(programThat("import { leaf } from 'fern'\nexport { leaf as other } from 'moss'"))
    expect(both.stdout).toContain('## fern, moss\n')
    expect(both.stdout.match(/Do as you like/g)).toHaveLength(1)
  })

  it('are rejected if one is not known to be allowed', () => {
    const { status, stdout, stderr } = listIn(programThat("import { leaf } from 'fern'", 'GPL-3.0-only'))
    expect(stderr).toContain('fern: GPL-3.0-only')
    expect([status, stdout]).toEqual([1, ''])
  })
})
