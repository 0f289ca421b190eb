import measure from 'fast-string-truncated-width'

/** How much of the room stands before what is left out; the first that tells most names apart is taken. */
const SHARES = [0.5, 0.3, 0.15, 0.7, 1, 0]

/**
 * Names that are too wide for a column, cut where they do not differ: in the middle, unless they are told apart better by their
 * beginnings or their ends.
 */
export function cutNames(names: readonly string[], width: number): string[] {
  if (names.every((name) => widthOf(name) <= width)) return [...names]
  let best: string[] = []
  let most = 0
  for (const share of SHARES) {
    const cut = names.map((name) => cutAt(name, width, share))
    const told = new Set(cut).size
    if (told > most) {
      most = told
      best = cut
    }
  }
  return best
}

function cutAt(name: string, width: number, share: number): string {
  if (widthOf(name) <= width) return name
  const room = Math.max(0, width - 1)
  const head = headOf(name, Math.round(room * share))
  return `${head}…${tailOf(name, room - widthOf(head))}`
}

const headOf = (text: string, width: number): string =>
  width <= 0 ? '' : text.slice(0, measure(text, { limit: width, ellipsis: '', ellipsisWidth: 0 }).index)

/** As many of the last characters as fit. */
function tailOf(text: string, width: number): string {
  let tail = ''
  for (const character of [...text].reverse()) {
    if (widthOf(character + tail) > width) break
    tail = character + tail
  }
  return tail
}

/** Terminal columns: wide and joined characters count as they are drawn. */
export const widthOf = (text: string): number => measure(text).width
