import { describe, expect, it } from 'vitest'
import { demoHome, run, runProcess } from '../program.ts'
import { sharedHome } from '../records.ts'

/** A sample of everything that is printed: answers, empty ones, errors, help, JSON and files. */
const COMMANDS = [
  '',
  '--help',
  '--json',
  'help search',
  'read --help',
  'projects',
  'projects eastore --json',
  'sessions',
  'sessions --all --json',
  'sessions eastore',
  'sessions nothing-like-it',
  'sessions --since yesterday',
  'sessions --since no-time',
  'sessions --frobnicate',
  'session 640ab4c7',
  'read 640ab4c7',
  'read 640ab4c7 --json',
  'read 640ab4c7 --full --format md',
  'read 640ab4c7 --format jsonl --no-redact',
  'read ffff0000',
  'search rounding',
  // The clock of the demo stands still, and scores depend on it.
  'search rounding --json --demo',
  'search "no such words" --all',
  'search rounding --raw',
  'stats',
  'stats --by model --json',
  'stats --by nonsense',
  'runs --all',
  'cron',
  'changes 640ab4c7',
  'memory',
  'devlog eastore',
  'export 640ab4c7 --format md --out -',
  'handoff 640ab4c7',
  'resume 640ab4c7',
  'secrets --all',
  'doctor --json',
  'collect --list --json',
  'collect --dry-run --json',
  'completions zsh',
  'frobnicate',
  'tag',
] as const

describe('a command', () => {
  const home = demoHome(sharedHome())
  run(['index'], home)

  it.each(COMMANDS)('prints the same in a process of its own as in a thread: scrollback %s', (line) => {
    const words = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? []
    const thread = run(words, home)
    expect(runProcess(words, home)).toEqual(thread)
    expect(thread.stdout + thread.stderr).not.toBe('')
  })

  it('is answered by threads that see nothing of the environment of the tests', () => {
    process.env.SCROLLBACK_HOME = '/nowhere'
    try {
      expect(run(['sessions', '--all'], home).code).toBe(0)
    } finally {
      delete process.env.SCROLLBACK_HOME
    }
  })
})
