import { expect, it } from 'vitest'
import { ANY_FILE, fileCalls, toolsNamed } from './tool-filter.ts'

it('a name chooses the tools of exactly that name, and others that contain it only where there is none', () => {
  expect(toolsNamed(['READ'], ['Read', 'read', 'read_files', 'Bash'])).toEqual(['Read', 'read'])
  expect(toolsNamed(['file', 'bash'], ['read_files', 'Bash', 'BashOutput'])).toEqual(['read_files', 'Bash'])
})

it('a star is any file', () => {
  expect(fileCalls({ edited: ['src', '*'], read: [] })).toMatchObject([{ files: [ANY_FILE] }])
  expect(fileCalls({ edited: [], read: ['src'] })).toMatchObject([{ files: ['src'] }])
})
