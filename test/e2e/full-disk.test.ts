import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstPlatform } from '../first-platform.ts'
import { program, run, variablesOf } from '../program.ts'
import { createRandom } from '../random.ts'
import { claude, put, putClaude, temporaryHome, text, userLines, uuid } from '../records.ts'

const anyFolder = realpathSync(tmpdir())
const mountable =
  spawnSync('unshare', [
    '-r',
    '-m',
    'sh',
    '-c',
    // Not every system lets an unprivileged user make it larger.
    `mount -t tmpfs -o size=1m tmpfs '${anyFolder}' && mount -o remount,size=2m '${anyFolder}'`,
  ]).status === 0

describe.skipIf(!mountable)('a full disk (skipped where no small one can be mounted)', () => {
  it('is reported, loses nothing that was stored, and commands use the stored content', () => {
    const home = temporaryHome()
    const disk = join(home, 'disk')
    mkdirSync(disk)
    putClaude(home, uuid(1), userLines(1, 2))
    const words = (number: number) => Array.from({ length: 60 }, (_, each) => `w${number}x${each}`).join(' ')
    put(
      join(home, 'more'),
      Array.from({ length: 2000 }, (_, number) => claude.reply(number + 9, [text(words(number))])),
    )
    const script = `
      mount -t tmpfs -o size=1500k tmpfs disk
      tell() { echo "$ $*"; "$NODE" "$PROGRAM" "$@" 2>&1 | sed "s|$HOME|~|g; s| in [0-9.]* [kM]B.*||"; echo "exit \${PIPESTATUS[0]}"; }
      tell index
      cat more >> .claude/projects/-home-ann-garden/${uuid(1)}.jsonl
      tell index
      tell search fern
      cat /dev/zero > disk/filler 2>/dev/null
      tell search fern
      tell index
      rm disk/filler
      mount -o remount,size=100m disk
      tell index
      tell search fern
      tell doctor --deep`
    const { stdout } = spawnSync('unshare', ['-r', '-m', 'bash', '-c', script], {
      encoding: 'utf8',
      cwd: home,
      env: variablesOf(home, { SCROLLBACK_HOME: disk, NODE: process.execPath, PROGRAM: program }),
    })
    expect(firstPlatform(stdout).replace(/tried up to \S+/g, 'tried')).toMatchInlineSnapshot(`
      "$ index
      Read 638 B of 1 file; 0 files unchanged.
      The store contains 2 messages of 1 transcript
      exit 0
      $ index
      scrollback: The disk is full: the store at ~/disk/store.sqlite could not be written.
      Nothing stored before is lost. Free some space, or set SCROLLBACK_HOME to a folder on another disk.
      exit 1
      $ search fern
      The disk is full: the store at ~/disk/store.sqlite could not be written. Nothing stored before is lost. Free some space, or set SCROLLBACK_HOME to a folder on another disk. This answer shows what was stored before.
      Incomplete: searched 0 of 1 file.
      ━━ 2026-11-01 · garden · Claude Code · fern 1
        :2 26-11-01 10:02  You     fern 2
        :1 26-11-01 10:01  You     fern 1
        scrollback read 0a1b2c3d:2

      2 matches in 1 session
      exit 3
      $ search fern
      The store ~/disk/store.sqlite is read-only: this answer is as old as its last update.
      ━━ 2026-11-01 · garden · Claude Code · fern 1
        :2 26-11-01 10:02  You     fern 2
        :1 26-11-01 10:01  You     fern 1
        scrollback read 0a1b2c3d:2

      2 matches in 1 session
      exit 3
      $ index
      scrollback: Nothing was indexed: the store at ~/disk/store.sqlite cannot be written.
      Make room on its disk, or make it and its folder writable, or set SCROLLBACK_HOME to another folder.
      exit 1
      $ index
      Read 2.0 MB of 1 file; 0 files unchanged.
      The store contains 2,002 messages of 1 transcript
      exit 0
      $ search fern
      ━━ 2026-11-01 · garden · Claude Code · fern 1
        :2 26-11-01 10:02  You     fern 2
        :1 26-11-01 10:01  You     fern 1
        scrollback read 0a1b2c3d:2

      2 matches in 1 session
      exit 0
      $ doctor --deep
      ✓ ~/.claude (default), tried

      1 file, 2.0 MB, 2,002 lines: 2,002 indexed, 0 skipped on purpose, 0 of unknown type, 0 damaged.
      The store contains 2,002 messages with 2,002 occurrences

      Nothing is missing; every file was read again and compared.
      exit 0
      "
    `)
  })

  it('has no store, and commands answer from the transcripts, again and again', () => {
    const home = temporaryHome()
    mkdirSync(join(home, 'disk'))
    putClaude(home, uuid(1), userLines(1, 2))
    const script = `
      mount -t tmpfs -o size=100k tmpfs disk
      cat /dev/zero > disk/filler 2>/dev/null
      for each in 1 2; do "$NODE" "$PROGRAM" sessions --all --json | grep -c '"id"'; done`
    const { stdout } = spawnSync('unshare', ['-r', '-m', 'bash', '-c', script], {
      encoding: 'utf8',
      cwd: home,
      env: variablesOf(home, {
        SCROLLBACK_HOME: join(home, 'disk'),
        NODE: process.execPath,
        PROGRAM: program,
      }),
    })
    expect(stdout).toBe('1\n1\n')
  })

  it.each([
    ['for the archive', 'data'],
    ['for archive and state', 'disk'],
  ])('%s: collect reports how many records are in the archive, and delivers the rest later', (_, data) => {
    const home = temporaryHome()
    const random = createRandom(20261122)
    const noise = () => Array.from({ length: 120 }, () => random(2 ** 31).toString(36)).join('')
    for (let file = 1; file <= 4; file++)
      putClaude(
        home,
        uuid(file),
        Array.from({ length: 900 }, (_, number) => claude.user(file * 1000 + number, noise())),
      )
    mkdirSync(join(home, 'disk'))
    const script = `
      mount -t tmpfs -o size=1m tmpfs disk
      tell() { "$NODE" "$PROGRAM" collect "$@" 2>/dev/null; echo "exit $?"; }
      tell file:disk/archive --history all --json
      tell --verify disk/archive --json
      mount -o remount,size=100m disk
      tell file:disk/archive --json
      tell --verify disk/archive --json`
    const { stdout } = spawnSync('unshare', ['-r', '-m', 'bash', '-c', script], {
      ...{ encoding: 'utf8', cwd: home, maxBuffer: 1 << 24 },
      env: variablesOf(home, { SCROLLBACK_HOME: join(home, data), NODE: process.execPath, PROGRAM: program }),
    })
    const answers = stdout.split(/^exit (\d)\n/m)
    const [full, , verified, , rest, , whole] = answers.map((text) =>
      text.startsWith('{') ? JSON.parse(text) : undefined,
    )
    expect([1, 3, 5, 7].map((at) => answers[at])).toEqual(['3', '0', '0', '0'])
    const [{ records, error }] = full.destinations
    expect(error).toContain('disk is full')
    expect(records).toBeGreaterThan(0)
    expect(records).toBe(verified.verified.records)
    expect(verified.verified.torn).toEqual([])
    expect(rest.destinations[0].error).toBe(null)
    expect(whole.verified.distinct).toBe(3600)
    expect(whole.verified.records).toBe(records + rest.destinations[0].records)
  })
})

