import { useState } from 'preact/hooks'
import { Bars, type BarsProperties } from './bars.tsx'
import { ShowAll } from './show-all.tsx'

/** The longest bars, and all of them on request. */
export function BarList({ rows, most = 10 }: BarsProperties & { most?: number }) {
  const [all, setAll] = useState(false)
  const sorted = rows.toSorted((a, b) => b.value - a.value)
  return (
    <>
      <Bars rows={all ? sorted : sorted.slice(0, most)} />
      {rows.length > most && <ShowAll total={rows.length} all={all} setAll={setAll} />}
    </>
  )
}
