import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { json, run } from '../program.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

interface Found {
  total: number
  hits: { path: string; copies?: unknown[] }[]
}

/** A home whose transcripts were read, and a copy of their folder. */
function copied(): { home: string; copy: string[]; folder: string } {
  const home = temporaryHome()
  for (let number = 1; number <= 3; number++)
    putClaude(
      home,
      uuid(number),
      [
        claude.user(1, `Prune the plum tree number ${number}`, { cwd: '/home/ann/garden' }),
        claude.reply(2, [call(`c${number}`, 'Edit', { file_path: `/home/ann/garden/plum-${number}.md` })]),
        claude.reply(3, [text(`Plum tree ${number} is pruned.`)]),
      ],
      '-home-ann-garden',
    )
  json(home, 'index', '--json')
  const folder = join(home, 'backup')
  cpSync(join(home, '.claude'), folder, { recursive: true })
  return { home, folder, copy: ['--claude-dir', folder] }
}

const searched = (home: string, ...args: string[]): Found =>
  json(home, 'search', ...args, '--json') as unknown as Found

it('searches a copied folder like the one that was read before', () => {
  const { home, copy, folder } = copied()
  for (const query of [
    'plum',
    '"plum tree"',
    'which plum tree did we prune',
    'plum who:human',
    'file:plum-2',
  ]) {
    const [here, there] = [searched(home, query), searched(home, query, ...copy)]
    expect(here.total, query).toBeGreaterThan(0)
    expect(there.total, query).toBe(here.total)
    expect(there.hits.length, query).toBe(here.hits.length)
    for (const hit of there.hits) {
      expect(hit.path.startsWith(folder), hit.path).toBe(true)
      expect(hit.copies ?? []).toEqual([])
    }
    for (const { path } of here.hits) expect(path.startsWith(join(home, '.claude')), path).toBe(true)
  }
})

it('answers why and counts matches in a copied folder', () => {
  const { home, copy, folder } = copied()
  const { stdout } = run(['why', '/home/ann/garden/plum-2.md', ...copy], home)
  expect(stdout).toContain('Prune the plum tree number 2')
  const list = run(['search', 'plum', ...copy], home).stdout
  expect(list).toMatch(/\d+ matches in 3 sessions/)
  expect(list).toContain(`--claude-dir ${folder}`)
})

it('searches a copied folder after the first one is gone', () => {
  const { home, copy } = copied()
  const { total } = searched(home, 'pruned')
  rmSync(join(home, '.claude'), { recursive: true })
  expect(searched(home, 'pruned', ...copy).total).toBe(total)
})