const storeOf = (home: string): string => join(home, '.local/share/scrollback/store.sqlite')

describe('a path where no store can be created', () => {
  it.each([
    ['a/store.sqlite is a folder', 'a', 'a/store.sqlite', 'this is a folder'],
    ['its folder is a file', 'file', 'file/store.sqlite', 'a part of this path is a file'],
    ['a folder above it is a file', 'file/below', 'file/below/store.sqlite', 'a part of this path is a file'],
    ['its lock is a folder', 'b', 'b/store.sqlite.lock', 'this is a folder'],
  ])('is reported, with a way out: %s', (_, folder, path, reason) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 1))
    mkdirSync(join(home, 'a/store.sqlite'), { recursive: true })
    mkdirSync(join(home, 'b/store.sqlite.lock'), { recursive: true })
    writeFileSync(join(home, 'file'), '')
    const { stdout, stderr, code } = run(['sessions', '--all'], home, {
      env: { SCROLLBACK_HOME: join(home, folder) },
    })
    expect({ stdout, stderr: stderr.replaceAll(home, '~'), code }).toEqual({
      stdout: '',
      stderr: `scrollback: The store ~/${path} cannot be created: ${reason}.\nSet SCROLLBACK_HOME to a folder that you may write to.\n`,
      code: 1,
    })
  })

  it.skipIf(!existsSync('/proc/self'))('is reported if the system gives contradictory answers', () => {
    const { stderr, code } = run(['sessions', '--all'], temporaryHome(), {
      env: { SCROLLBACK_HOME: '/proc/nowhere' },
      timeout: 120_000,
    })
    expect(stderr).toContain(
      'The store /proc/nowhere/store.sqlite cannot be created: its folder cannot be created.\n',
    )
    expect(code).toBe(1)
  })
})

