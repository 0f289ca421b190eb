import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program, run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

const said = (from: number, count: number, words = 'fern') =>
  Array.from({ length: count }, (_, number) => claude.user(from + number, `${words} ${from + number}`))

const storeFolder = (home: string): string => join(home, '.local/share/scrollback')
const storeOf = (home: string): string => join(storeFolder(home), 'store.sqlite')

/** Nobody in particular, to whom modes mean something although the tests are run by root. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
const asUser = (args: readonly string[], home: string) => {
  const { stdout, stderr, code } = run(args, home, user)
  return { stdout, stderr: stderr.replaceAll(home, '~'), code }
}

/** A home that belongs to whoever asks, with two transcripts, and what both say in a store. */
function indexedHome(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), said(1, 2))
  putClaude(home, uuid(2), said(11, 2, 'moss'), '-home-ann-moss')
  if (asRoot)
    for (const path of ['', ...(readdirSync(home, { recursive: true }) as string[])])
      chownSync(join(home, path), NOBODY, NOBODY)
  expect(asUser(['index'], home)).toMatchObject({ stderr: '', code: 0 })
  return home
}

/** Takes rights away for a while. */
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
  'what may not be read or written (skipped where the checkout is closed to other users)',
  () => {
    const transcript = (home: string) => join(home, '.claude/projects/-home-ann-garden', `${uuid(1)}.jsonl`)

    it('is a transcript that is new: it is named, the rest is told, and the doctor does not call it whole', () => {
      const home = indexedHome()
      const path = put(join(home, '.claude/projects/-home-ann-moss', `${uuid(3)}.jsonl`), said(21, 1))
      forbidden(path, 0o000, () => {
        const stderr = `${path.replace(home, '~')} may not be read by you\n`
        for (const args of [['index'], ['index'], ['sessions', '--all'], ['search', 'moss']])
          expect(asUser(args, home)).toMatchObject({ stderr, code: 3 })
        expect(asUser(['sessions', '--all'], home).stdout).toContain('2 sessions')
        const doctor = asUser(['doctor'], home)
        expect(doctor.stdout).toContain(`✗ ${path.replace(home, '~')}: may not be read by you\n`)
        expect(doctor.code).toBe(3)
      })
      if (asRoot) chownSync(path, NOBODY, NOBODY)
      expect(asUser(['index'], home)).toMatchObject({ stderr: '', code: 0 })
      expect(asUser(['doctor', '--deep'], home)).toMatchObject({ stderr: '', code: 0 })
    })

    it('is a transcript that is stored: it stays readable, and the doctor names it', () => {
      const home = indexedHome()
      forbidden(transcript(home), 0o000, () => {
        expect(asUser(['search', 'fern'], home)).toMatchObject({ stderr: '', code: 0 })
        for (const args of [['doctor'], ['doctor', '--deep']]) {
          const { stdout, code } = asUser(args, home)
          expect(stdout.match(/✗ .*/g)).toEqual([
            `✗ ${transcript(home).replace(home, '~')}: may not be read by you`,
          ])
          expect(code).toBe(3)
        }
      })
    })

    it('is a folder of transcripts: what it held is not taken for gone', () => {
      const home = indexedHome()
      forbidden(join(home, '.claude/projects/-home-ann-moss'), 0o000, () => {
        const stderr = '~/.claude/projects/-home-ann-moss: cannot be listed (EACCES)\n'
        for (const args of [['index'], ['sessions', '--all'], ['search', 'moss']])
          expect(asUser(args, home)).toMatchObject({ stderr, code: 3 })
        expect(asUser(['search', 'moss'], home).stdout).not.toContain('file gone')
        const { stdout, code } = asUser(['doctor'], home)
        expect(stdout).toContain('  ~/.claude/projects/-home-ann-moss (cannot be listed (EACCES))\n')
        expect(stdout).toContain('\nSomething may be missing: not every place could be looked into.\n')
        expect(code).toBe(3)
      })
      expect(asUser(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    })

    it('is the store: it answers with what it holds, and says that this may be old', () => {
      const home = indexedHome()
      writeFileSync(
        transcript(home),
        said(1, 3)
          .map((each) => `${JSON.stringify(each)}\n`)
          .join(''),
      )
      forbidden(storeOf(home), 0o444, () =>
        forbidden(storeFolder(home), 0o555, () => {
          const stderr =
            'The store ~/.local/share/scrollback/store.sqlite cannot be written: this is what it held when it was last written.\n'
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

    it('is the folder in which the store is to be made', () => {
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
            'scrollback: There can be no store at ~/new/deep/store.sqlite: you may not read or write there.\nSet SCROLLBACK_HOME to a folder that you may write to.\n',
          status: 1,
        })
      })
    })
  },
)
