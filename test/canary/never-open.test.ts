import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { opened } from '../../src/io/source.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { answer, checkout, program, run } from '../program.ts'
import { sharedHome } from '../records.ts'
import { cronFiles } from './cron-tree.ts'
import { semanticFiles } from './semantic-tree.ts'
import { plantInnerLinks, plantTree } from './tree.ts'

const home = sharedHome()
afterEach(() => {
  opened.listener = undefined
})
const { canaries, transcripts } = plantTree(home)

/** Every command, with all the flags that show more. */
const QUESTIONS: readonly (readonly string[])[] = [
  [],
  ['--json'],
  ['projects'],
  ['projects', 'garden', '--json'],
  ['projects', 'canary'],
  ['sessions', '--all'],
  ['sessions', '--all', '--json', '--deleted', '--no-redact'],
  ['sessions', 'canary'],
  ...['text', 'md', 'json', 'jsonl'].flatMap((format) => [
    ['read', '--all', '--format', format],
    ['read', '--all', '--format', format, '--full', '--deleted', '--no-redact', '--kind', 'all', '--lines'],
  ]),
  ['read', '--all', '--budget', '100k', '--deleted'],
  ['cron'],
  ['cron', '--json', '--no-redact', '--identities'],
  ['cron', 'moss', '--json', '--no-redact'],
  ['cron', 'canary'],
  ['secrets', '--all'],
  ['secrets', '--all', '--json', '--places', '--deleted', '--no-redact'],
  ['memory'],
  ['memory', '--json'],
  ['memory', 'main', '--recall', 'moss'],
  ['memory', '--recall', 'canary', '--json'],
  ['memory', '--recall', 'k', '--limit', '0'],
  ['runs', '--all'],
  ['collect', 'stdout:', '--history', 'all', '--deleted', '--redact', 'off', '--normalized'],
  ['collect', 'stdout:', '--state', 'other-state', '--history', 'all', '--json'],
  ['collect', '--list', '--json', '--deleted'],
  ['collect', '--dry-run', '--json'],
  ['collect', '--status', '--json'],
  ['read', 'live'],
  ['read', 'x'],
  ['read', 'garden', '--full'],
  ['search', 'moss', '--json'],
  ['search', 'canary', '--deleted'],
  ['search', 'moss', '--raw', '--deleted'],
  ['restore', 'garden', '--dry-run', '--json'],
  ['pack', 'garden', '--out', 'garden.pack', '--json'],
  ['move', '/home/ann/garden', '/tmp', '--dry-run', '--json'],
  ['doctor', '--deep'],
  ['doctor', '--json'],
]

const canariesIn = (text: string): string[] =>
  [...canaries].flatMap(([path, canary]) => (text.includes(canary) ? [path] : []))

