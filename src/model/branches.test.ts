import { describe, expect, it } from 'vitest'
import { createBranches } from './branches.ts'
import { hashText, type IdHash } from './id-set.ts'

const hashOf = (text: string): IdHash => {
  const hash = { high: 0, low: 0 }
  if (text !== '') hashText(text, hash)
  return hash
}

/** Records as `id<parent`; `!` marks a turn of the human. The last one named after `|` is the tip. */
function left(records: string, tip: string): string[] {
  const branches = createBranches(10)
  const ids: string[] = []
  for (const record of records.split(' ')) {
    const [id, parent] = record.replace('!', '').split('<') as [string, string]
    branches.link(hashOf(id), hashOf(parent))
    if (record.includes('!')) branches.turn(id)
    ids.push(id)
  }
  branches.tip(tip)
  const abandoned = branches.settle()
  return ids.filter((id) => abandoned(hashOf(id)))
}

describe('branches', () => {
  it('leave nothing behind where there is one', () => {
    expect(left('a!< b<a c!<b d<c', 'd')).toEqual([])
  })

  it('leave a turn behind that was taken back, and all that followed it', () => {
    expect(left('a!< b<a c!<b d<c e!<b f<e', 'f')).toEqual(['c', 'd'])
  })

  it('leave the other one behind when the first was taken up again', () => {
    expect(left('a!< b<a c!<b d<c e!<b f<e', 'd')).toEqual(['e', 'f'])
  })

  it('do not part where results of tools hang side by side', () => {
    expect(left('a!< b<a c<b r1<b r2<c d<r2', 'd')).toEqual([])
    expect(left('a!< b<a r<b', 'b')).toEqual([])
  })

  it('do not reach what has no parent in the file', () => {
    expect(left('a!<gone b<a c!< d<c', 'd')).toEqual([])
  })

  it('end in a circle', () => {
    expect(left('a!<b b<a c!<b d!<a', 'c')).toEqual(['d'])
    expect(left('a!<a b!<b', 'a')).toEqual([])
  })

  it('are one across a cut that names what it followed', () => {
    const branches = createBranches(10)
    for (const [id, parent] of ['a<', 'b<a', 'c<b', 'cut<', 'd<cut'].map((each) => each.split('<')))
      branches.link(hashOf(id!), hashOf(parent!))
    branches.link(hashOf('lost'), hashOf('a'))
    branches.turn('lost')
    branches.join('cut', 'c')
    branches.join('unknown', 'c')
    branches.tip('d')
    const abandoned = branches.settle()
    expect(['a', 'b', 'c', 'lost', 'unknown'].filter((id) => abandoned(hashOf(id)))).toEqual(['lost'])
  })
})
