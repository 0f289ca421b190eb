import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import measure from 'fast-string-truncated-width'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { installed } from '../installed.ts'
import { compileCache, program, run } from '../program.ts'
import { claude, put, putClaude, putProgram, temporaryHome, uuid } from '../records.ts'
import { inTerminal, KEYS, type Typed } from '../terminal.ts'

/** The installed package, in a terminal of 80 columns and 24 lines. */
const shown = (args: string, home: string, types: Typed[] = [], env: NodeJS.ProcessEnv = {}) =>
  inTerminal(`${process.execPath} ${installed().program} ${args}`, { cwd: home, types, env })

function home(): string {
  const made = temporaryHome()
  for (const [number, name] of ['eastore', 'eastore-web', 'shed'].entries())
    putClaude(
      made,
      uuid(number + 1),
      [claude.user(number + 1, `about ${name}`, { cwd: `/home/ann/${name}` })],
      `-home-ann-${name}`,
    )
  return made
}

describe('a question in a terminal', () => {
  it('offers the matches of a name, and uses the choice', async () => {
    const first = await shown('sessions easto', home(), [{ after: '\x1b[?25l', keys: KEYS.enter }])
    expect(first.text).toContain('Which one is "easto"?')
    expect(first).toMatchObject({ code: 0, text: expect.stringContaining('1 session;') })
    const all = await shown('sessions easto', home(), [
      { after: '\x1b[?25l', keys: KEYS.up },
      { after: 'All of them', keys: KEYS.enter },
    ])
    expect(all).toMatchObject({ code: 0, text: expect.stringContaining('2 sessions;') })
  })

  it('ends with the list if nothing is chosen', async () => {
    const { text, code } = await shown('sessions easto', home(), [{ after: '\x1b[?25l', keys: KEYS.escape }])
    expect(text).toContain('is ambiguous: 2 matches')
    expect(code).toBe(2)
  })

  it('is not asked in a terminal that only prints text, which gets no escapes', async () => {
    const { raw, code } = await shown('sessions easto', home(), [], { TERM: 'dumb' })
    expect(raw).not.toContain('\x1b')
    expect(raw).toContain('is ambiguous: 2 matches')
    expect(code).toBe(2)
  })

  it('is not asked for the whole name of a project, and the others are named without scores', async () => {
    const { text, code } = await shown('sessions eastore', home())
    expect(text).toContain('Not selected: eastore-web (1 session)')
    expect(text).not.toMatch(/\[\d+\]/)
    expect(code).toBe(0)
  })

  it('is not asked for an unambiguous name', async () => {
    const { raw, code } = await shown('sessions eastore-web', home())
    expect(raw).not.toContain('\x1b[?25l')
    expect(code).toBe(0)
  })
})

describe('a text that is longer than the screen', () => {
  /** A pager that prints how many lines it received. */
  const pager = (home: string, script = 'wc -l | sed "s/^ */paged lines: /"'): NodeJS.ProcessEnv => {
    return { PAGER: putProgram(home, 'pager', script) }
  }

  it('is shown in the pager, and a shorter one is not', async () => {
    const made = temporaryHome()
    const long = await shown('read 640ab4c7 --demo', made, [], pager(made))
    expect(long).toMatchObject({ code: 0, text: expect.stringMatching(/paged lines: +\d\d/) })
    const short = await shown('projects --demo', made, [], pager(made))
    expect(short.text).not.toContain('paged lines')
    expect(short.text).toContain('shop-notes')
  })

  it('is printed directly on request, without a pager, and in a pipe', async () => {
    const made = temporaryHome()
    for (const [args, env] of [
      ['read 640ab4c7 --demo --no-pager', pager(made)],
      ['read 640ab4c7 --demo', { ...pager(made), TERM: 'dumb' }],
      ['read 640ab4c7 --demo', { PAGER: 'cat' }],
      ['read 640ab4c7 --demo', { PAGER: '' }],
      ['read 640ab4c7 --demo', { PAGER: '/no/such/pager' }],
      ['read 640ab4c7 --demo | cat', pager(made)],
    ] as const) {
      const { text, code } = await shown(args, made, [], env)
      expect(text, args).not.toContain('paged lines')
      expect(text, args).toContain('Checkout and payments')
      expect(code).toBe(0)
    }
  })

  it('is not written to the end if the pager quits early', async () => {
    const made = temporaryHome()
    const { text, code } = await shown('read --all --demo', made, [], pager(made, 'head -n 1'))
    expect(code).toBe(0)
    expect(text).toMatch(/\S/)
    expect(text.length).toBeLessThan(500)
  })
})