describe('files that contain secrets', () => {
  it('are next to the transcripts in this test, each with its own word', () => {
    expect(canaries.size).toBeGreaterThan(100)
    expect(new Set(canaries.values()).size).toBe(canaries.size)
  })

  it.each(QUESTIONS.map((args) => [args.join(' ') || '(bare)', args] as const))(
    'never appear in the output of: scrollback %s',
    (_, args) => {
      const { stdout, stderr, code } = run(args, home)
      expect(canariesIn(stdout + stderr)).toEqual([])
      expect(stderr).not.toContain('a fault of the program itself')
      // What is not deleted is not restored: that is told as wrong use.
      expect(args[0] === 'restore' ? [0, 1, 2, 3] : [0, 1, 3]).toContain(code)
    },
  )

  it('leave nothing in the store, in any byte order', () => {
    run(['index', '--deleted'], home)
    const folder = join(home, '.local/share/scrollback')
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(files.join('').length).toBeGreaterThan(10_000)
    expect(files.flatMap(canariesIn)).toEqual([])
    expect(run(['search', 'moss', '--deleted', '--json'], home).stdout).toContain(
      'The moss is in a cold file',
    )
  })

  it('are rejected if they are not named like a transcript', () => {
    const path = join(home, '.openclaw/secrets.json')
    const { stdout, stderr, code } = run(['read', path], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(
      `scrollback: ${path} is not named like a transcript\nTranscripts end in .jsonl; nothing else is opened.\n`,
    )
  })

  it("are not opened by any command, according to the program's own record", async () => {
    const seen = new Set<string>()
    const cold = join(home, '.openclaw/agents/main/sessions/cold')
    opened.listener = (path) => seen.add(realpathSync(path))
    const environment: Environment = { home, variables: {}, deleted: true }
    const whole = { all: true, full: true, kind: 'all' }
    const store = join(home, 'store-of-this-process')
    for (const json of [false, true]) {
      await answer('overview', {}, environment, { json })
      await answer('projects', {}, environment, { json })
      await answer('projects', { name: 'garden' }, environment, { json })
      await answer('sessions', { all: true }, environment, { json })
      await answer('cron', {}, environment, { json })
      await answer('cron', { job: 'moss' }, environment, { json })
      await answer('memory', {}, environment, { json, store })
      await answer('memory', { recall: 'moss' }, environment, { json, store })
      await answer('read', { all: true, budget: '10k' }, environment, { json })
      for (const format of ['text', 'md', 'json', 'jsonl'])
        await answer('read', { ...whole, format }, environment, { json })
    }
    expect([...seen].filter((path) => canaries.has(path))).toEqual([])
    expect([...seen].sort()).toEqual(
      [
        ...transcripts,
        ...cronFiles(join(home, '.openclaw')),
        ...semanticFiles(join(home, '.openclaw')),
        join(home, '.openclaw/agents/main/sessions/sessions.json'),
        join(home, '.openclaw/agents/main/agent/openclaw-agent.sqlite'),
        ...readdirSync(cold).map((name) => join(cold, name)),
      ].sort(),
    )
  })
})

const traced = spawnSync('strace', ['-f', '-y', '-o', '/dev/null', 'true']).status === 0

describe.skipIf(!traced)(
  'files that contain secrets, according to the system calls (skipped where strace cannot run)',
  () => {
    it.each([
      [['sessions', '--all', '--deleted', '--json']],
      [['read', '--all', '--full', '--deleted', '--kind', 'all', '--format', 'json']],
      [['projects', 'garden']],
      [['cron', 'moss']],
      [['memory', '--recall', 'moss']],
      [['collect', 'stdout:', '--state', join(home, 'traced-state'), '--history', 'all', '--deleted']],
      [['runs', '--all']],
      [[]],
    ])('are not opened by: scrollback %j', (args) => {
      const log = join(home, 'trace')
      const tracing = ['-f', '-y', '-s', '4096', '-e', 'trace=open,openat,openat2', '-o', log]
      const { status } = spawnSync('strace', [...tracing, process.execPath, program, ...args], {
        cwd: checkout,
        // A separate store, because what is already stored would not be opened again.
        env: {
          HOME: home,
          PATH: process.env.PATH,
          SCROLLBACK_HOME: join(home, `store-${args.length}-${args[0]}`),
        },
      })
      const calls = readFileSync(log, 'utf8')
      rmSync(log)
      // The path as it was requested and, after the descriptor, where its links lead.
      const paths = new Set(
        [...calls.matchAll(/"((?:[^"\\]|\\.)*)"|= \d+<([^>]*)>/g)].map((match) => match[1] ?? match[2]!),
      )
      expect(status).toBe(3)
      expect([...paths].filter((path) => canaries.has(path))).toEqual([])
      expect(transcripts.filter((path) => !path.includes('.deleted.') && !paths.has(path))).toEqual([])
    })
  },
)

it('links inside the state directories do not lead to a secret', () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-canary-')))
  try {
    const tree = plantTree(other)
    plantInnerLinks(other)
    const { stdout } = run(['sessions', '--all', '--json', '--deleted'], other)
    const leaked = [...tree.canaries.values()].filter((canary) => stdout.includes(canary))
    expect(leaked).toEqual([])
  } finally {
    rmSync(other, { recursive: true })
  }
})
