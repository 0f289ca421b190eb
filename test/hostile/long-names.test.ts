import { expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

const long = 'a'.repeat(5000)

it.each([
  ['read', long],
  ['read', `/${long}`],
  ['sessions', `/${long}`],
  ['resume', long],
  ['export', long, '--out', '-'],
  ['search', 'fern', '--project', long],
  ['stats', `./${long}.jsonl`],
  ['sessions', '--claude-dir', long],
  ['sessions', '--openclaw-dir', `/${long}`],
])('a name that is longer than any path causes a clear error: %s', (...args) => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'fern')])
  const { stdout, stderr, code } = run(args, home)
  expect(stderr).not.toMatch(/ENAMETOOLONG|fault of the program/)
  expect({ stdout, hasMessage: stderr.length > 0 }).toEqual({ stdout: '', hasMessage: true })
  // Not found, or no directory to search.
  expect([1, 2]).toContain(code)
})
