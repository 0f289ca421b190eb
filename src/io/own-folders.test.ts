import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { put, temporaryHome } from '../../test/records.ts'
import { makeFolders } from './own-files.ts'

it('folders are made with those above them, for their owner alone', () => {
  const home = temporaryHome()
  const path = join(home, 'a/b/c')
  makeFolders(path)
  makeFolders(path)
  expect([path, join(home, 'a')].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700])
})

it('the error of the system is thrown where a folder cannot be made', () => {
  const home = temporaryHome()
  put(join(home, 'file'), '')
  expect(() => makeFolders(join(home, 'file'))).toThrow('EEXIST')
  expect(() => makeFolders(join(home, 'file/a/b'))).toThrow('ENOTDIR')
  // The system makes no folders here. Node's own way would not end.
  if (existsSync('/proc/self')) expect(() => makeFolders('/proc/moss/fern')).toThrow('ENOENT')
})
