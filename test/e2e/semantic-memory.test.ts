import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checkout } from '../program.ts'
import { put, TOKEN } from '../records.ts'
import { semanticDatabase, VECTOR_CANARIES } from '../semantic-databases.ts'
import { AT, NOTES, semanticHome } from '../semantic-home.ts'

let { state, write, ask, answer, indexed } = {} as ReturnType<typeof semanticHome>
beforeEach(() => {
  ;({ state, write, ask, answer, indexed } = semanticHome())
})

describe.each(['old', 'new'] as const)('the semantic memory of the %s releases', (generation) => {
  it('is summarized in a line below the list', () => {
    indexed(generation)
    const { stdout, stderr, code } = ask('main')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n\n').at(-1)).toBe(
      'Semantic memory\n' +
        'main  3 chunks of 2 texts and 1 session · embed-3 · updated 2026-11-03 12:00 · its texts are unchanged\n',
    )
  })

  it('is in the JSON with the changes since it was built', () => {
    const path = indexed(generation, (made) => {
      made.source('memory/2026-09-01.md', 'h', AT, 9)
      made.source('../shared/plan.md', 'h', AT, 9)
      made.chunk('MEMORY.md', [1, 1], NOTES['MEMORY.md'], { model: 'embed-4' })
    })
    write('MEMORY.md', 'Holds last 20 minutes.\n', AT + 5000)
    write('memory/2026-10-04.md', 'Watered them.\n')
    expect(answer().semantic).toEqual([
      {
        ...{ platform: 'openclaw', agent: 'main', path, chunks: 4 },
        sources: [
          { kind: 'memory', sources: 4, chunks: 3 },
          { kind: 'sessions', sources: 1, chunks: 1 },
        ],
        models: [
          { model: 'embed-3', chunks: 3 },
          { model: 'embed-4', chunks: 1 },
        ],
        updatedAt: expect.stringMatching(/^2026-11-03T12:00:00/),
        ...{ changed: ['MEMORY.md'], gone: ['memory/2026-09-01.md'] },
        ...{ missing: ['memory/2026-10-04.md'], unchecked: 1 },
      },
    ])
    expect(ask().stdout).toContain(
      'changed since: MEMORY.md · gone since: memory/2026-09-01.md · not in it: memory/2026-10-04.md · 1 elsewhere, not compared',
    )
  })

  it('does not count as changed if only the time of a document differs', () => {
    indexed(generation)
    write('MEMORY.md', NOTES['MEMORY.md'], AT + 5000)
    expect(answer().semantic[0].changed).toEqual([])
  })

  it('is reported as empty if it has no chunk', () => {
    semanticDatabase(state, generation).close()
    expect(ask().stdout).toMatch(/\nmain {2}empty: no chunk in ~\/\.openclaw\/\S+\.sqlite\n$/)
  })

  it('is searched by its own index, with location and context', () => {
    indexed(generation)
    expect(answer('main', '--recall', 'the FERNS').recall).toMatchObject({
      ...{ words: 'the FERNS', total: 2 },
      hits: [
        {
          agent: 'main',
          name: 'memory/2026-10-03.md',
          startLine: 1,
          endLine: 1,
          snippet: NOTES['memory/2026-10-03.md'].trim(),
        },
        { name: 'sessions/main/fern.jsonl', kind: 'sessions', startLine: 3, endLine: 9 },
      ],
    })
    expect(ask('main', '--recall', 'ferns', '--limit', '1').stdout).toBe(
      'main · memory/2026-10-03.md:1\n  Counted the ferns.\n\n2 chunks, 1 of them shown: --limit 0 shows all.\n',
    )
    expect(answer('main', '2026-10', '--recall', 'ferns').recall.total).toBe(1)
    expect(answer('--recall', '"; DROP * OR (').recall.total).toBe(0)
    expect(ask('--recall', 'xylophone').code).toBe(1)
  })

  it('is searched by parts of words if no whole word matches', () => {
    indexed(generation)
    expect(answer('--recall', 'ount fern').recall).toMatchObject({
      total: 1,
      hits: [{ name: 'memory/2026-10-03.md' }],
    })
    expect(answer('--recall', '%').recall.total).toBe(0)
  })

  it('is shown without secrets and without control sequences', () => {
    const key = TOKEN
    indexed(generation, (made) => {
      made.source(`memory/${key}.md`, 'h', AT, 9)
      made.chunk(`memory/${key}.md`, [1, 2], `The moss \u001b[2Jtoken\u0007 is ${key}.`, {
        model: `m-${key}`,
      })
    })
    for (const args of [[], ['--json'], ['--recall', 'moss'], ['--recall', 'moss', '--json']]) {
      const { stdout, stderr } = ask(...args)
      expect(stdout).toContain('[REDACTED:')
      expect(stdout + stderr).not.toContain(key)
      expect(stdout).not.toMatch(/[\u001b\u0007]/)
      for (const canary of VECTOR_CANARIES) expect(stdout + stderr).not.toContain(canary)
    }
  })
})

