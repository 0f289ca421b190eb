import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Flag, flagsOf, globalFlags, wordsOf } from '../../context/flags.ts'
import { collect } from './command.ts'
import { serviceFile, serviceFlags } from './service.ts'

const WINDOWS = {
  executable: 'C:\\Program Files\\nodejs\\node.exe',
  script: 'C:\\Users\\ann\\my tools\\scrollback.js',
}

const machine = { device: 'desk', user: 'ann' }

/** What the file of a service depends on, with these variables. */
const where = (started: typeof WINDOWS, variables: Record<string, string> = {}) => ({
  started,
  machine,
  dataFolder: variables.SCROLLBACK_HOME ?? '/home/ann/data',
  environment: { home: '/home/ann', variables },
})

interface Element {
  name: string
  text: string
  children: Element[]
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Parses a document without mixed content. Throws for anything that an XML parser would refuse. */
function parsed(document: string): Element {
  const rest = document.replace(/^<\?xml [^?]*\?>\s*<!--(?:(?!--).)*-->\s*(?:<!DOCTYPE [^>]*>\s*)?/s, '')
  const root: Element = { name: '', text: '', children: [] }
  const open = [root]
  for (const [piece, , close, name, , empty, text] of rest.matchAll(
    /(<(\/?)([\w]+)((?: \w+="[^"<&]*")*)(\/?)>)|([^<]+)/g,
  )) {
    const parent = open.at(-1)!
    if (text !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot);)|[\0-\x08\x0b-\x1f]/.test(text)) throw new Error(`not XML: ${text}`)
      parent.text += text.replace(/&(\w+);/g, (_, entity) => ENTITIES[entity]!)
    } else if (close) {
      if (open.pop()!.name !== name) throw new Error(`not closed: ${piece}`)
    } else {
      const element = { name: name!, text: '', children: [] }
      parent.children.push(element)
      if (!empty) open.push(element)
    }
  }
  if (open.length !== 1 || rest.replace(/<\/?[\w]+(?: \w+="[^"<&]*")*\/?>|[^<]+/g, '') !== '')
    throw new Error('not XML')
  return root.children[0]!
}

/** The texts of all elements with a name. */
const texts = (element: Element, name: string): string[] => [
  ...(element.name === name ? [element.text] : []),
  ...element.children.flatMap((child) => texts(child, name)),
]

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

/** Splits a command of a systemd unit, as its manual says: quotation marks, and `\`, `%` and `$` twice. */
const unitWords = (line: string): string[] =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"|([^\s"]+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain!).replace(/\\([\\"])|%(%)|\$(\$)/g, '$1$2$3'),
  )

const task = (flags: string[], variables: Record<string, string> = {}) => {
  const document = parsed(serviceFile('windows', flags, where(WINDOWS, variables)))
  return { command: texts(document, 'Command')[0], words: taken(texts(document, 'Arguments')[0]!) }
}

describe('the file of a service', () => {
  const HOSTILE = '/srv/a & "b" <c>\'s $HOME %h \\x ]]> --> ü'
  const started = { executable: '/opt/my node/bin/node', script: '/home/ann/my tools/scrollback.js' }
  const flags = ['--skip', HOSTILE, '--config', '', ';']
  const all = [started.executable, started.script, 'collect', ...flags, '--watch']

  it.each(['systemd', 'launchd', 'windows'])('has every word of a hostile command line: %s', (kind) => {
    const text = serviceFile(kind, flags, where(started, { SCROLLBACK_HOME: HOSTILE, USERDOMAIN: 'A&B' }))
    expect(text).toMatchSnapshot()
    if (kind === 'systemd') {
      expect(unitWords(/^ExecStart=(.*)$/m.exec(text)![1]!)).toEqual(all)
      expect(unitWords(/^Environment=(.*)$/m.exec(text)![1]!)).toEqual([`SCROLLBACK_HOME=${HOSTILE}`])
    } else if (kind === 'launchd') {
      const [name, ...words] = texts(parsed(text), 'string')
      expect({ name, words }).toEqual({ name: 'scrollback.collect', words: [...all, HOSTILE, 'Background'] })
    } else {
      const [first, , ...words] = taken(texts(parsed(text), 'Arguments')[0]!)
      expect([...texts(parsed(text), 'Command'), ...words]).toEqual(all)
      expect(first).toBe('--import')
      expect(texts(parsed(text), 'UserId')).toEqual(['A&B\\ann', 'A&B\\ann'])
    }
  })

  it.each(['systemd', 'launchd', 'windows'])(
    'is refused for a line break or another control character: %s',
    (kind) => {
      const refuse = (flags: string[], variables: Record<string, string>) =>
        expect(() => serviceFile(kind, flags, where(started, variables))).toThrow('control character')
      refuse(['--skip', 'a\u0001'], {})
      refuse([], { SCROLLBACK_HOME: '/a\nExecStart=/bin/evil' })
    },
  )
})

describe('the unit of systemd', () => {
  it('names the program as it is, because systemd replaces variables in its arguments only', () => {
    const started = { executable: '/home/a$b/node', script: '/home/a$b/scrollback.js' }
    const unit = serviceFile('systemd', [], where(started))
    expect(unit).toContain('ExecStart="/home/a$b/node" "/home/a$$b/scrollback.js"')
  })
})

describe('a scheduled task on Windows', () => {
  it('starts Node by its path, which usually contains a space', () => {
    expect(task(['--claude-dir', 'C:\\Users\\ann\\.claude\\'])).toEqual({
      command: WINDOWS.executable,
      words: [WINDOWS.script, 'collect', '--claude-dir', 'C:\\Users\\ann\\.claude\\', '--watch'],
    })
  })

  it('passes every word on unchanged', () => {
    const piece = fc.constantFrom('a', ' ', '"', '\\', '\t', '&', '<', "'", 'ü', '-')
    fc.assert(
      fc.property(fc.array(fc.string({ unit: piece, maxLength: 12 })), (flags) => {
        expect(task(flags).words).toEqual([WINDOWS.script, 'collect', ...flags, '--watch'])
      }),
    )
  })

  it('sets variables in Node itself, so that no shell reads them', () => {
    const value = `D:\\my "data" & %PATH% 'x';$(Arg0)#?ü`
    const { command, words } = task([], { CODEX_HOME: value })
    expect(command).toBe(WINDOWS.executable)
    const [print, ...options] = ['process.stdout.write(process.env.CODEX_HOME)', ...words.slice(0, 2), '-e']
    expect(execFileSync(process.execPath, [...options, print!], { encoding: 'utf8' })).toBe(value)
  })

  it('is refused for a word that the Task Scheduler would change', () => {
    for (const word of ['C:\\%USERNAME%\\x', 'C:\\$(Arg0)']) expect(() => task([word])).toThrow('replace')
    expect(task(['100%']).words).toContain('100%')
  })
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
