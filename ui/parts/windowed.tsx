import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Rows, Viewport } from './viewport.ts'

interface WindowedProperties<List extends Rows> {
  rows: List
  label: string
  class?: string
  viewport: Viewport
  render(row: number): ComponentChildren
  /** A row while the list scrolls fast: cheap to draw, and in a given height. */
  renderPlain?(row: number): ComponentChildren
  /** Reports the rows that are drawn, after each change. */
  onRange?(from: number, to: number, isFast: boolean): void
}

/** A list that only draws the rows in view, however many there are. */
export function Windowed<List extends Rows>(given: WindowedProperties<List>) {
  const { rows, viewport, render, renderPlain, onRange, label } = given
  const scroller = useRef<HTMLDivElement>(null)
  const [, redraw] = useState(0)

  useLayoutEffect(() => {
    viewport.attach(scroller.current!, () => redraw((n) => n + 1))
    return () => viewport.detach()
  }, [viewport])

  useMemo(() => viewport.use(rows), [viewport, rows])

  useLayoutEffect(() => viewport.drawn())
  const { from, to, isFast } = viewport
  useEffect(() => onRange?.(from, to, isFast), [from, to, isFast, rows, onRange])

  const drawn: ComponentChildren[] = []
  // Parts of a list that were asked for at different times may have a row twice.
  const keys = new Set<number>()
  const keyOf = (row: number) => {
    const key = rows.key(row)
    if (keys.has(key)) return `again ${row}`
    keys.add(key)
    return key
  }
  for (let row = from; row < to; row++)
    drawn.push(
      isFast && renderPlain ? (
        // Without a key of its own, an element is used again for the next row in its place.
        <div
          class="row row-plain"
          data-row={row}
          key={`plain ${row - from}`}
          style={{ height: `${viewport.heightOf(row)}px` }}
        >
          {renderPlain(row)}
        </div>
      ) : (
        <div
          class="row"
          data-row={row}
          data-edge={row === 0 ? 'first' : row === rows.length - 1 ? 'last' : undefined}
          key={keyOf(row)}
          ref={viewport.watch}
        >
          {render(row)}
        </div>
      ),
    )
  return (
    <div ref={scroller} class={`windowed ${given.class ?? ''}`} tabIndex={0} role="region" aria-label={label}>
      <div class="spacer">
        <div class="slab">{drawn}</div>
      </div>
    </div>
  )
}
