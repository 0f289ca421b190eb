import { expect, it } from 'vitest'
import { printed, run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

function threeSessions(): string {
  const home = temporaryHome()
  for (const number of [1, 2, 3]) putClaude(home, uuid(number), [claude.user(number * 10, `fern ${number}`)])
  return home
}

const ferns = (home: string, ...args: string[]): string[] => {
  return [...new Set(printed(home, ...args).match(/fern \d/g))].sort()
}

it('read --limit prints the newest sessions, and all of them with 0', () => {
  const home = threeSessions()
  const read = (...args: string[]) => ferns(home, 'read', '--all', ...args)
  expect(read()).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(read('--limit', '1')).toEqual(['fern 3'])
  expect(read('--limit', '2')).toEqual(['fern 2', 'fern 3'])
  expect(read('--limit', '0')).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(read('--limit', '9')).toEqual(['fern 1', 'fern 2', 'fern 3'])
})

it('search --until finds messages up to that time, or of that whole day', () => {
  const home = threeSessions()
  const search = (until: string) => ferns(home, 'search', 'fern', '--until', until)
  expect(search('2026-11-01T10:20')).toEqual(['fern 1', 'fern 2'])
  expect(search('2026-11-01T10:19')).toEqual(['fern 1'])
  expect(search('2026-11-01')).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(search('2026-11')).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(run(['search', 'fern', '--until', '2026-10-31'], home).stdout).not.toContain('fern 1')
})
