import type { Item } from '../session.ts'

const BETWEEN = '\n\n'

/**
 * Appends blocks to the text of an item, unless the text already ends with them. The last blocks are
 * compared, not the text: V8 would copy all of it after each block, and a reply may have thousands.
 */
export function createJoinedBlocks() {
  let current: { item: Item; blocks: string[] } | undefined
  return {
    /** Returns false if the item already ends with this block. */
    add(item: Item, block: string): boolean {
      if (current?.item !== item) current = { item, blocks: [item.text!] }
      const { blocks } = current
      const end = endOf(blocks, block.length + BETWEEN.length)
      if (end === block || end.endsWith(`${BETWEEN}${block}`)) return false
      item.text += `${BETWEEN}${block}`
      blocks.push(block)
      return true
    },
  }
}

/** The end of a joined text: as many blocks as have this many characters together, or all of them. */
function endOf(blocks: readonly string[], length: number): string {
  let from = blocks.length - 1
  let size = blocks[from]!.length
  while (size < length && from > 0) size += BETWEEN.length + blocks[--from]!.length
  return blocks.slice(from).join(BETWEEN)
}
