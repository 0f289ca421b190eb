import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checkout } from '../program.ts'
import { put } from '../records.ts'
import { NOTES, semanticHome } from '../semantic-home.ts'

let { state, ask, answer, indexed } = {} as ReturnType<typeof semanticHome>
beforeEach(() => {
  ;({ state, ask, answer, indexed } = semanticHome())
})

describe('a semantic memory that cannot be read', () => {
  const databasePath = (): string => join(state, 'memory/main.sqlite')

  it('is searched chunk by chunk if its full-text index needs a missing tokenizer', () => {
    indexed('old', ({ database }) => {
      database.exec(`PRAGMA writable_schema = 1;
        UPDATE sqlite_master SET sql = replace(sql, 'end_line UNINDEXED)', 'end_line UNINDEXED, tokenize = ''moss'')')
          WHERE name = 'chunks_fts'`)
    })
    const { stdout, stderr, code } = ask('main', '--recall', 'FERNS counted')
    expect(stdout).toContain('main · memory/2026-10-03.md:1\n  Counted the ferns.')
    expect(stderr).toContain(`${databasePath()}: its full-text index cannot be queried (`)
    expect(code).toBe(0)
  })

  it.each([
    ['not a database', () => put(databasePath(), 'x'.repeat(5000)), 'it is not a database'],
    ['damaged', () => truncateSync(indexed('old'), 8192), 'it is damaged'],
    [
      'a database of another program',
      () => {
        mkdirSync(dirname(databasePath()), { recursive: true })
        const other = new DatabaseSync(databasePath())
        other.exec("CREATE TABLE chunks (id INTEGER, text TEXT); INSERT INTO chunks VALUES (1, 'moss')")
        other.close()
      },
      'without the tables of a semantic memory',
    ],
  ])('is reported with a way out, and the list is still shown: %s', (_, make, what) => {
    make()
    for (const args of [[], ['main', '--recall', 'moss']]) {
      const { stdout, stderr, code } = ask(...args)
      expect(stderr).toContain(`${databasePath()}: a `)
      expect(stderr).toContain(what)
      expect(stdout).toContain(args.length === 0 ? 'MEMORY.md' : 'No chunk of the semantic memory')
      expect(code).toBe(3)
    }
    expect(answer().notices).toMatchObject([{ path: databasePath() }])
  })

  it.each(['old', 'new'] as const)('is reported if another program has locked it: %s', async (generation) => {
    const path = indexed(generation)
    const holder = spawn(process.execPath, [join(checkout, 'test/database-holder.ts'), path])
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    const { stdout, stderr, code } = ask()
    expect(stdout).toContain('MEMORY.md')
    const what = generation === 'old' ? 'semantic memory' : 'database of sessions'
    expect(stderr).toContain(`${path}: a ${what} that cannot be read (another program has locked it`)
    expect(stderr.split(path)).toHaveLength(2)
    expect(code).toBe(3)
  })

  it('is shown as far as possible if rows have invalid values', () => {
    indexed('old', ({ database }) => {
      database.exec(`UPDATE chunks SET updated_at = 'soon', start_line = 'x'; UPDATE files SET mtime = 'y', size = -1;
        UPDATE chunks_fts SET start_line = 'x', path = x'00ff'`)
    })
    expect(answer().semantic).toMatchObject([{ chunks: 3, updatedAt: null, changed: Object.keys(NOTES) }])
    expect(answer('--recall', 'ferns').recall.hits).toMatchObject([{ startLine: 0 }, { startLine: 0 }])
    const made = new DatabaseSync(databasePath())
    made.exec('UPDATE files SET size = 9223372036854775807')
    made.close()
    expect(ask()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a semantic memory that cannot be read'),
    })
  })

  it('is empty if its file was created and never filled', () => {
    put(databasePath(), '')
    expect(ask()).toMatchObject({ stderr: '', code: 0 })
    expect(ask().stdout).toContain('main  empty: no chunk in ~/.openclaw/memory/main.sqlite')
  })

  it('is reported if it is missing', () => {
    expect(ask('--recall', 'moss')).toMatchObject({ code: 1 })
    expect(ask('--recall', 'moss').stderr).toContain('--recall: no semantic memory found.')
    expect(answer().semantic).toEqual([])
  })

  it('is shown for an agent whose documents are gone', () => {
    indexed('old')
    rmSync(join(state, 'workspace'), { recursive: true })
    expect(ask('main').stdout).toContain('3 chunks of 2 texts and 1 session')
    expect(answer('main').semantic[0]).toMatchObject({ gone: [], unchecked: 2 })
  })
})
