import type { SessionRow } from '../../api/shapes.ts'
import type { Rows } from '../../parts/window-rows.ts'
import type { Blocks } from './blocks.ts'

/** A row of the list: a session, which may not be there yet, or the title of a group. */
type ListRow =
  | { session: SessionRow | undefined; position: number }
  | { project: string | null; count: number; position: number }

export interface SessionRows extends Rows {
  row(index: number): ListRow
}

interface Title {
  /** Its place among all rows. */
  place: number
  project: string | null
  count: number
}

export function rowsOf(blocks: Blocks): SessionRows {
  const { total = 0, groups = [] } = blocks.head ?? {}
  let place = 0
  const titles = groups.map(({ project, sessions }): Title => {
    const title = { place, project, count: sessions }
    place += sessions + 1
    return title
  })
  /** How many titles are before a place. */
  const before = (index: number): number => {
    let [low, high] = [0, titles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (titles[middle]!.place < index) low = middle + 1
      else high = middle
    }
    return low
  }
  const titleAt = (index: number): Title | undefined => {
    const title = titles[before(index)]
    return title?.place === index ? title : undefined
  }
  const length = total + titles.length
  return {
    length,
    row(index) {
      const position = index - before(index)
      const title = titleAt(index)
      if (title) return { project: title.project, count: title.count, position }
      return { session: blocks.at(position), position }
    },
    key: (index) => index,
    rowOf: (key) => Math.min(key, length - 1),
    estimate: (index) => (titleAt(index) ? 48 : 66),
  }
}
