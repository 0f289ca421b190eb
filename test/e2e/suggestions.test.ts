import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { checkout, run, shellWords, variablesOf } from '../program.ts'
import {
  claude,
  put,
  putClaude,
  putProgram,
  sharedHome,
  TOKEN,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

/** Narrow enough to wrap most sentences. */
const COLUMNS = '60'
const SERVERS = ['serve']

/** What people type, each with flags that its suggestions have to keep. */
const LINES = [
  '',
  'sessions --all',
  'sessions --all --kind all --limit 3',
  'sessions eastore',
  'projects',
  'projects eastore',
  'search refund',
  'search refnd --limit 2',
  'search xyzzyxyzzy',
  'search refund --raw',
  'search "who:memory tea"',
  'read api --last 1',
  'read nowhere',
  'read',
  'session latest',
  'session api',
  'session',
  'resume api',
  'resume latest',
  'resume',
  'changes',
  'changes api',
  'changes latest --brief',
  'search',
  'tag',
  'tag --star',
  'tag api --star',
  'cron',
  'cron --failed',
  'cron nothing',
  'runs',
  'stats',
  'stats --by model',
  'stats nowhere',
  'secrets',
  'secrets --all',
  'secrets eastore',
  'doctor',
  'memory',
  'memory nowhere',
  'memory "tea" --search',
  'devlog eastore',
  'devlog api --topic refund',
  'devlog api --since 2030-01-01 --yes',
  'devlog api --sessions zz',
  'devlog nowhere',
  'forget',
  'forget zzzzzzzz --dry-run',
  'forget 640ab4c7 --dry-run',
  'forget --list',
  'overview',
  'doctor --vanishing',
  'export api',
  'setup',
  'setup claude',
  'setup claude --undo',
  'collect --status',
  'collect',
  'index',
  'follow nowhere',
  'read --editor',
  'sessions nowhere',
  'sessions ./package.json --all',
]

/** What a shell does besides finding the words. */
const MORE_THAN_WORDS = /^(?!scrollback )|[|&;><]|\$\(/

/** Runs a line in a shell, in which `scrollback` and the clients are programs. */
function shell(line: string, home: string): { code: number | null; text: string } {
  const env = variablesOf(home, { COLUMNS, PATH: `${join(home, 'bin')}:${process.env.PATH}` })
  if (!MORE_THAN_WORDS.test(line) && !SERVERS.some((name) => line.includes(name))) {
    const { code, stdout, stderr } = run(shellWords(line, home), home, { env })
    return { code, text: `${stdout}${stderr}` }
  }
  const isServer = SERVERS.some((name) => line.startsWith(`scrollback ${name}`))
  // The shell would end without the server that it has started.
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', isServer ? `exec ${line}` : line], {
    cwd: home,
    encoding: 'utf8',
    timeout: isServer ? 2000 : 60_000,
    env,
  })
  return { code: status, text: `${stdout}${stderr}` }
}

/** The commands in a text: each ends its line. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^ *|: +)((?:scrollback|cd|claude|openclaw) .*)$/gm)].map(([, command]) =>
    command!.trim(),
  )

const foldersIn = (command: string): string[] =>
  [...command.matchAll(/-dir 'my agents\/(\.\w+)'/g)].map(([, folder]) => folder!)

/** A home with a copy of the demo in folders whose names a shell would split, and programs on its path. */
function demoHome(): { home: string; flags: string } {
  const home = temporaryHome()
  for (const name of ['.claude', '.openclaw'])
    cpSync(join(checkout, 'demo', name), join(home, 'my agents', name), { recursive: true })

  put(join(home, 'my agents/.claude/projects/-home-dev-keys', `${uuid(1)}.jsonl`), [
    { ...claude.user(1, `my key is ${TOKEN}`), cwd: '/home/dev/keys' },
  ])
  putProgram(home, 'scrollback', `exec ${process.execPath} ${installed().program} "$@"`)
  for (const name of ['claude', 'openclaw']) putProgram(home, name, '')
  return { home, flags: `--claude-dir 'my agents/.claude' --openclaw-dir 'my agents/.openclaw'` }
}

describe('every command that is printed', () => {
  it('is one line that runs as it is pasted, about the same folders, or that of its session', () => {
    const { home, flags } = demoHome()
    const found = new Map<string, string>()
    for (const line of LINES)
      for (const command of commandsIn(shell(`scrollback ${line} ${flags}`, home).text))
        if (!found.has(command)) found.set(command, line)
    expect(found.size).toBeGreaterThan(30)
    const failed = [...found].flatMap(([command, line]) => {
      const { code, text } = shell(command, home)
      // A search for words that occur nowhere runs, and finds nothing.
      const isNothing = code === 1 && /^scrollback search /.test(command) && /^Nothing matches /.test(text)
      const isWell =
        code === 0 || isNothing || (code === null && SERVERS.some((name) => command.includes(` ${name} `)))
      return isWell ? [] : [{ line, command, code, text: text.slice(0, 200) }]
    })
    expect(failed).toEqual([])
    for (const command of found.keys())
      if (command.startsWith('scrollback ') && !/ --(?:demo|help)\b/.test(command))
        expect(foldersIn(command)).toEqual(
          /^scrollback (?:read|runs|changes|session|resume) [0-9a-f]{8}\S* /.test(command)
            ? [expect.any(String)]
            : ['.claude', '.openclaw'],
        )
  }, 300_000)

  it('keeps the flags of the line that it answers', () => {
    const { home, flags } = demoHome()
    const of = (line: string): string => shell(`scrollback ${line} ${flags}`, home).text
    expect(of('secrets --all')).toContain('scrollback secrets --all --places ')
    expect(of('devlog api --topic refund')).toContain('scrollback devlog api --topic refund --yes ')
    expect(of('stats --by model --since 2025-01-01')).toContain(
      'scrollback stats --by model --since 2025-01-01 --deleted ',
    )
    expect(of('resume api')).toContain('scrollback resume api:latest ')
    expect(of('devlog eastore --yes')).not.toMatch(/--all/)
  })
})

describe('a filter by a name', () => {
  const home = sharedHome()
  putClaude(home, uuid(1), [
    claude.user(1, 'Water the moss', { gitBranch: 'garden' }),
    claude.reply(2, [text('Wet.')]),
  ])

  it.each([
    ['--model', 'oak', '--model: no session has the model "oak". Known: claude-sonnet-4-6.'],
    ['--branch', 'gardne', '--branch: no session has the branch "gardne". Did you mean garden?'],
    ['--tag', 'oak', '--tag: no session has the tag "oak".'],
    ['--title', 'oak', '--title: no title contains "oak".'],
  ])('that no session has, %s %s, says what there is', (flag, value, expected) => {
    expect(run(['sessions', '--all', flag, value], home)).toMatchObject({
      stdout: 'No session matches.\n',
      stderr: `${expected}\n`,
    })
  })

  it.each(['--agent', '--model', '--branch', '--tag', '--title'])('%s is wrong if it is empty', (flag) => {
    for (const command of ['sessions', 'read'])
      expect(run([command, '--all', flag, ''], home)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`scrollback: ${flag}`),
        stdout: '',
      })
  })
})
