import { beforeEach, describe, expect, it } from 'vitest'
import { TOKEN } from '../records.ts'
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
        'main  3 chunks of 2 texts and 1 session · embed-3 · updated 26-11-03 12:00 · its texts are unchanged\n',
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