describe('lines in a terminal', () => {
  /** Lines that could have been broken, not after their sign. Commands for copying are never broken. */
  const tooWide = (text: string, columns: number): string[] =>
    text
      .split('\n')
      .filter(
        (line) =>
          measure(line).width > columns &&
          /\S \S/.test(line.replace(/^\s*[✓✗·!] /, '')) &&
          !/^\s*(?:scrollback|npm start) /.test(line),
      )

  it.each(['--help', 'help search'])('are broken between words in %s', async (args) => {
    const { text } = await shown(args, temporaryHome())
    expect(tooWide(text, 80)).toEqual([])
  })

  /** What a terminal of this width would show, printed by a thread: to start a terminal takes a second. */
  const printedFor = (columns: number, args: string): string => {
    const env = { COLUMNS: String(columns) }
    const { stdout, stderr } = run(args.split(' ').filter(Boolean), temporaryHome(), { env })
    return stripVTControlCharacters(stdout + stderr)
  }

  it('are broken at the same places in a terminal and where COLUMNS says how wide one is', async () => {
    for (const args of ['help search', 'sessions --all --demo', 'session 640ab4c7 --demo --no-pager']) {
      const { text } = await shown(args, temporaryHome(), [], { CI: '1', PAGER: 'cat' })
      expect(printedFor(80, args).trimEnd(), args).toBe(text.trimEnd())
    }
  })

  it.each(Object.keys(commands).map((name) => `help ${name}`))('are broken between words in %s', (args) => {
    expect(tooWide(printedFor(80, args), 80)).toEqual([])
  })

  it('are broken between the same words at any width', async () => {
    const words = async (columns: number): Promise<string[]> => {
      const line = `${process.execPath} ${installed().program} help read`
      return (await inTerminal(line, { cwd: temporaryHome(), columns })).text.split(/\s+/)
    }
    expect(await words(120)).toEqual(await words(60))
  })

  it.each([
    '',
    'sessions --all',
    'projects',
    'projects eastore',
    'stats',
    'stats --by model',
    'runs --all',
    'cron',
    'cron stock',
    'memory',
    'memory main SOUL',
    'search tax',
    'search tax --flat',
    'doctor',
    'secrets --all',
    'read --all --full',
    'sessions nosuch',
    'sessions --agent nobody',
    'session 640ab4c7',
  ])('are not wider than that: scrollback %s', (args) => {
    for (const columns of [80, 60])
      expect(tooWide(printedFor(columns, `${args} --demo --no-pager --color`), columns)).toEqual([])
  })

  it('leave a command for copying unbroken, also in colour', async () => {
    const home = temporaryHome()
    const folder = join(home, 'a folder with a long name that does not fit', '.claude')
    putClaude(join(folder, '..'), uuid(1), [claude.user(1, 'tea')])
    for (const args of ['search tea', 'sessions --all', '']) {
      const { text } = await shown(`${args} --claude-dir '${folder}' --no-pager`, home, [], { CI: '1' })
      const line = text.split('\n').find((each) => /^ *scrollback /.test(each))
      expect(line, args).toMatch(/\.claude'$/)
    }
  })

  it('are as wide as COLUMNS in a pipe, and unlimited without it', async () => {
    const narrow = await shown('sessions --all --demo | cat', temporaryHome(), [], { COLUMNS: '60' })
    expect(tooWide(narrow.text, 60)).toEqual([])
    const whole = await shown('sessions --all --demo | cat', temporaryHome())
    expect(tooWide(whole.text, 80).length).toBeGreaterThan(0)
  })
})

const env = { NODE_COMPILE_CACHE: compileCache }
const shownOfTerminalColours = (args: string, home: string, more: NodeJS.ProcessEnv = {}) =>
  inTerminal(`${process.execPath} ${program} ${args}`, { cwd: home, env: { ...env, ...more } })

const COLOUR = /\x1b\[[0-9;]*m/

describe('colours in a terminal', () => {
  const line = 'read 640ab4c7 --demo --no-pager'

  it.each([
    ['are shown', line, {}, true],
    ['are not shown with NO_COLOR', line, { NO_COLOR: '1' }, false],
    ['are shown with an empty NO_COLOR', line, { NO_COLOR: '' }, true],
    ['are not shown on a terminal without colours', line, { TERM: 'dumb' }, false],
    ['are shown with --color, whatever NO_COLOR is', `${line} --color`, { NO_COLOR: '1' }, true],
    ['are not shown with --no-color', `${line} --no-color`, {}, false],
    ['are not shown in a pipe', `${line} | cat`, {}, false],
    ['are shown in a pipe with --color', `${line} --color | cat`, {}, true],
  ])('%s', async (_, args, more, isColoured) => {
    const { raw, code } = await shownOfTerminalColours(args, temporaryHome(), more)
    expect(code).toBe(0)
    expect(raw).toContain('Checkout and payments')
    expect(COLOUR.test(raw)).toBe(isColoured)
  })
})

/** How many transcripts take long to read. Between them, progress is shown and Ctrl-C ends the work. */
const LONG = 10

/** A home with transcripts that take long to read together: 800 kB a time. */
function longHome(times: number): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'short')])
  const many = Array.from({ length: 2000 }, (_, number) =>
    JSON.stringify(claude.user(number + 1, `fern ${number} `.repeat(40))),
  )
  for (let index = 0; index < LONG; index++) {
    const path = put(join(home, '.claude/projects/-x', `${uuid(index + 2)}.jsonl`), '')
    const file = openSync(path, 'a')
    for (let count = 0; count < times / LONG; count++) writeSync(file, `${many.join('\n')}\n`)
    closeSync(file)
  }
  return home
}

