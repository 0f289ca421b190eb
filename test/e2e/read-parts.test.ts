import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureRoot } from '../openclaw-fixtures.ts'
import { type Json, json, run } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  putClaude,
  putOpenclaw,
  putProgram,
  sharedHome,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const ID = '640ab4c7-d010-4b20-a591-b7172ef08e66'

/** Seven entries, each on the line of its number. */
const made = sharedHome()
function fill(home: string): string {
  return putClaude(home, ID, [
    claude.user(1, 'one'),
    claude.reply(2, [text('two tea')]),
    claude.user(3, 'three'),
    claude.reply(4, [text('four')]),
    claude.user(5, 'five Tea'),
    claude.reply(6, [text('six')]),
    claude.user(7, 'seven'),
  ])
}
const path = fill(made)

const textsOf = (home: string, ...args: string[]): string[] => {
  const { stdout, code } = run(['read', ...args, '--json'], home)
  return code === 0 ? JSON.parse(stdout).items.map(({ text }: Json) => text) : []
}

describe('the words of a session', () => {
  const home = sharedHome()
  putClaude(home, ID, [
    claude.user(1, 'count the cups'),
    claude.reply(2, [text('I look.'), call('call_1', 'Bash', { command: 'ls cups' })]),
    claude.result(3, 'call_1', 'no such folder', true),
    claude.reply(4, [call('call_2', 'Bash', { command: 'ls cups' })]),
    claude.result(5, 'call_2', 'no such folder', true),
    claude.reply(6, [text('There are none.')]),
    claude.reply(7, [text('API Error: 529 overloaded')], { isApiErrorMessage: true }),
  ])

  it.each([
    [['--who', 'human'], ['count the cups']],
    [
      ['--who', 'agent'],
      ['I look.', 'There are none.'],
    ],
    [
      ['--who', 'human,agent'],
      ['count the cups', 'I look.', 'There are none.'],
    ],
    // The error of a reply is no tool's.
    [['--no-tools'], ['count the cups', 'I look.', 'There are none.', 'API Error: 529 overloaded']],
  ])('are all that is read with %s', (flags, expected) => {
    expect(textsOf(home, '640ab4c7', ...flags)).toEqual(expected)
    expect(textsOf(home, '640ab4c7', ...flags, '--full')).toEqual(expected)
  })

  it('have each of several thoughts of a record once with --full, in its order', () => {
    const own = temporaryHome()
    const thought = (thinking: string) => ({ type: 'thinking', thinking, signature: 'x' })
    putClaude(own, uuid(4), [
      claude.user(1, 'Tea?'),
      claude.reply(2, [thought('Green?'), thought('Or black?'), text('Both.'), thought('Milk?')]),
      claude.reply(3, [thought('Sugar?')]),
    ])
    const { items } = json(own, 'read', uuid(4), '--full')
    expect(items.map(({ text, thinking }: Json) => thinking ?? text)).toEqual([
      ...['Tea?', 'Green?', 'Or black?', 'Both.', 'Milk?', 'Sugar?'],
    ])
  })

  it('have no other speakers', () => {
    const { code, stderr } = run(['read', '640ab4c7', '--who', 'dog'], home)
    expect({ code, names: stderr.includes('human, agent or program') }).toEqual({ code: 2, names: true })
  })

  it('stand between calls that are folded with their errors if they repeat', () => {
    const { stdout } = run(['read', '640ab4c7'], home)
    expect(stdout).toContain('→ Bash ×2 ls cups')
    expect(stdout.match(/no such folder/g)).toHaveLength(1)
    expect(run(['read', '640ab4c7', '--lines'], home).stdout.match(/no such folder/g)).toHaveLength(2)
  })
})

