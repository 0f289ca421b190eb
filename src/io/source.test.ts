import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put, temporaryHome } from '../../test/records.ts'
import { openSource, readSmall } from './source.ts'

describe('opening a file', () => {
  it.each(['x.jsonl', 'x.jsonl.zst'])('does not block if a pipe has replaced %s', (name) => {
    const path = join(temporaryHome(), name)
    execFileSync('mkfifo', [path])
    expect(() => openSource(path)).toThrow('is not a plain file')
    expect(() => readSmall(path, 100)).toThrow('is not a plain file')
  })

  it('reads its bytes', () => {
    const home = temporaryHome()
    const path = put(join(home, 'x.jsonl'), '{}\n')
    const bytes = Buffer.alloc(10)
    const source = openSource(path)
    expect(source.read(bytes, 0, 10)).toBe(3)
    source.close()
  })
})
