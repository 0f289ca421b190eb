import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { program, run } from '../program.ts'
import { claude, putClaude, putProgram, temporaryHome, text, uuid } from '../records.ts'
import { PICKER_KEYS as KEYS, type Played, play, type Step } from '../screens.ts'

const QUIT: Step = { when: /./, keys: KEYS.interrupt }
/** What the line of keys says while the words have them. */
const READY = 'type to search'

interface Size {
  columns?: number
  rows?: number
}

/** The installed package, in a terminal. */
const picked = (
  args: string,
  home: string,
  steps: Step[],
  env: NodeJS.ProcessEnv = {},
  size: Size = {},
): Promise<Played> =>
  play(`${process.execPath} ${installed().program} ${args}`, steps, { cwd: home, env, ...size })

function home(): string {
  const made = temporaryHome()
  for (const [number, name] of ['eastore', 'eastore-web', 'shed'].entries())
    putClaude(
      made,
      uuid(number + 1),
      [
        claude.user(number + 1, `Paint the door of ${name}`, { cwd: `/home/ann/${name}` }),
        claude.reply(number + 2, [text(`The door of ${name} is green.`)]),
      ],
      `-home-ann-${name}`,
    )
  return made
}

function isRemoved(path: string): boolean {
  rmSync(path)
  return true
}

describe('the list of the picker', () => {
  it('has days, signs, projects, ages and sizes, and says which keys there are', async () => {
    const { screens, code } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: `${KEYS.down}${KEYS.tab}` },
      { when: /\bweb · \d+ of/, keys: KEYS.interrupt },
    ])
    expect(screens[0]).toMatchSnapshot()
    expect(code).toBe(0)
  })

  it('shows a preview beside it from 100 columns, and on Space below that', async () => {
    const made = temporaryHome()
    const wide = await picked(
      '--demo',
      made,
      [
        { when: READY, keys: 'flaky' },
        { when: 'of yours', keys: KEYS.interrupt },
      ],
      {},
      { columns: 110 },
    )
    expect(wide.screens[1]).toMatchSnapshot()
    const narrow = await picked('--demo', made, [
      { when: READY, keys: ' ' },
      { when: 'of yours', keys: KEYS.interrupt },
    ])
    expect(narrow.screens[1]).toMatchSnapshot()
  })

  it('is searched as somebody types, with the same answer as search', async () => {
    const made = temporaryHome()
    const { screens } = await picked('--demo', made, [
      { when: READY, keys: 'postgres' },
      { when: /postgres█[\s\S]*Move to Postgres[\s\S]*hits/, keys: KEYS.escape },
      { when: /❯ █/, keys: KEYS.escape },
    ])
    const found = JSON.parse(
      run(['search', 'postgres', '--demo', '--json', '--limit', '60'], made).stdout,
    ) as { hits: { title: string }[] }
    const first = found.hits[0]!.title
    expect(screens[1]!.split('\n')[1]).toContain(first.slice(0, 30))
  })

  it('has the sessions of a project whose name is typed, below those that say it', async () => {
    const made = home()
    const words = [claude.user(9, 'Oil the hinges', { cwd: '/home/ann/shed' })]
    // A copy of it is in the same row.
    for (const number of [9, 10]) putClaude(made, uuid(number), words, '-home-ann-shed')
    const { screens } = await picked('', made, [
      { when: READY, keys: 'shed' },
      { when: /2 of 5/, keys: KEYS.interrupt },
    ])
    const [first, second] = screens[1]!.split('\n').filter((line) => /^.cc /.test(line))
    expect(first).toContain('Paint the door of shed')
    expect(second).toContain('Oil the hinges')
  })

  it('says of a session that its file is gone soon after it is', async () => {
    const made = home()
    const path = join(made, '.claude/projects/-home-ann-shed', `${uuid(3)}.jsonl`)
    const { screens } = await picked('', made, [
      { when: READY, keys: '' },
      { when: () => isRemoved(path), keys: '' },
      { when: '[file gone] Paint the door of shed', keys: KEYS.interrupt },
    ])
    expect(screens).toHaveLength(3)
  })

  it('opens what is folded', async () => {
    const { screens } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: '\x1b[F' },
      { when: '▌▸', keys: KEYS.enter },
      { when: /▌▾[\s\S]*\[subagent\]/, keys: 'q' },
    ])
    expect(screens).toHaveLength(3)
  })

  it('is about one agent after F2 and with its name after an @', async () => {
    const { screens } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: KEYS.f2 },
      { when: 'Claude Code · invented sessions', keys: '@codex ' },
      { when: /Codex · invented sessions[\s\S]*▌cx/, keys: KEYS.interrupt },
    ])
    expect(screens[2]!.split('\n').filter((line) => /^.(?!cx)[a-z]{2} /.test(line))).toEqual([])
  })

  it('names the agents that have sessions once an @ is typed', async () => {
    const { screens } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: 'door @' },
      { when: /@claude \d+ · @openclaw \d/, keys: 'co' },
      { when: /^@co\w+ \d+ · @co\w+ \d/m, keys: KEYS.interrupt },
    ])
    expect(screens[2]!.split('\n').at(-1)).not.toContain('@claude')
  })

  it('takes filters and any sign in the words, and marks only what was looked for', async () => {
    const { screens, code, raw } = await picked(
      '--demo',
      temporaryHome(),
      [
        { when: READY, keys: 'stock who:human' },
        { when: / [1-9]\d* of 30[\s\S]*Claude Code · /, keys: ` ."'@#&!(*[\\` },
        { when: '[\\█', keys: '\x15' },
        { when: '❯ █', keys: 'flaky "stock test"' },
        { when: '1 of 30', keys: KEYS.enter },
        { when: 'Esc back', keys: '/a.b*(' },
        { when: 'Not here.', keys: KEYS.interrupt },
      ],
      {},
      { columns: 110 },
    )
    expect(screens[1]).toContain('stock')
    expect(raw).toContain('\x1b[1m\x1b[33mstock')
    expect(code).toBe(0)
  })

  it('keeps one row for a title that a terminal draws wider than it is counted', async () => {
    const made = temporaryHome()
    const title = '👍🏽👩🏾‍🔧 परियोजना की स्थिति रिपोर्ट '.repeat(6)
    putClaude(made, uuid(1), [claude.user(1, title, { cwd: '/home/ann/shed' })])
    const { screens } = await picked('', made, [{ when: READY, keys: KEYS.down }, QUIT])
    for (const screen of screens) {
      expect(screen.split('\n')[0]).toMatch(/^❯/)
      expect(screen).toContain('👍')
    }
  })

  it('shows the passage that was found below the rows, also of what agents remember', async () => {
    const { screens } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: 'the tax rounded' },
      { when: /memory of api: MEMORY\.md\s+- Prices are whole cents\./, keys: `${KEYS.down}${KEYS.down}` },
      { when: /▌cc Checkout and payments/, keys: KEYS.interrupt },
    ])
    expect(screens[1]).toContain('Tax is rounded once per order.')
    expect(screens[2]).toMatch(/Do I round the tax/)
  })

  it('takes every letter that is typed at once', async () => {
    const words = 'orders page takes four seconds'
    const { screens } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: words },
      { when: `❯ ${words}█`, keys: KEYS.interrupt },
    ])
    expect(screens).toHaveLength(2)
  })
})

