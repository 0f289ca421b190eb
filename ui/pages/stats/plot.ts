import Plot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { StatsRow } from '../../api/shapes.ts'
import { brief, dollars } from '../../text/figures.ts'
import { periodName } from '../../text/times.ts'
import { seriesOf } from './series-of.ts'

const HEIGHT = 240

/** The day of a time in seconds, such as `2026-01-31`. */
const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Draws the series and returns a function that removes them. */
export function plot(
  element: HTMLElement,
  rows: readonly StatsRow[],
  onBrush: (from: number, to: number) => void,
): () => void {
  let drawn: Plot | undefined
  const draw = () => {
    drawn?.destroy()
    const style = getComputedStyle(element)
    const color = (name: string) => style.getPropertyValue(name).trim()
    const line = (
      name: string,
      stroke: string,
      scale: string,
      value: (n: number) => string,
    ): Plot.Series => ({
      ...{ label: name, stroke: color(stroke), width: 1.6, scale, points: { show: false } },
      value: (_, raw) => (raw === null ? '' : value(raw)),
    })
    const axis = {
      stroke: color('--ink-3'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
    }
    drawn = new Plot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'UTC'),
        scales: {
          tokens: { range: (_, __, most) => [0, most || 1] },
          output: { range: (_, __, most) => [0, most || 1] },
          cost: { range: (_, __, most) => [0, most || 1] },
        },
        axes: [
          {
            ...{ ...axis, grid: { show: false }, space: 72 },
            values: (_, values) => values.map((at) => periodName(dayOf(at))),
          },
          { ...axis, scale: 'tokens', size: 64, values: (_, values) => values.map(brief) },
          {
            ...axis,
            scale: 'cost',
            side: 1,
            size: 64,
            grid: { show: false },
            values: (_, values) => values.map(dollars),
          },
        ],
        series: [
          { value: (_, raw) => (raw === null ? '' : dayOf(raw)) },
          line('Tokens read', '--series-1', 'tokens', brief),
          line('Tokens written', '--series-3', 'output', brief),
          line('Cost', '--series-2', 'cost', dollars),
        ],
        cursor: { drag: { x: true, y: false, setScale: false } },
        hooks: {
          setSelect: [
            (self) => {
              const { left, width } = self.select
              if (width > 4) onBrush(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'))
            },
          ],
        },
      },
      seriesOf(rows),
      element,
    )
  }
  draw()
  let width = element.clientWidth
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return
    width = element.clientWidth
    drawn?.setSize({ width, height: HEIGHT })
  })
  observer.observe(element)
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', draw)
  return () => {
    observer.disconnect()
    dark.removeEventListener('change', draw)
    drawn?.destroy()
  }
}
