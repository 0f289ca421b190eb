import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import measure from 'fast-string-truncated-width'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { installed } from '../installed.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
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

describe('a question in a terminal', { timeout: 120_000 }, () => {
  it('offers what a name may mean, and takes what is chosen', async () => {
    const first = await shown('sessions eastore', home(), [{ after: '\x1b[?25l', keys: KEYS.enter }])
    expect(first.text).toContain('Which one is "eastore"?')
    expect(first).toMatchObject({ code: 0, text: expect.stringContaining('1 session;') })
    const all = await shown('sessions eastore', home(), [
      { after: '\x1b[?25l', keys: KEYS.up },
      { after: 'All of them', keys: KEYS.enter },
    ])
    expect(all).toMatchObject({ code: 0, text: expect.stringContaining('2 sessions;') })
  })

  it('ends in the list where nobody chooses', async () => {
    const { text, code } = await shown('sessions eastore', home(), [
      { after: '\x1b[?25l', keys: KEYS.escape },
    ])
    expect(text).toContain('may mean any of 2')
    expect(code).toBe(2)
  })

  it('is not asked by a name that is whole', async () => {
    const { raw, code } = await shown('sessions eastore-web', home())
    expect(raw).not.toContain('\x1b[?25l')
    expect(code).toBe(0)
  })
})

describe('a text that is longer than the screen', { timeout: 120_000 }, () => {
  /** A pager that says what it was given, and how much. */
  const pager = (home: string, script = 'wc -l | sed "s/^ */paged lines: /"'): NodeJS.ProcessEnv => {
    chmodSync(put(join(home, 'bin/pager'), `#!/bin/sh\n${script}\n`), 0o755)
    return { PAGER: join(home, 'bin/pager') }
  }

  it('is shown in the pager, and a shorter one is not', async () => {
    const made = temporaryHome()
    const long = await shown('read 640ab4c7 --demo', made, [], pager(made))
    expect(long).toMatchObject({ code: 0, text: expect.stringMatching(/paged lines: +\d\d/) })
    const short = await shown('projects --demo', made, [], pager(made))
    expect(short.text).not.toContain('paged lines')
    expect(short.text).toContain('shop-notes')
  })

  it('is printed where that is asked for, where there is no pager, and in a pipe', async () => {
    const made = temporaryHome()
    for (const [args, env] of [
      ['read 640ab4c7 --demo --no-pager', pager(made)],
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

  it('is not read to the end where whoever looks has seen enough', async () => {
    const made = temporaryHome()
    const { text, code } = await shown('read --all --demo', made, [], pager(made, 'head -n 1'))
    expect(code).toBe(0)
    expect(text).toMatch(/\S/)
    expect(text.length).toBeLessThan(500)
  })
})

describe('lines in a terminal', { timeout: 240_000 }, () => {
  /** Lines that could have been broken; commands to paste are whole, however long. */
  const tooWide = (text: string, columns: number): string[] =>
    text
      .split('\n')
      .filter(
        (line) =>
          measure(line).width > columns && /\S \S/.test(line) && !/^\s*(?:scrollback|npm start) /.test(line),
      )

  it.each(['--help', 'help search', ...Object.keys(commands).map((name) => `help ${name}`)])(
    'are broken between words in %s',
    async (args) => {
      const { text } = await shown(args, temporaryHome())
      expect(tooWide(text, 80)).toEqual([])
    },
  )

  it('are broken between the same words at any width', async () => {
    const words = async (columns: number): Promise<string[]> => {
      const line = `${process.execPath} ${installed().program} help read`
      return (await inTerminal(line, { cwd: temporaryHome(), columns })).text.split(/\s+/)
    }
    expect(await words(120)).toEqual(await words(60))
  })

  it.each([
    ...[
      '',
      'sessions --all',
      'projects',
      'projects eastore',
      'stats',
      'stats --by model',
      'runs --all',
      'cron',
      'cron stock',
    ],
    ...[
      'memory',
      'memory main SOUL',
      'search tax',
      'search tax --flat',
      'secrets --all',
      'doctor',
      'read --all --full',
    ],
    ...['sessions nosuch', 'sessions --agent nobody', 'session 640ab4c7'],
  ])('are no wider than it: scrollback %s', async (args) => {
    for (const columns of [80, 60]) {
      const { text } = await inTerminal(
        `${process.execPath} ${installed().program} ${args} --demo --no-pager`,
        {
          cwd: temporaryHome(),
          columns,
        },
      )
      expect(tooWide(text, columns)).toEqual([])
    }
  })

  it('leave a command that is to be pasted whole, in colour too', async () => {
    const home = temporaryHome()
    const place = join(home, 'a folder with a long name that does not fit', '.claude')
    putClaude(join(place, '..'), uuid(1), [claude.user(1, 'tea')])
    for (const args of ['search tea', 'sessions --all', '']) {
      const { text } = await shown(`${args} --claude-dir '${place}' --no-pager`, home)
      const line = text.split('\n').find((each) => /^ *scrollback /.test(each))
      expect(line, args).toMatch(/\.claude'$/)
    }
  })

  it('are as wide as COLUMNS says in a pipe, and whole where it says nothing', async () => {
    const narrow = await shown('sessions --all --demo | cat', temporaryHome(), [], { COLUMNS: '60' })
    expect(tooWide(narrow.text, 60)).toEqual([])
    const whole = await shown('sessions --all --demo | cat', temporaryHome())
    expect(tooWide(whole.text, 80).length).toBeGreaterThan(0)
  })
})
