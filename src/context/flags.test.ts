import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { shellWord } from '../model/shell-word.ts'
import { suggesting } from './flags.ts'

const shell = 'bash'
const hasShell = spawnSync(shell, ['-c', '']).status === 0

describe('a word of a printed command', () => {
  it('is not quoted if a shell would read it unchanged', () => {
    for (const word of ['640ab4c7:5', '/home/ann/garden', '--since=7d', 'a@b'])
      expect(shellWord(word)).toBe(word)
  })

  it('is quoted if it contains anything else, such as the backslashes of Windows', () => {
    expect(shellWord('')).toBe("''")
    expect(shellWord("it's")).toBe("'it'\\''s'")
    expect(shellWord('C:\\Users\\ann\\my garden')).toBe("'C:\\Users\\ann\\my garden'")
  })

  it.runIf(hasShell)('is the same after a shell has read it (skipped without bash)', () => {
    const word = fc
      .string({ unit: anyCharacter })
      .filter((text) => !text.includes('\0') && text.isWellFormed())
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 90 }), (words) => {
        const { stdout } = spawnSync(shell, ['-c', suggesting("printf '%s\\0'", () => [])('', words)], {
          encoding: 'utf8',
        })
        // Not so the name of a folder of Claude Code: `-home-ann`.
        const isOption = (word: string): boolean => /^-(?![^-\s]{2})/.test(word)
        const options = words.filter(isOption)
        const last = options.length === 0 ? [] : ['--', ...options]
        expect(stdout.split('\0').slice(0, -1)).toEqual([
          '',
          ...words.filter((word) => !isOption(word)),
          ...last,
        ])
      }),
      // Few shells, each of which reads many words.
      { numRuns: 8 },
    )
  })
})

describe('a word for PowerShell', () => {
  it('is not quoted if it is a folder of Windows without spaces', () => {
    expect(shellWord('C:\\Users\\ann\\garden', 'win32')).toBe('C:\\Users\\ann\\garden')
  })

  it('is quoted if PowerShell would change it, with its quotes doubled', () => {
    expect(shellWord("it's", 'win32')).toBe("'it''s'")
    expect(shellWord('a,b', 'win32')).toBe("'a,b'")
    expect(shellWord('@home', 'win32')).toBe("'@home'")
    expect(shellWord('$env:PATH', 'win32')).toBe("'$env:PATH'")
  })
})
