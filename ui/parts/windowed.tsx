import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Viewport } from './viewport.ts'
import type { Rows } from './window-rows.ts'

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
    <div ref={scroller} class={`windowed ${given.class ?? ''}`} tabIndex={0} role="region" aria-label={label}>
      <div class="spacer" style={{ height: `${viewport.spacer}px` }}>
        <div class="slab" style={{ transform: `translateY(${viewport.slab}px)` }}>
          {drawn}
        </div>
      </div>
    </div>
  )
}
