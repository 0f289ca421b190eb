import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, put, temporaryHome, uuid } from '../records.ts'

it('finds a session again whose path contains a secret, in a process that has not compared the files', () => {
  const home = temporaryHome()
  const secret = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_')
  put(
    join(home, '.claude/projects', `-home-ann-${secret}`, `${uuid(1)}.jsonl`),
    `${JSON.stringify(claude.user(1, 'water the moss'))}\n`,
  )
  const read = () => run(['read', uuid(1), '--json'], home)
  const first = read()
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('water the moss')
  expect(first.stdout).not.toContain(secret)
  for (const args of [['index'], ['index'], ['search', 'moss']]) {
    const { code, stdout, stderr } = run(args, home)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain(secret)
  }
  expect(read()).toEqual(first)
  expect(run(['index', '--json'], home).stdout).toContain('"unchanged": 1')
})
