import { useState } from 'preact/hooks'
import { count } from '../text/figures.ts'
import { Bars, type BarsProperties } from './bars.tsx'
import { Button } from './button.tsx'

/** The longest bars, and all of them on request. */
export function BarList({ rows, most = 10 }: BarsProperties & { most?: number }) {
  const [all, setAll] = useState(false)
  const sorted = rows.toSorted((a, b) => b.value - a.value)
  return (
    <>
      <Bars rows={all ? sorted : sorted.slice(0, most)} />
      {rows.length > most && (
        <p class="more-rows">
          <Button
            label={all ? 'Show fewer' : `Show all ${count(rows.length)}`}
            expanded={all}
            onClick={() => setAll(!all)}
          />
        </p>
      )}
    </>
  )
}