it.each(['index', 'doctor'])(
  'Ctrl-C during %s says how much is indexed, and the next command continues',
  async (command) => {
    let home = longHome(80)
    const interrupted = () => shown(command, home, [{ after: '░', keys: KEYS.interrupt }])
    let answer = await interrupted()
    // On a busy machine it may be done before the key arrives, which then ends it at the last moment.
    for (const times of [160, 320, 640, 640, 640]) {
      if (answer.text.includes('Interrupted')) break
      home = longHome(times)
      answer = await interrupted()
    }
    const { text, code } = answer
    expect(text.replace('^C', '').trim()).toMatch(
      /^scrollback: Interrupted(?:: \d of 11 files are indexed)?\.\nWhat is indexed stays indexed: run the command again for the rest\.$/,
    )
    expect(code).toBe(3)
    expect(await shown(command, home)).toMatchObject({ code: 0 })
  },
)

it('progress in a terminal is shown on stderr during long reads, and cleared afterwards', async () => {
  const home = longHome(40)
  const { raw, text, code } = await shownOfTerminalColours('index', home)
  expect(code).toBe(0)
  expect(raw).toMatch(/\r\x1b\[2K\S.* █*░* \d+% {2}[\d.]+ \w+\/s {2}\d+ s left/)
  expect(text).not.toContain('░')
  // No line between the first and the last bar is empty: the next phase replaces the one before.
  expect(raw.slice(raw.indexOf('░'), raw.lastIndexOf('\r\x1b[2KIndexing words'))).not.toMatch(
    /\x1b\[2K(?:\r|$)/,
  )
  const piped = await shownOfTerminalColours('index --rebuild 2>&1 | cat', home)
  expect(piped.raw).not.toContain('░')
})

it('records that are delivered to a terminal have everything escaped that it would execute or hide', async () => {
  const home = temporaryHome()
  const hidden = 'moss \u009b2J \u009d0;x\u009c \u202e \u200b'
  putClaude(home, uuid(1), [claude.user(1, hidden)])
  const { text, raw } = await shown('collect stdout: --history all', home)
  expect(raw).not.toMatch(/[\u0080-\u009f\u202e\u200b]/)
  expect(text.replaceAll(/\r?\n/g, '')).toContain(String.raw`moss \u009b2J \u009d0;x\u009c \u202e \u200b`)
  const piped = run(['collect', 'stdout:', '--history', 'all'], home).stdout
  expect(piped).toContain(hidden)
})
