import { describe, expect, it } from 'vitest'
import { type Flag, flagsOf, globalFlags, wordsOf } from '../kit/flags.ts'
import { collect } from './command.ts'
import { serviceFlags } from './service-flags.ts'

/** Flags that do something other than deliver, or that must not be repeated at every start. */
const NOT_OF_A_SERVICE = [
  ...['--watch', '--list', '--status', '--max-lag', '--dry-run', '--redeliver', '--forget', '--verify'],
  ...['--repair', '--schema', '--service', '--import-state'],
]
/**
 * Flags for the output. `--dir` is part of the folders of its platform, `--no-redact` a level of `--redact`.
 */
const OF_AN_ANSWER = ['--json', '--no-pager', '--color', '--no-color', '--dir', '--no-redact']

/** A value of a field that differs from its default. */
const sample = (flag: Flag): unknown => {
  if (flag.kind === 'switch') return flag.sets
  const value = flag.choices?.at(-1) ?? (flag.path ? 'a path' : `value of ${flag.name}`)
  return flag.kind === 'list' ? [value] : value
}

const wordsWith = (flags: readonly Flag[]) =>
  Object.fromEntries(flags.map((flag) => [flag.field, sample(flag)]))

describe('the arguments of a service', () => {
  const own = flagsOf(collect.input).filter(({ positional }) => !positional)
  const given = { ...wordsWith(own), destination: ['file:out', 'file:~/in', 'https://host.example/x'] }

  it('contain every given flag, with absolute paths', () => {
    const words = serviceFlags(collect.input, given, { here: '/srv', globalFlags: wordsWith(globalFlags) })
    const expected = [...own, ...globalFlags]
      .map(({ name }) => `--${name}`)
      .filter((name) => ![...NOT_OF_A_SERVICE, ...OF_AN_ANSWER].includes(name))
    expect(words.filter((word) => word.startsWith('--'))).toEqual(expected)
    expect(words.slice(0, 3)).toEqual(['file:/srv/out', 'file:~/in', 'https://host.example/x'])
    for (const [index, word] of words.entries()) {
      const flag = [...own, ...globalFlags].find(({ name }) => `--${name}` === word)
      if (flag?.path) expect(words[index + 1], word).toBe('/srv/a path')
      else if (flag && flag.kind !== 'switch') expect(words[index + 1], word).toMatch(/^value of |^[a-z]+$/)
    }
  })

  it('contain no flag that was not given', () => {
    expect(serviceFlags(collect.input, { destination: [] }, { here: '/' })).toEqual([])
    const usual = collect.input.parse({})
    expect(serviceFlags(collect.input, usual as typeof given, { here: '/' })).toEqual([])
  })

  it('leave a path below the home directory unchanged', () => {
    const words = serviceFlags(collect.input, { destination: [], state: '~/x' }, { here: '/srv' })
    expect(words).toEqual(['--state', '~/x'])
  })
})

describe('the words of a command line', () => {
  it('contain each value once, arguments first', () => {
    const values = { json: true, claudeDir: ['a', 'b'], redact: false, color: false, from: undefined }
    expect(wordsOf(globalFlags, values)).toEqual([
      ...['--json', '--claude-dir', 'a', '--claude-dir', 'b', '--no-redact', '--no-color'],
    ])
  })
})
