import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSourcesInThread } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { emptyServer, hasServer } from './engines.ts'
import { CHOSEN } from './team.ts'

const HERE = hostname()

/** A machine with two sessions, and an archive to which it and another machine have delivered. */
function machines() {
  const [home, other] = [temporaryHome(), temporaryHome()]
  putClaude(home, uuid(1), [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
  putClaude(home, uuid(2), [claude.user(5, 'Prune the rose', { sessionId: uuid(2) })])
  putClaude(other, uuid(3), [claude.user(7, 'Cut the hedge', { sessionId: uuid(3) })])
  const archive = join(temporaryHome(), 'archive')
  for (const [where, device] of [
    [home, HERE],
    [other, 'elm'],
  ] as const)
    expect(runSourcesInThread(['collect', archive, '--history', 'all', '--device', device], where).code).toBe(
      0,
    )
  const ask = (words: readonly string[], env = {}) => runSourcesInThread(words, home, env)
  return { home, archive, ask }
}

describe('`store copy`', () => {
  it('copies an archive into the file of a store, and says what both have', () => {
    const { home, archive, ask } = machines()
    const target = join(home, 'copy.sqlite')
    expect(ask(['store', 'copy', archive, target, '--dry-run']).stdout).toMatch(/^Would copy 3 files from /)
    const { stdout, stderr, code } = ask(['store', 'copy', archive, target, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    const counted = (device: string, files: number, messages: number) =>
      expect.objectContaining({ device, files, messages })
    const both = expect.arrayContaining([counted('elm', 1, 1), counted(HERE, 2, 3)])
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      action: 'copy',
      copy: { copied: 3, same: 0, newer: 0, forgotten: 0, dryRun: false, source: both, target: both },
    })
    expect(ask(['store', 'copy', archive, target]).stdout).toMatch(
      /^Copied 0 files [\s\S]*3 files: already there\n[\s\S]*Both have the same files, messages and tokens\./,
    )
  })

  it('refuses what is no store, without changing it', () => {
    const { home, archive, ask } = machines()
    const note = put(join(home, 'note.txt'), 'A note, which is no store at all.\n')
    for (const [words, reason] of [
      [[note, join(home, 'new.sqlite')], 'is not a store'],
      [[archive, note], 'is not a store'],
      [[archive, home], 'is not a store'],
      [[home, join(home, 'new.sqlite')], `store copy: ${home} is not a store.`],
      [[join(home, 'missing'), join(home, 'new.sqlite')], 'is not a store'],
      [[archive], 'takes two stores'],
      [[archive, 'clickhouse://ann:secret-word@db.example.org/team'], 'a password in an address'],
    ] as const) {
      const { stderr, code } = ask(['store', 'copy', ...words])
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
      expect(stderr).not.toContain('secret-word')
    }
    expect(ask(['read', uuid(1)]).stdout).toContain('Water the fern')
  })

  it.runIf(hasServer)(
    'copies into a team store as whose files they are, and says which are nobody’s',
    () => {
      const { home, archive, ask } = machines()
      const filled = (...more: string[]) => {
        const { url, user, password, database } = emptyServer()
        const at = `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`
        const env = { SCROLLBACK_STORE_PASSWORD: password }
        const [from, ...flags] = more
        const { stderr, code } = ask(['store', 'copy', from!, at, ...flags], env)
        const { sessions } = JSON.parse(ask(['sessions', '--all', '--json', '--store', at], env).stdout)
        return {
          stderr,
          code,
          persons: sessions.map(({ device, person }: Record<string, string>) => `${device} ${person}`).sort(),
        }
      }
      const whose = 'it is not known whose'
      const own = filled(archive)
      expect(own).toMatchObject({ code: 0, stderr: expect.stringContaining(`3 files: ${whose}`) })
      expect(own.persons).toContain('elm ')
      expect(filled(archive, '--person', 'bob')).toMatchObject({ code: 0, stderr: '' })
      const data = join(home, 'data')
      ask(['index'], { SCROLLBACK_HOME: data })
      const store = join(data, 'store.sqlite')
      const other = filled(store, '--device', 'oak')
      expect(other.stderr).toContain(`2 files: ${whose}`)
      expect(filled(store, '--device', 'oak', '--person', 'ann').persons).toEqual(['oak ann', 'oak ann'])
    },
    600_000,
  )

  it.runIf(hasServer)(
    'copies into a team store, where files are of their machines',
    () => {
      const { home, archive, ask } = machines()
      const { url, user, password, database } = emptyServer()
      const at = `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`
      const env = { SCROLLBACK_STORE_PASSWORD: password }
      expect(ask(['store', 'copy', archive, at], env)).toMatchObject({ code: 0 })
      const { sessions } = JSON.parse(ask(['sessions', '--all', '--json', '--store', at], env).stdout)
      const elm = sessions.find(({ id }: { id: string }) => id === uuid(3))
      // With its path there; archives do not have the home directories of machines.
      expect(elm.path).toBe(`elm:~/.claude/projects/-home-ann-garden/${uuid(3)}.jsonl`)
      expect(ask(['search', 'hedge', 'device:elm', '--store', at], env).stdout).toContain('Cut the hedge')
      // This machine fills the store itself from now on, and continues its files.
      expect(ask(['collect', at, ...CHOSEN], env).code).toBe(0)
      const again = JSON.parse(ask(['sessions', '--all', '--json', '--store', at], env).stdout).sessions
      expect(again).toHaveLength(3)
      // And back into a file, in which its own files have their own paths.
      const back = join(home, 'back.sqlite')
      const { copy } = JSON.parse(ask(['store', 'copy', at, back, '--json'], env).stdout)
      expect(copy.target).toEqual(copy.source)
      expect(copy.source.map(({ device }: { device: string }) => device).sort()).toEqual([HERE, 'elm'].sort())
    },
    600_000,
  )
})
