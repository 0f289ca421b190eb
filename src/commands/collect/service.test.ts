import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Flag, flagsOf, globalFlags, wordsOf } from '../kit/flags.ts'
import { collect } from './command.ts'
import { serviceFile, serviceFlags } from './service.ts'

const STARTED = {
  executable: 'C:\\Program Files\\nodejs\\node.exe',
  script: 'C:\\Users\\ann\\my tools\\scrollback.js',
}

const plain = (xml: string): string =>
  xml.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const between = (text: string, name: string): string =>
  plain(new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)![1]!)

/** Splits a command line as programs on Windows do: backslashes count only before a quotation mark. */
function taken(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quoted = false
  for (const [piece, slashes = '', quote] of line.matchAll(/(\\*)(")|\\+|[^\\"]/g)) {
    if (quote) {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes.length / 2))
      if (slashes.length % 2 === 1) word += '"'
      else quoted = !quoted
    } else if (/[ \t]/.test(piece) && !quoted) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + piece
  }
  return word === undefined ? words : [...words, word]
}

describe('a scheduled task on Windows', () => {
  it('starts Node by its path, which usually contains a space', () => {
    const text = serviceFile('windows', STARTED, ['--claude-dir', 'C:\\Users\\ann\\.claude\\'], {})
    expect(between(text, 'Command')).toBe(STARTED.executable)
    expect(between(text, 'Arguments')).toBe(
      '"C:\\Users\\ann\\my tools\\scrollback.js" collect --claude-dir C:\\Users\\ann\\.claude\\ --watch',
    )
  })

  it('passes every word on unchanged', () => {
    const piece = fc.constantFrom('a', ' ', '"', '\\', '\t', '&', '<', '%', "'", 'ü', '-')
    const word = fc.string({ unit: piece, minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(word), (flags) => {
        const words = taken(between(serviceFile('windows', STARTED, flags, {}), 'Arguments'))
        expect(words).toEqual([STARTED.script, 'collect', ...flags, '--watch'])
      }),
    )
  })

  it('sets variables in a shell before it starts the program', () => {
    const text = serviceFile('windows', STARTED, [], { SCROLLBACK_HOME: 'D:\\my data' })
    expect(between(text, 'Command')).toBe('cmd.exe')
    expect(between(text, 'Arguments')).toBe(
      '/d /s /c "set "SCROLLBACK_HOME=D:\\my data" && "C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\ann\\my tools\\scrollback.js" collect --watch"',
    )
  })
})

it('a service on macOS lists every word separately, so none needs quotation marks', () => {
  const started = { executable: '/opt/homebrew/bin/node', script: '/Users/ann/my tools/scrollback.js' }
  const text = serviceFile('launchd', started, ['--skip', 'a & "b" <c>'], { SCROLLBACK_HOME: '/a & b' })
  expect(text).toContain('<key>SCROLLBACK_HOME</key><string>/a &amp; b</string>')
  const words = [...text.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word]) => plain(word!))
  expect(words).toEqual([started.executable, started.script, 'collect', '--skip', 'a & "b" <c>', '--watch'])
})

/** Flags that do something other than deliver, or that must not be repeated at every start. */
const NOT_OF_A_SERVICE = [
  '--watch',
  '--list',
  '--status',
  '--max-lag',
  '--dry-run',
  '--redeliver',
  '--forget',
  '--verify',
  '--repair',
  '--schema',
  '--service',
  '--import-state',
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

it('the words of a command line contain each value once, arguments first', () => {
  const values = { json: true, claudeDir: ['a', 'b'], redact: false, color: false, from: undefined }
  expect(wordsOf(globalFlags, values)).toEqual([
    '--json',
    '--claude-dir',
    'a',
    '--claude-dir',
    'b',
    '--no-redact',
    '--no-color',
  ])
})
