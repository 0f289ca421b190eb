import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstPlatform, programPlatforms } from '../first-platform.ts'
import { program, run, runProcess, variablesOf } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

describe('completions', () => {
  it.each(['bash', 'zsh', 'fish'])('are printed for %s', async (shell) => {
    const { stdout, code } = run(['completions', shell], temporaryHome())
    expect(code).toBe(0)
    const frozen = join(import.meta.dirname, 'output', `completions.${shell}`)
    await expect(firstPlatform(stdout)).toMatchFileSnapshot(frozen)
  })

  for (const shell of ['bash', 'zsh', 'fish'])
    it.skipIf(!isThere(shell))(`are accepted by ${shell} (skipped where it is not installed)`, () => {
      const home = temporaryHome()
      const script = put(join(home, `completions.${shell}`), run(['completions', shell], home).stdout)
      const { stderr, status } = spawnSync(shell, ['-n', script], { encoding: 'utf8' })
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    })

  /** What bash offers in a home for a line whose last word is being typed. */
  function offered(home: string, ...words: readonly string[]): string[] {
    const script = put(join(home, 'completions.bash'), run(['completions', 'bash'], home).stdout)
    const typed = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const ours = `scrollback() { '${process.execPath}' '${program}' "$@"; }`
    const lines = `${ours}; source ${script}; ${typed}; _scrollback; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = variablesOf(home)
    const { stdout } = spawnSync('bash', ['-c', lines], { encoding: 'utf8', cwd: home, env })
    return stdout.split('\n').filter((each) => each !== '')
  }

  it.skipIf(!isThere('bash'))('offer names, flags and choices in bash', () => {
    const offer = (...words: string[]) => offered(temporaryHome(), 'scrollback', ...words).join(' ')
    expect(offer('se')).toBe('sessions session search secrets serve setup')
    expect(offer('read', '--fo')).toBe('--format --fold')
    expect(offer('read', '--format', 'js')).toBe('json jsonl')
    expect(offer('sessions', '--platform', '')).toBe(
      programPlatforms()
        .map(({ id }) => id)
        .join(' '),
    )
    expect(offer('completions', '')).toBe('bash zsh fish')
  })

  it.skipIf(!isThere('bash'))(
    'offer projects, agents and sessions, and execute nothing in their names',
    () => {
      const home = temporaryHome()
      putClaude(home, uuid(1), [claude.user(1, 'x', { cwd: '/home/ann/$(touch ran)' })], '-x')
      putClaude(home, uuid(2), [claude.user(2, 'x', { cwd: '/home/ann/garden shed' })], '-y')
      putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'x')], 'ops')
      run(['index'], home)
      const offer = (...words: string[]) => offered(home, 'scrollback', ...words)
      expect(offer('read', 'gar')).toEqual(['garden\\ shed'])
      expect(offer('read', '$')).toEqual(['\\$\\(touch\\ ran\\)'])
      expect(offer('sessions', 'lat')).toEqual(['latest'])
      expect(offer('sessions', '--agent', 'o')).toEqual(['ops'])
      expect(offer('read', 'mo')).toEqual(['moss'])
      expect(existsSync(join(home, 'ran'))).toBe(false)
    },
  )

  it('offer no names if there is no store, and do not create one', () => {
    const home = temporaryHome()
    expect(run(['completions', 'names'], home)).toEqual({ stdout: '', stderr: '', code: 0 })
    expect(existsSync(join(home, '.local/share/scrollback'))).toBe(false)
  })
})

describe('a command', () => {
  it('is found in the singular and the plural, and suggested if a letter is wrong', () => {
    const home = temporaryHome()
    expect(run(['project', '--demo'], home).stdout).toBe(run(['projects', '--demo'], home).stdout)
    expect(run(['help', 'run'], home).stdout).toBe(run(['runs', '--help'], home).stdout)
    expect(run(['serch'], home).stderr).toContain('Did you mean: scrollback search')
    expect(run(['stat', '--demo'], home).code).toBe(0)
    expect(run(['xyzzy'], home).stderr).not.toContain('Did you mean')
  })

  it.each([
    ['view latest --full', 'read latest --full'],
    ['history eastore', 'sessions eastore'],
    ['spend --by day', 'stats --by day'],
    ['blame cart.ts:3', 'why cart.ts:3'],
    ["grep 'two words'", "search 'two words'"],
    ['sessions --proejct shop', 'sessions shop'],
    ['sessions --project=shop', 'sessions shop'],
    ['stats --sinec 7d', 'stats --since 7d'],
    ['setup claude --remove', 'setup claude --undo'],
    ['restore x --dryrun', 'restore x --dry-run'],
    ['uninstall claude', 'setup --undo claude'],
    ['read latest --mine', 'read latest --who=human'],
    ['collect --to out --dry-run', 'collect out --dry-run'],
    ['read --session=11', 'read 11'],
    ['export --id 11', 'export 11'],
    ['why --path a.ts', 'why a.ts'],
  ])('under another name is suggested with its arguments: %s', (given, meant) => {
    const words = given.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''))
    const { stderr, code } = run(words, temporaryHome())
    expect(stderr).toContain(`Did you mean: scrollback ${meant}\n`)
    expect(code).toBe(2)
  })

  it('shows what setup would do, and does not', () => {
    const home = temporaryHome()
    const { stdout, code } = run(['setup', 'claude', '--dry-run'], home)
    expect(stdout).toContain(
      'Nothing was changed. To do it without a question: scrollback setup claude --yes\n',
    )
    expect([code, existsSync(join(home, '.claude'))]).toEqual([0, false])
  })

  it.each(['--version', '-V', '-v', 'version'])('%s prints the version', (word) =>
    // Answered before the program is loaded.
    expect(runProcess([word], temporaryHome()).stdout).toMatch(/^\d+\.\d+\.\d+\n$/),
  )
})