describe('a damaged store', () => {
  const SET_ASIDE = 'The store was damaged, or written by an early version. It was moved to '
  const noise = (length: number): Buffer => Buffer.alloc(length, 'this is no page of any database ')

  it.each([
    ['its first page is overwritten', (path: string) => overwrite(path, 0)],
    ['it is cut off', (path: string) => truncateSync(path, 10_000)],
    ['it is cut off within its first page', (path: string) => truncateSync(path, 50)],
  ])('is set aside and created again: %s', (_, damage) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 2))
    run(['index'], home)
    damage(storeOf(home))
    const { stdout, stderr, code } = run(['search', 'fern'], home)
    expect(stdout).toContain('2 matches in 1 session')
    expect(stderr).toContain(SET_ASIDE)
    expect(code).toBe(0)
    expect(run(['search', 'fern'], home)).toMatchObject({ stdout, stderr: '', code: 0 })
  })

  it('is set aside at the latest when a query reads the damage, wherever it is', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 2))
    run(['index'], home)
    const whole = readFileSync(storeOf(home))
    let met = 0
    for (let page = 1; page * PAGE < whole.length; page += 3) {
      writeFileSync(storeOf(home), whole)
      overwrite(storeOf(home), page)
      const first = run(['search', 'fern'], home)
      expect(first.stderr, `page ${page}`).not.toContain('fault of the program')
      if (first.stderr === '') continue
      met++
      expect(first.stderr, `page ${page}`).toMatch(/The store was damaged.*It was moved to /)
      if (first.code === 1)
        expect(first.stderr).toContain('Run the command again: it rebuilds the store from the transcripts.')
      else expect(first.code).toBe(0)
      const second = run(['search', 'fern'], home)
      expect({ stderr: second.stderr, code: second.code }).toEqual({ stderr: '', code: 0 })
      expect(second.stdout).toContain('2 matches in 1 session')
    }
    expect(met).toBeGreaterThan(1)
  })

  it('is not assumed if only its journal or its lock file is invalid', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1, 2))
    run(['index'], home)
    for (const name of [`${storeOf(home)}-wal`, `${storeOf(home)}.lock`]) {
      writeFileSync(name, noise(100_000))
      putClaude(home, uuid(2), userLines(11, 1))
      const { stdout, stderr, code } = run(['search', 'fern'], home)
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
      expect(stdout).toContain('3 matches in 2 sessions')
    }
  })

  const PAGE = 8192
  function overwrite(path: string, page: number): void {
    const content = readFileSync(path)
    noise(PAGE).copy(content, page * PAGE)
    writeFileSync(path, content)
  }
})

