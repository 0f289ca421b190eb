import { expect, it } from 'vitest'
import { toolTarget } from './fold/tool-arguments.ts'
import { filesWritten, shortTarget, targetOfFiles } from './written-files.ts'

it.each([
  [['a.ts']],
  [['a.ts', 'b c.ts', 'd,e.ts']],
  [['a, b.ts', 'c.ts', 'd, e, f.ts']],
  [['"a".ts', 'b "c", d.ts'.replace(', ', ',')]],
])('the files of a patch are found again in its target: %j', (files) => {
  expect(filesWritten({ name: 'apply_patch', target: targetOfFiles(files) })).toEqual(files)
})

it('a call of any other tool writes to one file', () => {
  expect(filesWritten({ name: 'write', target: 'a, b.ts' })).toEqual(['a, b.ts'])
})

it('the target of a patch names all of its files, and a line shows the first', () => {
  const names = Array.from({ length: 40 }, (_, at) => `/srv/garden/beds/bed-${at}.md`)
  const patch = names.map((name) => `*** Update File: ${name}\n@@\n-a\n+b\n`).join('')
  const { text = '', shown } = toolTarget('apply_patch', { input: patch }) ?? {}
  expect(shown).toBeGreaterThan(text.length)
  expect(filesWritten({ name: 'apply_patch', target: text })).toEqual(names)
  expect(shortTarget(text)).toHaveLength(300)
  expect(shortTarget(text)).toMatch(/^\/srv\/garden\/beds\/bed-0\.md, .*…$/)
  expect(shortTarget('/srv/garden/a.md')).toBe('/srv/garden/a.md')
})
