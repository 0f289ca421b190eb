import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { put, temporaryHome } from '../records.ts'

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

describe('completions', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s', async (shell) => {
    const { stdout, code } = run(['completions', shell], temporaryHome())
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot(join(import.meta.dirname, 'output', `completions.${shell}`))
  })

  for (const shell of ['bash', 'zsh', 'fish'])
    it.skipIf(!isThere(shell))(`are accepted by ${shell} (skipped where it is not installed)`, () => {
      const home = temporaryHome()
      const script = put(join(home, `completions.${shell}`), run(['completions', shell], home).stdout)
      const { stderr, status } = spawnSync(shell, ['-n', script], { encoding: 'utf8' })
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    })

  /** What bash offers for a line whose last word is being typed. */
  function offered(words: readonly string[]): string[] {
    const home = temporaryHome()
    const script = put(join(home, 'completions.bash'), run(['completions', 'bash'], home).stdout)
    const typed = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const lines = `source ${script}; ${typed}; _scrollback; printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', lines], { encoding: 'utf8', cwd: home })
      .stdout.split('\n')
      .filter((each) => each !== '')
  }

  it.skipIf(!isThere('bash'))('offer names, flags and choices in bash', () => {
    expect(offered(['scrollback', 'se'])).toEqual(['sessions', 'session', 'search', 'secrets'])
    expect(offered(['scrollback', 'read', '--fo'])).toEqual(['--format', '--fold'])
    expect(offered(['scrollback', 'read', '--format', 'js'])).toEqual(['json', 'jsonl'])
    expect(offered(['scrollback', 'sessions', '--platform', ''])).toEqual(['claude-code', 'openclaw'])
    expect(offered(['scrollback', 'completions', ''])).toEqual(['bash', 'zsh', 'fish'])
  })
})