describe('a session in the picker', () => {
  it('is read on the same screen, with its errors, prompts and words as keys', async () => {
    const { screens, left } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: 'flaky' },
      { when: /flaky█[\s\S]*flaky/, keys: KEYS.enter },
      { when: '] prompt', keys: 'n' },
      { when: 'No error.', keys: ']' },
      { when: /You/, keys: '/' },
      { when: 'Find: █', keys: 'seed' },
      { when: 'Find: seed█', keys: KEYS.escape },
      { when: '] prompt', keys: KEYS.escape },
      { when: READY, keys: KEYS.interrupt },
    ])
    expect(screens[2]).toMatchSnapshot()
    expect(left).toMatch(/scrollback read \w+:\d+ --demo$/)
  })

  it('is resumed in its folder, and the command that does the same is told', async () => {
    const made = home()
    putProgram(made, 'claude', 'echo "resumed $*"')
    const { left, code } = await picked('', made, [{ when: READY, keys: `${KEYS.down}r` }], {
      PATH: `${made}/bin:${process.env.PATH}`,
    })
    expect(left).toContain(`resumed --resume=${uuid(2)}`)
    expect(left).toContain('scrollback resume')
    expect(code).toBe(0)
  })

  it('is handed over, explained, exported and tagged without leaving', async () => {
    const made = home()
    const { screens, left } = await picked('', made, [
      { when: READY, keys: `${KEYS.down}${KEYS.up}${KEYS.down}h` },
      { when: 'scrollback handoff', keys: KEYS.escape },
      { when: 'hand over', keys: 'w' },
      { when: 'changed no file', keys: 'x' },
      { when: /-?\w+\.html/, keys: `${KEYS.down}${KEYS.up}x` },
      { when: /\w+-2\.html/, keys: 't' },
      { when: 'Tags', keys: `doors *${KEYS.enter}` },
      { when: '★ #doors', keys: 't' },
      { when: 'Tags', keys: `-doors -*${KEYS.enter}` },
      { when: /^(?![\s\S]*#doors)[\s\S]*▌cc Paint/, keys: 'q' },
    ])
    expect(screens[1]).toContain('Paint the door of eastore-web')
    const told = left.split('\n').flatMap((line) => /^scrollback (.*)/.exec(line.trimEnd())?.[1] ?? [])
    // The sessions of this home differ only in the last character. Of all lines, the last three are told.
    const name = uuid(2)
    const tags = [`tag ${name} doors --star`, `tag ${name} --remove doors --no-star`]
    expect(told).toEqual([`export ${name}`, ...tags])
    for (const command of tags) expect(run(command.split(' '), made)).toMatchObject({ stderr: '', code: 0 })
    const file = uuid(2).slice(0, 8)
    expect(readdirSync(made).filter((each) => each.endsWith('.html'))).toEqual([
      `${file}-2.html`,
      `${file}.html`,
    ])
  })

  it('gives its citation to the clipboard of the terminal', async () => {
    const { raw } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: `${KEYS.down}y` },
      { when: 'Copied the citation', keys: 'q' },
    ])
    expect(Buffer.from(/\x1b\]52;c;([^\x07]+)\x07/.exec(raw)![1]!, 'base64').toString()).toMatch(/^[\w-]+$/)
  })

  it('is opened in the browser at its line, by an address that works once', async () => {
    const made = temporaryHome()
    putProgram(made, 'xdg-open', `echo "$1" > ${made}/opened`)
    await picked(
      '--demo',
      made,
      [
        { when: READY, keys: `postgres${KEYS.enter}` },
        { when: '] prompt', keys: 'o' },
        { when: 'The page is open', keys: 'q' },
      ],
      { PATH: `${made}/bin:${process.env.PATH}` },
    )
    expect(readFileSync(join(made, 'opened'), 'utf8')).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/session\/[\w-]+\/\d+\?code=[\w-]+\n$/,
    )
  })
})

