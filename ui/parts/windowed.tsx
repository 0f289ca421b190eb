import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Viewport } from './viewport.ts'

/** The rows of a windowed list. Keys grow from row to row and survive a new list of rows. */
export interface Rows {
  length: number
  key(row: number): number
  /** The last row whose key is not greater. */
  rowOf(key: number): number
  /** The height in pixels before the row was measured, in a list of this width. */
  estimate(row: number, width: number): number
}

interface WindowedProperties<List extends Rows> {
  rows: List
  label: string
  class?: string
  viewport: Viewport
  render(row: number): ComponentChildren
  /** Reports the rows that are drawn, after each change. */
  onRange?(from: number, to: number): void
}

/** A list that only draws the rows in view, however many there are. */
export function Windowed<List extends Rows>(given: WindowedProperties<List>) {
  const { rows, viewport, render, onRange, label } = given
  const scroller = useRef<HTMLDivElement>(null)
  const [, redraw] = useState(0)

  useLayoutEffect(() => {
    viewport.attach(scroller.current!, () => redraw((n) => n + 1))
    return () => viewport.detach()
  }, [viewport])

  useMemo(() => viewport.use(rows), [viewport, rows])

  useLayoutEffect(() => viewport.drawn())
  const { from, to } = viewport
  useEffect(() => onRange?.(from, to), [from, to, rows, onRange])

  const drawn: ComponentChildren[] = []
  for (let row = from; row < to; row++) {
    drawn.push(
      <div class="row" data-row={row} key={rows.key(row)} ref={viewport.watch}>
        {render(row)}
      </div>,
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard.
    <div ref={scroller} class={`windowed ${given.class ?? ''}`} tabIndex={0} role="region" aria-label={label}>
      <div class="spacer" style={{ height: `${viewport.spacer}px` }}>
        <div class="slab" style={{ transform: `translateY(${viewport.slab}px)` }}>
          {drawn}
        </div>
      </div>
    </div>
  )
}