const storeFolder = (home: string): string => join(home, '.local/share/scrollback')
const storeOfOfTrouble = (home: string): string => join(storeFolder(home), 'store.sqlite')

/** A user for whom permissions matter even if root runs the tests. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
const asUser = (args: readonly string[], home: string) => {
  const { stdout, stderr, code } = run(args, home, user)
  return { stdout, stderr: stderr.replaceAll(home, '~'), code }
}

/** A home that belongs to this user, with two transcripts and a store of both. */
function indexedHome(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), userLines(1, 2))
  putClaude(home, uuid(2), userLines(11, 2, 'moss'), '-home-ann-moss')
  if (asRoot)
    for (const path of ['', ...(readdirSync(home, { recursive: true }) as string[])])
      chownSync(join(home, path), NOBODY, NOBODY)
  expect(asUser(['index'], home)).toMatchObject({ stderr: '', code: 0 })
  return home
}

/** Removes permissions for a while. */
function forbidden<Result>(path: string, mode: number, work: () => Result): Result {
  const before = statSync(path).mode
  chmodSync(path, mode)
  try {
    return work()
  } finally {
    chmodSync(path, before)
  }
}

const reachable = asUser(['--version'], realpathSync(tmpdir())).code === 0

describe.skipIf(!reachable)(
  'a file or folder without permission (skipped where the checkout is closed to other users)',
  () => {
    const transcript = (home: string) => join(home, '.claude/projects/-home-ann-garden', `${uuid(1)}.jsonl`)

    it('is reported if it is a new transcript: the rest is shown, and doctor reports it', () => {
      const home = indexedHome()
      const path = put(join(home, '.claude/projects/-home-ann-moss', `${uuid(3)}.jsonl`), userLines(21, 1))
      forbidden(path, 0o000, () => {
        const stderr = `${path.replace(home, '~')} cannot be read (permission denied)\n`
        for (const args of [['index'], ['index'], ['sessions', '--all'], ['search', 'moss']])
          expect(asUser(args, home)).toMatchObject({ stderr, code: 3 })
        expect(asUser(['sessions', '--all'], home).stdout).toContain('2 sessions')
        const doctor = asUser(['doctor'], home)
        expect(doctor.stdout).toContain(`✗ ${path.replace(home, '~')}: cannot be read (permission denied)\n`)
        expect(doctor.code).toBe(3)
      })
      if (asRoot) chownSync(path, NOBODY, NOBODY)
      expect(asUser(['index'], home)).toMatchObject({ stderr: '', code: 0 })
      expect(asUser(['doctor', '--deep'], home)).toMatchObject({ stderr: '', code: 0 })
    })

    it('stays readable if it is a stored transcript, and doctor reports it', () => {
      const home = indexedHome()
      forbidden(transcript(home), 0o000, () => {
        expect(asUser(['search', 'fern'], home)).toMatchObject({ stderr: '', code: 0 })
        for (const args of [['doctor'], ['doctor', '--deep']]) {
          const { stdout, code } = asUser(args, home)
          expect(stdout.match(/✗ .*/g)).toEqual([
            `✗ ${transcript(home).replace(home, '~')}: cannot be read (permission denied)`,
          ])
          expect(code).toBe(3)
        }
      })
    })

    it('does not make its transcripts gone if it is a folder', () => {
      const home = indexedHome()
      forbidden(join(home, '.claude/projects/-home-ann-moss'), 0o000, () => {
        const stderr = '~/.claude/projects/-home-ann-moss: cannot be listed (EACCES)\n'
        for (const args of [['index'], ['sessions', '--all'], ['search', 'moss']])
          expect(asUser(args, home)).toMatchObject({ stderr, code: 3 })
        expect(asUser(['search', 'moss'], home).stdout).not.toContain('file gone')
        const { stdout, code } = asUser(['doctor'], home)
        expect(stdout).toContain('  ~/.claude/projects/-home-ann-moss (cannot be listed (EACCES))\n')
        expect(stdout).toContain('\nSomething may be missing: some folders could not be read.\n')
        expect(code).toBe(3)
      })
      expect(asUser(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    })

    it('leaves the store readable, with a note that it may be old', () => {
      const home = indexedHome()
      put(transcript(home), userLines(1, 3))
      forbidden(storeOfOfTrouble(home), 0o444, () =>
        forbidden(storeFolder(home), 0o555, () => {
          const stderr =
            'The store ~/.local/share/scrollback/store.sqlite is read-only: this answer is as old as its last update.\n'
          for (const args of [
            ['sessions', '--all'],
            ['search', 'fern'],
            ['read', uuid(1)],
          ])
            expect(asUser(args, home)).toMatchObject({ stderr, code: 3 })
          expect(asUser(['search', 'fern'], home).stdout).toContain('2 matches in 1 session')
          expect(asUser(['doctor'], home)).toMatchObject({ stderr, code: 3 })
          const index = asUser(['index'], home)
          expect(index).toEqual({
            stdout: '',
            stderr: `scrollback: Nothing was indexed: the store at ~/.local/share/scrollback/store.sqlite cannot be written.\nMake room on its disk, or make it and its folder writable, or set SCROLLBACK_HOME to another folder.\n`,
            code: 1,
          })
        }),
      )
      expect(asUser(['search', 'fern'], home).stdout).toContain('3 matches in 1 session')
    })

    it('is an error with a way out if the folder of the store may not be entered', () => {
      const home = indexedHome()
      forbidden(storeFolder(home), 0o000, () => {
        for (const args of [
          ['sessions', '--all'],
          ['search', 'fern'],
          ['doctor'],
          ['stats'],
          ['read', uuid(1)],
        ]) {
          const { stderr, code } = asUser(args, home)
          expect(stderr, args[0]).toContain(
            'you may not read or write there.\nSet SCROLLBACK_HOME to a folder',
          )
          expect(stderr.trim().split('\n').length, args[0]).toBe(2)
          expect(code, args[0]).toBe(1)
        }
      })
    })

    it('answers from memory if the store cannot be created in it, and changes no store that is not there', () => {
      const home = indexedHome()
      const inFolder = (...args: string[]) =>
        run([...args, '--json'], home, { ...user, env: { SCROLLBACK_HOME: join(home, 'new/deep') } })
      const fault = (stderr: string): string => stderr.replaceAll(home, '~').trim().replaceAll('\n', ' ')
      const reason = 'The store ~/new/deep/store.sqlite cannot be created: you may not read or write there.'
      const wayOut = 'Set SCROLLBACK_HOME to a folder that you may write to.'
      forbidden(home, 0o555, () => {
        for (const args of [['sessions', '--all'], ['search', 'fern'], ['doctor'], ['stats']]) {
          const { stdout, stderr, code } = inFolder(...args)
          expect([fault(stderr), code], args[0]).toEqual([
            `${reason} So everything was read from the transcripts, for this answer only. ${wayOut}`,
            0,
          ])
          expect(stdout, args[0]).not.toBe('')
        }
        expect(JSON.parse(inFolder('search', 'fern').stdout).total).toBe(2)
        expect(JSON.parse(inFolder('statusline').stdout).line).toBe(
          'no figures: set SCROLLBACK_HOME to a folder that you may write to',
        )
        for (const args of [['index'], ['forget', uuid(1), '--yes'], ['tag', uuid(1), 'plants']]) {
          const { stderr, code } = inFolder(...args)
          expect([stderr.includes(wayOut), code], args[0]).toEqual([true, 1])
        }
      })
      expect(existsSync(join(home, 'new'))).toBe(false)
    })
  },
)
