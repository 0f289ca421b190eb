import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../session.ts'
import { createJoinedBlocks } from './replies.ts'

const itemOf = (text: string): Item => ({ text }) as Item

describe('blocks of a reply', () => {
  it('are joined by an empty line, unless the text already ends with them', () => {
    const block = fc.array(fc.constantFrom('a', 'b', '\n', '\n\n'), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (all) => {
        const [first, ...others] = all.map((parts) => parts.join(''))
        const item = itemOf(first!)
        const blocks = createJoinedBlocks()
        let expected = first!
        for (const text of others) {
          const isNew = expected !== text && !expected.endsWith(`\n\n${text}`)
          expect(blocks.add(item, text)).toBe(isNew)
          if (isNew) expected += `\n\n${text}`
          expect(item.text).toBe(expected)
        }
      }),
      { numRuns: 5000 },
    )
  })

  it('are compared with the item they belong to', () => {
    const blocks = createJoinedBlocks()
    const one = itemOf('a')
    const other = itemOf('b')
    expect([blocks.add(one, 'b'), blocks.add(other, 'a'), blocks.add(one, 'b')]).toEqual([true, true, false])
    expect([one.text, other.text]).toEqual(['a\n\nb', 'b\n\na'])
  })
})
