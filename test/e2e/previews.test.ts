import { appendFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { putLongTree } from '../long-tree.ts'
import { run } from '../program.ts'
import { claude, temporaryHome, uuid } from '../records.ts'

const PENDING =
  /^32 files \(26 MB\) are not indexed yet\. The next search indexes everything, and so does "index"\.\n$/

/** A home with long transcripts. */
function longHome(): { home: string; paths: string[] } {
  const home = temporaryHome()
  return { home, paths: putLongTree(home) }
}

describe('the first command over long transcripts', () => {
  it('lists sessions before they are indexed, with the same answer as later', () => {
    const { home } = longHome()
    const first = run(['sessions', '--all', '--json'], home)
    expect(first.stderr).toMatch(PENDING)
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
    expect(stderr).toMatch(PENDING)
    expect(run(['projects', '--json'], home).stderr).toMatch(PENDING)
  })

  it('indexes everything for a search and for statistics', () => {
    const { home } = longHome()
    const other = longHome()
    const search = run(['search', 'shade', '--json', '--limit', '0'], other.home)
    expect([search.stderr, JSON.parse(search.stdout).total]).toEqual(['', 32])
    run(['sessions', '--all'], home)
    const stats = run(['stats', '--json'], home)
    expect([stats.stderr, JSON.parse(stats.stdout).totals.messages.human]).toEqual(['', 32])
  })

  it('sees what was written and deleted since the previews were read', () => {
    const { home, paths } = longHome()
    const [first, second] = paths
    expect(run(['sessions', '--all', '--json'], home).stderr).toMatch(PENDING)
    appendFileSync(first!, `${JSON.stringify(claude.user(9001, 'And the moss?'))}\n`)
    rmSync(second!)
    const { sessions } = JSON.parse(run(['sessions', '--all', '--json'], home).stdout)
    expect(sessions).toHaveLength(31)
    expect(sessions.find(({ path }: { path: string }) => path === first).messages.human).toBe(2)
  })
})
