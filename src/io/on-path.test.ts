import { describe, expect, it } from 'vitest'
import { programPaths } from './on-path.ts'

describe('the paths of a program', () => {
  it('are its name in each folder of PATH, in order', () => {
    const variables = { PATH: '/usr/bin::/home/ann/bin', PATHEXT: '.EXE' }
    expect(programPaths('claude', variables, 'linux')).toEqual(['/usr/bin/claude', '/home/ann/bin/claude'])
  })

  it('have the extensions that Windows starts, whatever the case of the variables', () => {
    const variables = { Path: 'C:\\Windows;C:\\npm', PathExt: '.EXE;.CMD' }
    expect(programPaths('claude', variables, 'win32')).toEqual([
      'C:\\Windows\\claude.EXE',
      'C:\\Windows\\claude.CMD',
      'C:\\npm\\claude.EXE',
      'C:\\npm\\claude.CMD',
    ])
  })

  it('have the usual extensions if Windows does not say which', () => {
    expect(programPaths('claude', { PATH: 'C:\\npm' }, 'win32')).toEqual([
      'C:\\npm\\claude.COM',
      'C:\\npm\\claude.EXE',
      'C:\\npm\\claude.BAT',
      'C:\\npm\\claude.CMD',
    ])
  })

  it('are none without a PATH', () => {
    expect(programPaths('claude', {}, 'linux')).toEqual([])
  })
})
