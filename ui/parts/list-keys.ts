import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useKeys } from '../state/keys.ts'
import type { Viewport } from './viewport.ts'
import type { Rows } from './window-rows.ts'

/** Moves the focus from row to row with `j` and `k`. Enter then follows the link that has the focus. */
export function useListKeys(
  viewport: Viewport,
  rows: Rows,
  isRow: (row: number) => boolean = () => true,
): void {
  const chosen = useSignal(-1)
  const move = (by: 1 | -1) => {
    let next = chosen.value + by
    while (next >= 0 && next < rows.length && !isRow(next)) next += by
    if (next < 0 || next >= rows.length) return
    chosen.value = next
    viewport.reveal(next)
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus())
  }
  useEffect(() => {
    chosen.value = -1
  }, [rows])
  useKeys({ j: () => move(1), k: () => move(-1) })
}
