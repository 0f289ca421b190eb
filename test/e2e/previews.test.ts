import { appendFileSync, cpSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { putLongTree } from '../long-tree.ts'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

const PENDING = 'Not indexed yet: 32 files (26 MB). To index everything: scrollback index\n'

/** A home with long transcripts. */
function longHome(): { home: string; paths: string[] } {
  const home = temporaryHome()
  return { home, paths: putLongTree(home) }
}

function previewsIn(home: string): number {
  const { store } = openSqliteStore(join(home, '.local/share/scrollback/store.sqlite'), 0)
  onTestFinished(() => store.close())
  return store.previews().length
}

describe('the first command over long transcripts', () => {
  it('lists sessions before they are indexed, with the same answer as later', () => {
    const { home } = longHome()
    const first = run(['sessions', '--all', '--json'], home)
    expect(first.stderr).toBe(PENDING)
    expect(JSON.parse(first.stdout).sessions).toHaveLength(32)
    // Nothing is read twice: the second answer comes from the previews.
    expect(run(['sessions', '--all', '--json'], home)).toEqual(first)
    expect(run(['index'], home).stdout).toMatch(/^Read 26 MB of 32 files; 0 files unchanged\./)
    const later = run(['sessions', '--all', '--json'], home)
    expect([later.stderr, later.stdout]).toEqual(['', first.stdout])
  })

  it('finds projects and reads a session before they are indexed', () => {
    const { home } = longHome()
    const { stdout, stderr } = run(['read', uuid(10)], home)
    expect(stdout).toContain('Where do the ferns of bed 1 grow?')
    expect(stdout).toContain('In the shade of wall 1.')
    expect(stderr).toBe(PENDING)
    expect(run(['projects', '--json'], home).stderr).toBe(PENDING)
  })

  it('reads a session by its id without reading the others, which a name needs', () => {
    const { home } = longHome()
    const read = (...targets: string[]): string => {
      const { stdout, stderr } = run(['read', ...targets], home)
      expect(stderr).toBe(PENDING)
      return stdout
    }
    const alone = read(uuid(10))
    expect(alone).toContain('Where do the ferns of bed 1 grow?')
    expect(previewsIn(home)).toBe(0)
    expect(read(uuid(10), 'latest')).toContain('Where do the ferns of bed 1 grow?')
    expect(previewsIn(home)).toBe(32)
    expect(read(uuid(10))).toBe(alone)
  })

  it('indexes everything for statistics, and for a search that waits', () => {
    const other = longHome()
    const search = run(['search', 'shade', '--wait', '--json', '--limit', '0'], other.home)
    expect([search.stderr, JSON.parse(search.stdout).total]).toEqual(['', 32])
    const { home } = longHome()
    run(['sessions', '--all'], home)
    const stats = run(['stats', '--json'], home)
    expect([stats.stderr, JSON.parse(stats.stdout).totals.messages.human]).toEqual(['', 32])
  })

  it('searches what is indexed, and says what is not and how to index it', () => {
    const { home, paths } = longHome()
    const { stdout, stderr, code } = run(['search', 'the shade'], home)
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toBe(
      "scrollback: Nothing is indexed yet: 32 files (26 MB).\nTo index everything first: scrollback search --wait 'the shade'\n",
    )
    const other = temporaryHome()
    putClaude(other, uuid(9000), [claude.user(9001, 'Where is the shade?')])
    run(['index'], other)
    for (const path of paths) cpSync(path, join(other, '.claude/projects/-home-ann-garden', basename(path)))
    const found = run(['search', 'shade', '--json'], other)
    expect(JSON.parse(found.stdout)).toMatchObject({ total: 1, pending: { files: 32, messages: 0 } })
    expect([found.stderr, found.code]).toEqual([
      'Not searched, because not indexed yet: 32 files (26 MB). To index everything first: scrollback search --wait shade\n',
      3,
    ])
    const waited = run(['search', '--wait', 'shade', '--json'], other)
    const answer = JSON.parse(waited.stdout)
    expect([waited.stderr, waited.code, answer.total, answer.pending]).toEqual(['', 0, 33, undefined])
  })

  it('sees what was written and deleted since the previews were read', () => {
    const { home, paths } = longHome()
    const [first, second] = paths
    expect(run(['sessions', '--all', '--json'], home).stderr).toBe(PENDING)
    appendFileSync(first!, `${JSON.stringify(claude.user(9001, 'And the moss?'))}\n`)
    rmSync(second!)
    const { sessions } = JSON.parse(run(['sessions', '--all', '--json'], home).stdout)
    expect(sessions).toHaveLength(31)
    expect(sessions.find(({ path }: { path: string }) => path === first).messages.human).toBe(2)
  })
})
