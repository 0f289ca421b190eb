import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTag } from '../../src/model/session.ts'
import {
  type AnnotationChange,
  type Annotations,
  openAnnotations,
  readAnnotations,
} from '../../src/store/sqlite/annotations.ts'
import { temporaryHome } from '../records.ts'

const pathIn = (): string => join(temporaryHome(), 'data/annotations.sqlite')

function using<Result>(path: string, work: (annotations: Annotations) => Result): Result {
  const annotations = openAnnotations(path)
  try {
    return work(annotations)
  } finally {
    annotations.close()
  }
}

describe('annotations', () => {
  it('are read by the next process', () => {
    const path = pathIn()
    using(path, (annotations) => {
      annotations.change('one', { star: true, add: ['tea', 'moss'], name: 'The garden' })
      annotations.change('two', { add: ['tea'] })
    })
    const stored = readAnnotations(path)!
    expect([...stored.all()]).toEqual([
      ['one', { star: true, name: 'The garden', tags: ['moss', 'tea'] }],
      ['two', { star: false, tags: ['tea'] }],
    ])
    stored.close()
  })

  it('of a session are gone when everything is taken away', () => {
    using(pathIn(), (annotations) => {
      annotations.change('one', { star: true, add: ['tea'], name: 'x' })
      const nothing = annotations.change('one', { star: false, remove: ['tea', 'never'], name: null })
      expect(nothing).toEqual({ star: false, tags: [] })
      expect(annotations.all().size).toBe(0)
    })
  })

  it('change only what a change names', () => {
    using(pathIn(), (annotations) => {
      annotations.change('one', { star: true, add: ['tea'], name: 'x' })
      expect(annotations.change('one', {})).toEqual({ star: true, name: 'x', tags: ['tea'] })
      expect(annotations.change('one', { add: ['tea'] }).tags).toEqual(['tea'])
      expect(annotations.change('one', { star: false })).toEqual({ star: false, name: 'x', tags: ['tea'] })
    })
  })

  it('are those of a model, whatever the changes', () => {
    const names = fc.constantFrom('tea', 'moss', 'Tea', 'größe')
    const change: fc.Arbitrary<AnnotationChange> = fc.record(
      {
        star: fc.boolean(),
        name: fc.option(fc.string()),
        add: fc.array(names, { maxLength: 3 }),
        remove: fc.array(names, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    )
    const changes = fc.array(fc.tuple(fc.constantFrom('one', 'two', "'; DROP TABLE tag; --"), change), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(changes, (all) => {
        const model = new Map<string, { star: boolean; name?: string; tags: Set<string> }>()
        using(':memory:', (annotations) => {
          for (const [session, each] of all) {
            annotations.change(session, each)
            const own = model.get(session) ?? { star: false, tags: new Set<string>() }
            own.star = each.star ?? own.star
            if (each.name !== undefined) own.name = each.name ?? undefined
            for (const tag of each.add ?? []) own.tags.add(tag)
            for (const tag of each.remove ?? []) own.tags.delete(tag)
            model.set(session, own)
          }
          const expected = [...model].filter(
            ([, { star, name, tags }]) => star || name !== undefined || tags.size > 0,
          )
          const stored = annotations.all()
          expect(stored.size).toBe(expected.length)
          for (const [session, { star, name, tags }] of expected)
            expect(stored.get(session)).toEqual({
              ...(name === undefined ? {} : { name }),
              star,
              tags: [...tags].sort(),
            })
        })
      }),
    )
  })

  it('contain each rule once, and remove all rules of a tag', () => {
    using(pathIn(), (annotations) => {
      for (const query of ['moss', 'fern', 'moss']) annotations.addRule({ tag: 'garden', query })
      annotations.addRule({ tag: 'kitchen', query: 'tea' })
      expect(annotations.rules()).toEqual([
        { tag: 'garden', query: 'fern' },
        { tag: 'garden', query: 'moss' },
        { tag: 'kitchen', query: 'tea' },
      ])
      expect(annotations.removeRules('garden')).toBe(2)
      expect(annotations.removeRules('garden')).toBe(0)
      expect(annotations.rules()).toHaveLength(1)
    })
  })

  it('are in a file that only its user can read, which reading does not create', () => {
    const path = pathIn()
    expect(readAnnotations(path)).toBeUndefined()
    expect(existsSync(path)).toBe(false)
    using(path, () => {})
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('are never overwritten if their file is damaged', () => {
    const path = pathIn()
    using(path, (annotations) => annotations.change('one', { star: true }))
    writeFileSync(path, 'this is not a database, but it may be all that is left of one'.repeat(100))
    const bytes = readFileSync(path)
    expect(() => openAnnotations(path)).toThrow(/damaged/)
    expect(() => readAnnotations(path)?.all()).toThrow(/damaged/)
    expect(readFileSync(path)).toEqual(bytes)
  })
})

describe('a tag', () => {
  it.each(['tea', 'v2.1', 'größe', '庭', 'a/b-c_d+e#f', 'a'.repeat(64)])('may be %s', (text) => {
    expect(isTag(text)).toBe(true)
  })

  it.each(['', ' ', 'two words', '-tea', 'a,b', 'a:b', '"a"', 'a'.repeat(65), 'a\nb', '(a'])(
    'may not be %j',
    (text) => expect(isTag(text)).toBe(false),
  )
})
