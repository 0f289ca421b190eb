import { cutOf, widthOf } from './text-width.ts'

/** The share of the width before the ellipsis. The first one that keeps most names distinct is used. */
const SHARES = [0.5, 0.3, 0.15, 0.7, 1, 0]

/**
 * Cuts names that are too wide for a column where they do not differ: in the middle, unless their beginnings
 * or ends distinguish them better.
 */
export function cutNames(names: readonly string[], width: number): string[] {
  if (names.every((name) => widthOf(name) <= width)) return [...names]
  let best: string[] = []
  let most = 0
  for (const share of SHARES) {
    const cut = names.map((name) => cutAt(name, width, share))
    const distinct = new Set(cut).size
    if (distinct > most) {
      most = distinct
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

const headOf = (text: string, width: number): string => (width <= 0 ? '' : text.slice(0, cutOf(text, width)))

/** The end of a text that fits. */
function tailOf(text: string, width: number): string {
  let tail = ''
  for (const character of [...text].reverse()) {
    if (widthOf(character + tail) > width) break
    tail = character + tail
  }
  return tail
}