it('a line after the end of a session is named with the number of its lines', () => {
  const { stdout, stderr, code } = run(['read', '640ab4c7:99'], made)
  expect({ stdout, code }).toEqual({ stdout: 'Nothing to read.\n', code: 1 })
  expect(stderr).toContain('Line 99 is after the end of the session, which has 7 lines.')
  for (const line of [0, -1]) {
    const before = run(['read', `640ab4c7:${line}`], made)
    expect(before).toMatchObject({ stdout: 'Nothing to read.\n', code: 1 })
    expect(before.stderr).toContain('Lines count from 1.')
  }
})

describe('a part of a session', () => {
  it('starts at the line that a search prints', () => {
    for (const target of [
      '640ab4c7:5',
      `${ID}:5`,
      `${path}:5`,
      `.claude/projects/-home-ann-garden/${ID}.jsonl:5`,
    ])
      expect(textsOf(made, target), target).toEqual(['five Tea', 'six', 'seven'])
    const footer = /scrollback (read \S+)/.exec(run(['search', 'five'], made).stdout)?.[1]
    expect(footer).toBe('read 640ab4c7:5')
    expect(run(footer!.split(' '), made).stdout).toContain('five Tea')
  })

  it('is the context of a line, the matches of a word, or the end', () => {
    expect(textsOf(made, '640ab4c7:5', '--around', '1')).toEqual(['four', 'five Tea', 'six'])
    expect(textsOf(made, 'garden', '--grep', 'TEA')).toEqual(['two tea', 'five Tea'])
    expect(textsOf(made, 'garden', '--grep', 'five', '--around', '1')).toEqual(['four', 'five Tea', 'six'])
    expect(textsOf(made, 'garden', '--last', '2')).toEqual(['six', 'seven'])
  })

  it('is the same from the transcript itself, and with details', () => {
    for (const more of [['--no-redact'], ['--full']])
      expect(textsOf(made, '640ab4c7:5', '--around', '1', ...more)).toEqual(['four', 'five Tea', 'six'])
  })

  it('fits a budget like a whole session', () => {
    expect(textsOf(made, '640ab4c7:5', '--budget', '1k')).toEqual(['five Tea', 'six', 'seven'])
  })

  it('omits sessions without matches', () => {
    const made = temporaryHome()
    fill(made)
    putClaude(made, '11111111-d010-4b20-a591-b7172ef08e66', [claude.user(20, 'no such word')])
    const { stdout } = run(['read', 'garden', '--grep', 'tea'], made)
    expect(stdout).toContain('five Tea')
    expect(stdout).not.toContain('11111111')
    expect(run(['read', 'garden', '--grep', 'coffee'], made).stdout).toBe('Nothing to read.\n')
  })

  it('cannot be combined with subagents, except from a line on', () => {
    expect(run(['read', 'garden', '--subagents', '--last', '2'], made)).toMatchObject({ stdout: '', code: 2 })
    expect(textsOf(made, '640ab4c7:5', '--subagents')).toEqual(['five Tea', 'six', 'seven'])
  })

  it('opens in an editor, at the line', () => {
    const open = (EDITOR?: string) =>
      run(['read', '640ab4c7:5', '--editor'], made, EDITOR ? { env: { EDITOR } } : {})
    for (const [name, flags, expected] of [
      ['vi', '', `+5 ${path}`],
      ['code', ' --wait', `--wait --goto ${path}:5`],
      ['hx', '', `${path}:5`],
    ] as const) {
      const editor = putProgram(made, name, 'echo "$*"')
      expect(open(`${editor}${flags}`)).toEqual({ stdout: `${expected}\n`, stderr: '', code: 0 })
    }
    expect(open().stderr).toContain('Set EDITOR')
    expect(open('no-such-editor').stderr).toContain('could not be started')
  })
})

const homeOf = (name: string): string => {
  const home = temporaryHome()
  cpSync(fixtureRoot(name).path, join(home, '.openclaw'), { recursive: true })
  return home
}

