import { expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, TOKEN, temporaryHome, uuid } from '../records.ts'

it('finds a session again whose path contains a secret, in a process that has not compared the files', () => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'water the moss')], `-home-ann-${TOKEN}`)
  const answers = () =>
    [
      ['search', 'moss'],
      ['sessions', '--all'],
      ['read', uuid(1)],
    ].map((args) => {
      const { stdout, ...answer } = run([...args, '--json'], home)
      // It depends on the time of the search.
      return { ...answer, stdout: stdout.replace(/"score":[ \d.]+/, '') }
    })
  const first = answers()
  for (const { code, stdout, stderr } of first) {
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('water the moss')
    expect(stdout).not.toContain(TOKEN)
  }
  for (let again = 0; again < 2; again++)
    expect(run(['index', '--json'], home).stdout).toContain('"unchanged": 1')
  expect(answers()).toEqual(first)
})
