import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program, run } from '../program.ts'
import { put, putClaude, temporaryHome, userLines, uuid } from '../records.ts'

const storeFolder = (home: string): string => join(home, '.local/share/scrollback')
const storeOf = (home: string): string => join(storeFolder(home), 'store.sqlite')

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
      forbidden(storeOf(home), 0o444, () =>
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

    it('is reported if the store cannot be created in it', () => {
      const home = indexedHome()
      forbidden(home, 0o555, () => {
        const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'sessions', '--all'], {
          encoding: 'utf8',
          env: { HOME: home, PATH: process.env.PATH, SCROLLBACK_HOME: join(home, 'new/deep') },
          ...user,
        })
        expect({ stdout, stderr: stderr.replaceAll(home, '~'), status }).toEqual({
          stdout: '',
          stderr:
            'scrollback: The store ~/new/deep/store.sqlite cannot be created: you may not read or write there.\nSet SCROLLBACK_HOME to a folder that you may write to.\n',
          status: 1,
        })
      })
    })
  },
)