describe('a compaction that lists the files of the conversation', () => {
  it('has them as fields in JSON', () => {
    const home = homeOf('compaction-files')
    for (const more of [[], ['--full']]) {
      const marks = json(home, 'read', '--all', ...more).items.filter(
        ({ marker }: Json) => marker === 'compaction',
      )
      expect(marks).toMatchObject([
        { readFiles: ['shelf.txt', 'cups.txt'], modifiedFiles: ['shelf.txt'] },
        { readFiles: ['drawer.txt'] },
      ])
      if (more.length > 0) expect(marks[0]?.summary).toBe('The shelf is tidy.')
    }
  })

  it.each(['text', 'md'])('shows them after the summary with --full as %s', (format) => {
    const home = homeOf('compaction-files')
    const { stdout } = run(['read', '--all', '--full', '--format', format], home)
    expect(stdout).toMatch(
      /The shelf is tidy\.[\s\S]*Files read:[\s\S]*cups\.txt[\s\S]*Files changed:[\s\S]*shelf\.txt/,
    )
    expect(stdout).not.toContain('read-files')
  })
})

it('an id that two agents have means both sessions, its line is that of each, and --agent decides', () => {
  const home = temporaryHome()
  putClaude(home, ID, [claude.user(1, 'of Claude')])
  putOpenclaw(home, `${ID}.jsonl`, [openclaw.header(ID), openclaw.user(2, 'of OpenClaw')])
  expect(textsOf(home, ID).sort()).toEqual(['of Claude', 'of OpenClaw'])
  expect(textsOf(home, `${ID.slice(0, 8)}:2`)).toEqual(['of OpenClaw'])
  expect(textsOf(home, ID, '--agent', 'main')).toEqual(['of OpenClaw'])
  expect(textsOf(home, ID, '--agent', 'claude')).toEqual(['of Claude'])
  expect(run(['read', ID, '--agent', 'nobody'], home)).toMatchObject({ code: 1 })
})

it('a session that is in two folders as it is, is read once, and fits into one stream', () => {
  const home = temporaryHome()
  putClaude(home, ID, [claude.user(1, 'once'), claude.reply(2, [text('and again')])])
  const projects = join(home, '.claude/projects')
  const [own] = readdirSync(projects)
  cpSync(join(projects, own!), join(projects, '-srv-elsewhere'), { recursive: true })
  expect(textsOf(home, ID, '--last', '1')).toEqual(['and again'])
  expect(textsOf(home, ID, '--who', 'human')).toEqual(['once'])
  for (const format of ['atif', 'native'])
    expect(run(['export', ID, '--format', format, '--out', '-'], home)).toMatchObject({ code: 0, stderr: '' })
})

it('--around asks for a line or for words, because it is around nothing else', () => {
  expect(run(['read', ID, '--around', '2'], made)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--around needs a line, or --grep'),
  })
})

describe('a session of more lines than are held at once', () => {
  it('reads like any other: a speaker is named once, and what repeats is one line', () => {
    const home = temporaryHome()
    const lines = Array.from({ length: 20_100 }, (_, number) =>
      number === 0 || number === 15_000
        ? claude.user(number + 1, `fern ${number}`)
        : claude.reply(
            number + 1,
            number < 10_000 ? [text(`leaf ${number}`)] : [call(`c${number}`, 'Bash', { command: 'water' })],
          ),
    )
    putClaude(home, ID, lines)
    const { stdout, stderr, code } = run(['read', ID], home)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout.match(/^\S.*/gm)!.map((line) => line.replace(/ {2}\d.*/, ''))).toEqual([
      '━━ fern 0',
      'You',
      'Claude',
      'You',
      'Claude',
    ])
    expect(stdout.match(/^ {2}leaf \d+$/gm)).toHaveLength(9999)
    expect(stdout.match(/^ {2}→ Bash.*/gm)).toEqual(['  → Bash ×5000 water', '  → Bash ×5099 water'])
  })
})