describe('the picker', () => {
  it('opens while sessions are read for the first time, and says how far that is', async () => {
    const made = home()
    const words = Array.from({ length: 400 }, (_, number) =>
      claude.user(number + 1, `fern ${number} `.repeat(400), { cwd: '/home/ann/shed' }),
    )
    for (const number of [8, 9, 10, 11, 12, 13]) putClaude(made, uuid(number), words, '-home-ann-shed')
    const { screens } = await picked('', made, [
      { when: /reading \d+ files: \d+ %/, keys: KEYS.down },
      { when: /4 of 9[\s\S]* r resume/, keys: 'q' },
    ])
    expect(screens).toHaveLength(2)
  })

  it('fits into 40 columns and 10 lines', async () => {
    const { screens } = await picked(
      '--demo',
      temporaryHome(),
      [{ when: 'type to search', keys: KEYS.interrupt }],
      {},
      { columns: 40, rows: 10 },
    )
    expect(screens[0]).toMatchSnapshot()
  })

  it('has no colors with NO_COLOR', async () => {
    const { raw } = await picked(
      '--demo',
      temporaryHome(),
      [
        { when: READY, keys: `${KEYS.down}${KEYS.enter}` },
        { when: '] prompt', keys: 'q' },
      ],
      { NO_COLOR: '1' },
    )
    expect(raw).not.toMatch(/\x1b\[[0-9;]*m/)
  })

  it('says which keys there are', async () => {
    const { screens } = await picked('--demo', temporaryHome(), [
      { when: READY, keys: '?' },
      { when: 'Ctrl-Z stops', keys: KEYS.escape },
      { when: READY, keys: KEYS.interrupt },
    ])
    expect(screens[1]).toMatchSnapshot()
  })

  it('gives the terminal back as it was', async () => {
    const { raw, left } = await picked('--demo', temporaryHome(), [QUIT])
    expect(raw).toContain('\x1b[?1049l')
    expect(raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?25l'))
    expect(left).toBe('')
  })

  it('is drawn again after Ctrl-Z and fg, and takes keys', async () => {
    const made = home()
    const { screens, code, raw } = await play(
      `bash -mc '"${process.execPath}" "${program}"; fg'`,
      [
        { when: READY, keys: KEYS.suspend },
        { when: (_, raw) => raw.split('\x1b[?1049h').length > 4, keys: `${KEYS.down}q` },
      ],
      { cwd: made },
    )
    expect(raw.split('\x1b[?1049h').length - 1).toBeGreaterThanOrEqual(2)
    expect(screens).toHaveLength(2)
    expect(code).toBe(0)
  })

  it.each([
    ['in CI', '', { CI: 'true' }],
    ['on a terminal that only prints text', '', { TERM: 'dumb' }],
    ['in a pipe', '| cat', {}],
    ['without a keyboard', '< /dev/null', {}],
    ['as JSON', '--json', {}],
    ['below another command', 'sessions --all', {}],
  ])('is not opened %s', async (_, args, env) => {
    const { raw, code } = await picked(args, home(), [], { PAGER: 'cat', ...env })
    expect(stripVTControlCharacters(raw)).toContain('eastore')
    expect(raw).not.toContain('\x1b[?1049h')
    expect(code).toBe(0)
  })

  it('shows the demo where there are no transcripts, and says so', async () => {
    const { screens, left, code } = await picked('', temporaryHome(), [
      { when: /invented sessions · \d+ of/, keys: KEYS.interrupt },
    ])
    expect(screens[0]).toContain('What we learned from September to November')
    expect(left).toMatch(/^No transcripts on this machine[\s\S]*invented ones: scrollback --demo/)
    expect(code).toBe(0)
  })
})
