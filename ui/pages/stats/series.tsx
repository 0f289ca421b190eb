import { useEffect, useRef } from 'preact/hooks'
import type { StatsRow } from '../../api/shapes.ts'

interface SeriesProperties {
  rows: readonly StatsRow[]
  onBrush(since: string, until: string): void
}

const DAY_S = 86_400

/** Tokens and cost over time. Dragging across it chooses a time. The table below has the same figures. */
export function Series({ rows, onBrush }: SeriesProperties) {
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = holder.current!
    let isGone = false
    let remove = () => {}
    void import('./plot.ts').then(({ plot }) => {
      if (isGone) return
      remove = plot(element, rows, (from, to) => {
        const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
        onBrush(day(Math.round(from / DAY_S) * DAY_S), day(Math.round(to / DAY_S) * DAY_S))
      })
    })
    return () => {
      isGone = true
      remove()
    }
  }, [rows])
  return (
    <div
      ref={holder}
      class="series-plot"
      role="img"
      aria-label="Tokens and cost over time; the table below has the figures"
    />
  )
}
