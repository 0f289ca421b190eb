import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBranches } from './branches.ts'

/** Records as `id<parent`; `!` marks a turn of the human. The one after `|` is the tip. */
function left(records: string, tip: string): string[] {
  const branches = createBranches()
  const ids: string[] = []
  for (const record of records.split(' ')) {
    const [id, parent] = record.replace('!', '').split('<') as [string, string]
    branches.link(id, parent || undefined)
    if (record.includes('!')) branches.turn(id)
    ids.push(id)
  }
  branches.tip(tip)
  const abandoned = branches.abandoned()
  return ids.filter((id) => abandoned(id))
}

describe('abandoned branches', () => {
  it('are empty if there is only one branch', () => {
    expect(left('a!< b<a c!<b d<c', 'd')).toEqual([])
  })

  it('contain a turn that was taken back and everything after it', () => {
    expect(left('a!< b<a c!<b d<c e!<b f<e', 'f')).toEqual(['c', 'd'])
  })

  it('contain the other branch if the first was resumed', () => {
    expect(left('a!< b<a c!<b d<c e!<b f<e', 'd')).toEqual(['e', 'f'])
  })

  it('do not contain parallel tool results', () => {
    expect(left('a!< b<a c<b r1<b r2<c d<r2', 'd')).toEqual([])
    expect(left('a!< b<a r<b', 'b')).toEqual([])
  })

  it('do not contain records whose parent is not in the file', () => {
    expect(left('a!<gone b<a c!< d<c', 'd')).toEqual([])
  })

  it('end in a cycle of parents', () => {
    expect(left('a!<b b<a c!<b d!<a', 'c')).toEqual(['d'])
    expect(left('a!<a b!<b', 'a')).toEqual([])
  })

  it('contain the same records as by walking up from each', () => {
    const record = fc.record({ parent: fc.integer({ min: -2, max: 11 }), turn: fc.boolean() })
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), fc.nat(11), (records, tip) => {
        const nameOf = (index: number): string => (index === -1 ? '' : `r${index}`)
        const parentOf = (name: string): string | undefined => {
          const own = records[Number(name.slice(1))]
          return name === '' || name === nameOf(-2) ? undefined : own && nameOf(own.parent)
        }
        const active = new Set<string>()
        for (let at: string | undefined = nameOf(tip); at && parentOf(at) !== undefined && !active.has(at); )
          at = parentOf(active.add(at) && at)
        const expected = records.flatMap((_, index) => {
          let at: string | undefined = nameOf(index)
          let turned = false
          for (let steps = 0; at !== undefined && !active.has(at) && steps <= records.length; steps++) {
            turned ||= records[Number(at.slice(1))]?.turn === true
            at = parentOf(at)
          }
          return turned && at !== undefined && active.has(at) ? [nameOf(index)] : []
        })
        const text = records.map(({ parent, turn }, index) => `r${index}${turn ? '!' : ''}<${nameOf(parent)}`)
        expect(left(text.join(' '), nameOf(tip))).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('visit each record once, however long a chain is that ends in nothing', () => {
    const branches = createBranches()
    let before = 'gone'
    const ids = Array.from({ length: 100_000 }, (_, index) => `r${index}`)
    for (const id of ids) {
      branches.link(id, before)
      before = id
    }
    branches.link('tip', 'lost')
    branches.tip('tip')
    const isAbandoned = branches.abandoned()
    // Walking up from each would take 5,000,000,000 steps.
    expect(ids.filter(isAbandoned)).toEqual([])
  })

  it('continue across a cut that names its predecessor', () => {
    const branches = createBranches()
    for (const [id, parent] of ['a<', 'b<a', 'c<b', 'cut<', 'd<cut'].map((each) => each.split('<')))
      branches.link(id!, parent || undefined)
    branches.link('lost', 'a')
    branches.turn('lost')
    branches.join('cut', 'c')
    branches.join('unknown', 'c')
    branches.tip('d')
    const abandoned = branches.abandoned()
    expect(['a', 'b', 'c', 'lost', 'unknown'].filter((id) => abandoned(id))).toEqual(['lost'])
  })
})
