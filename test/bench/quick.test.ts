import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { checkout } from '../program.ts'

const MINUTES = 60_000

// The benchmarks read /proc and use the `find` of GNU.
it.skipIf(process.platform !== 'linux')(
  'every benchmark that needs neither browser nor network runs to its end',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'scrollback-bench-'))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['bench/run.ts', '--quick', '--size', '1', '--offline', '--package', installed().tarball],
      { cwd: checkout, encoding: 'utf8', env: { ...process.env, SCROLLBACK_BENCH: folder } },
    )
    rmSync(folder, { recursive: true })
    const failures = stderr.split('\n').filter((line) => /^(?:The part|Error)/.test(line))
    expect({ failures, status }, stderr).toEqual({ failures: [], status: 0 })
    const titles = [...stdout.matchAll(/^\| (.*?)(?:, ms)? \| (?:measured|how many) \|/gm)]
    expect(titles.map(([, title]) => title)).toEqual([
      'redaction',
      'first answers',
      'reading',
      'the store',
      'searching',
      'warm queries',
      'finding what was meant',
      'databases',
      'delivering',
      'answers',
      'tools for agents',
      'the devlog',
      'growth',
    ])
  },
  30 * MINUTES,
)