let {
  state: stateOfSemanticTrouble,
  ask: askOfSemanticTrouble,
  answer: answerOfSemanticTrouble,
  indexed: indexedOfSemanticTrouble,
} = {} as ReturnType<typeof semanticHome>
beforeEach(() => {
  ;({
    state: stateOfSemanticTrouble,
    ask: askOfSemanticTrouble,
    answer: answerOfSemanticTrouble,
    indexed: indexedOfSemanticTrouble,
  } = semanticHome())
})

describe('a semantic memory that cannot be read', () => {
  const databasePath = (): string => join(stateOfSemanticTrouble, 'memory/main.sqlite')

  it('is searched chunk by chunk if its full-text index needs a missing tokenizer', () => {
    indexedOfSemanticTrouble('old', ({ database }) => {
      database.exec(`PRAGMA writable_schema = 1;
        UPDATE sqlite_master SET sql = replace(sql, 'end_line UNINDEXED)', 'end_line UNINDEXED, tokenize = ''moss'')')
          WHERE name = 'chunks_fts'`)
    })
    const { stdout, stderr, code } = askOfSemanticTrouble('main', '--recall', 'FERNS counted')
    expect(stdout).toContain('main · memory/2026-10-03.md:1\n  Counted the ferns.')
    expect(stderr).toContain(`${databasePath()}: its full-text index cannot be queried (`)
    expect(code).toBe(0)
  })

  it.each([
    ['not a database', () => put(databasePath(), 'x'.repeat(5000)), 'it is not a database'],
    ['damaged', () => truncateSync(indexedOfSemanticTrouble('old'), 8192), 'it is damaged'],
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
      const { stdout, stderr, code } = askOfSemanticTrouble(...args)
      expect(stderr).toContain(`${databasePath()}: a `)
      expect(stderr).toContain(what)
      expect(stdout).toContain(args.length === 0 ? 'MEMORY.md' : 'No chunk of the semantic memory')
      expect(code).toBe(3)
    }
    expect(answerOfSemanticTrouble().notices).toMatchObject([{ path: databasePath() }])
  })

  it.each(['old', 'new'] as const)('is reported if another program has locked it: %s', async (generation) => {
    const path = indexedOfSemanticTrouble(generation)
    const holder = spawn(process.execPath, [join(checkout, 'test/database-holder.ts'), path])
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    const { stdout, stderr, code } = askOfSemanticTrouble()
    expect(stdout).toContain('MEMORY.md')
    const what = generation === 'old' ? 'semantic memory' : 'database of sessions'
    expect(stderr).toContain(`${path}: a ${what} that cannot be read (another program has locked it`)
    expect(stderr.split(path)).toHaveLength(2)
    expect(code).toBe(3)
  })

  it('is shown as far as possible if rows have invalid values', () => {
    indexedOfSemanticTrouble('old', ({ database }) => {
      database.exec(`UPDATE chunks SET updated_at = 'soon', start_line = 'x'; UPDATE files SET mtime = 'y', size = -1;
        UPDATE chunks_fts SET start_line = 'x', path = x'00ff'`)
    })
    expect(answerOfSemanticTrouble().semantic).toMatchObject([
      { chunks: 3, updatedAt: null, changed: Object.keys(NOTES) },
    ])
    expect(answerOfSemanticTrouble('--recall', 'ferns').recall.hits).toMatchObject([
      { startLine: 0 },
      { startLine: 0 },
    ])
    const made = new DatabaseSync(databasePath())
    made.exec('UPDATE files SET size = 9223372036854775807')
    made.close()
    expect(askOfSemanticTrouble()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a semantic memory that cannot be read'),
    })
  })

  it('is empty if its file was created and never filled', () => {
    put(databasePath(), '')
    expect(askOfSemanticTrouble()).toMatchObject({ stderr: '', code: 0 })
    expect(askOfSemanticTrouble().stdout).toContain('main  empty: no chunk in ~/.openclaw/memory/main.sqlite')
  })

  it('is reported if it is missing', () => {
    expect(askOfSemanticTrouble('--recall', 'moss')).toMatchObject({ code: 1 })
    expect(askOfSemanticTrouble('--recall', 'moss').stderr).toContain('--recall: no semantic memory found.')
    expect(answerOfSemanticTrouble().semantic).toEqual([])
  })

  it('is shown for an agent whose documents are gone', () => {
    indexedOfSemanticTrouble('old')
    rmSync(join(stateOfSemanticTrouble, 'workspace'), { recursive: true })
    expect(askOfSemanticTrouble('main').stdout).toContain('3 chunks of 2 texts and 1 session')
    expect(answerOfSemanticTrouble('main').semantic[0]).toMatchObject({ gone: [], unchecked: 2 })
  })
})
