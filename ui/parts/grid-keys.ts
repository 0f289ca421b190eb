import { useRef } from 'preact/hooks'

const STEPS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Cells beside the line are further away than cells on it. */
const ASIDE = 4

interface Cell {
  element: SVGAElement
  x: number
  y: number
}

const cellsOf = (grid: SVGElement): Cell[] =>
  Array.from(grid.querySelectorAll<SVGAElement>('a[data-x]'), (element) => ({
    ...{ element, x: Number(element.dataset.x), y: Number(element.dataset.y) },
  }))

/** The nearest cell in a direction. Home and End lead to the first and the last. */
function target(cells: readonly Cell[], from: Cell, key: string): Cell | undefined {
  if (key === 'Home') return cells[0]
  if (key === 'End') return cells.at(-1)
  const step = STEPS[key]
  if (!step) return undefined
  let best: Cell | undefined
  let least = Number.POSITIVE_INFINITY
  for (const cell of cells) {
    const along = (cell.x - from.x) * step.x + (cell.y - from.y) * step.y
    if (along <= 0) continue
    const aside = Math.abs(step.x === 0 ? cell.x - from.x : cell.y - from.y)
    if (along + ASIDE * aside >= least) continue
    least = along + ASIDE * aside
    best = cell
  }
  return best
}

/**
 * The keys of a grid of links with `data-x` and `data-y`: one stop of the tab key, and arrows between its links.
 * The returned properties belong to the grid; its links have `tabIndex` -1, except the one that comes first.
 */
export function useGridKeys() {
  const grid = useRef<SVGSVGElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const cells = grid.current ? cellsOf(grid.current) : []
    const from = cells.find(({ element }) => element === document.activeElement)
    const to = from && target(cells, from, event.key)
    if (!to) return
    event.preventDefault()
    from.element.setAttribute('tabindex', '-1')
    to.element.setAttribute('tabindex', '0')
    to.element.focus()
  }
  return { ref: grid, onKeyDown }
}
