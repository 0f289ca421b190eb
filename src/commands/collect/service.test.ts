import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serviceFile } from './service.ts'

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

describe('a service on macOS', () => {
  it('lists every word separately, so none needs quotation marks', () => {
    const started = { executable: '/opt/homebrew/bin/node', script: '/Users/ann/my tools/scrollback.js' }
    const text = serviceFile('launchd', started, ['--skip', 'a & "b" <c>'], {})
    const words = [...text.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word]) => plain(word!))
    expect(words).toEqual([
      ...[started.executable, started.script, 'collect', '--skip', 'a & "b" <c>', '--watch'],
    ])
  })
})
