import Plot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { StatsRow } from '../api/ask.ts'
import { isDark } from '../state/theme.ts'
import { brief, dollars, dollarsOnAxis } from '../text/format.ts'
import { periodName, utcDay } from '../text/times.ts'
import { seriesOf } from './stats-data.ts'

const DAY_SECONDS = 86_400
/** Days between the labels of the axis. In between, the same day would be named again. */
const DAY_STEPS = [1, 2, 7, 14, 28, 56, 112, 364]

/** Each figure has a chart and a scale of its own, because they differ by orders of magnitude. */
const FIGURES = [
  { name: 'Tokens read', color: '--series-1', shown: brief, onAxis: brief },
  { name: 'Tokens written', color: '--series-3', shown: brief, onAxis: brief },
  { name: 'Cost', color: '--series-2', shown: dollars, onAxis: dollarsOnAxis },
] as const

type Figure = (typeof FIGURES)[number]

const HEIGHT = 84
/** The axis of days, below the last chart. */
const DAYS_HEIGHT = 30
const SCALE_WIDTH = 60
/** A shorter drag is a click. */
const LEAST_DRAG = 4

/** Draws the series below each other, between the edges, and returns a function that removes them. */
export function plot(
  element: HTMLElement,
  rows: readonly StatsRow[],
  edges: readonly string[],
  onBrush: (from: number, to: number) => void,
): () => void {
  const [days, ...values] = seriesOf(rows, edges)
  let drawn: Plot[] = []
  const draw = () => {
    for (const each of drawn) each.destroy()
    element.replaceChildren()
    drawn = FIGURES.map((figure, index) => {
      const isLast = index === FIGURES.length - 1
      return drawOne(element, figure, [days, values[index]!], isLast, onBrush)
    })
  }
  // Draws them at once.
  const stop = isDark.subscribe(draw)
  let width = element.clientWidth
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return
    width = element.clientWidth
    for (const each of drawn) each.setSize({ width, height: each.height })
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    stop()
    for (const each of drawn) each.destroy()
  }
}

/** Names the figure above its chart. It returns where the value is shown. */
function headOf(element: HTMLElement, { name }: Figure, index: string): HTMLElement {
  const head = document.createElement('p')
  head.className = 'series-head'
  const swatch = document.createElement('span')
  swatch.className = `swatch ${index}`
  const value = document.createElement('span')
  value.className = 'series-value'
  head.append(swatch, name, value)
  element.append(head)
  return value
}

function drawOne(
  element: HTMLElement,
  figure: Figure,
  data: [days: number[], values: (number | null)[]],
  isLast: boolean,
  onBrush: (from: number, to: number) => void,
): Plot {
  const style = getComputedStyle(element)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const [days, values] = data
  const isKnown = values.length === 0 || values.some((each) => each !== null)
  const total = isKnown ? values.reduce<number>((sum, each) => sum + (each ?? 0), 0) : null
  const shown = (each: number | null): string => (each === null ? '–' : figure.shown(each))
  const value = headOf(element, figure, figure.color.replace('--series-', 's'))
  const axis = { stroke: color('--ink-3'), ticks: { show: false } }
  return new Plot(
    {
      width: element.clientWidth,
      height: HEIGHT + (isLast ? DAYS_HEIGHT : 0),
      // Room for half a label of the axis of days, whose last one is at the end.
      padding: [8, 24, isLast ? 0 : 4, 0],
      tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'UTC'),
      legend: { show: false },
      scales: {
        // The library would draw years around a single day.
        x: { range: (_, least, most) => (days.length === 1 ? [least - 1, least + 1] : [least, most]) },
        y: { range: (_, __, most) => [0, most || 1] },
      },
      axes: [
        {
          ...axis,
          show: isLast,
          size: DAYS_HEIGHT,
          grid: { show: false },
          space: 72,
          incrs: DAY_STEPS.map((days) => days * DAY_SECONDS),
          values: (_, splits) => splits.map((at) => periodName(utcDay(at * 1000))),
        },
        {
          ...axis,
          size: SCALE_WIDTH,
          space: 28,
          grid: { stroke: color('--line'), width: 1 },
          values: (_, splits) => splits.map((at) => figure.onAxis(at, splits.at(-1)!)),
        },
      ],
      series: [
        {},
        {
          stroke: color(figure.color),
          width: 1.6,
          points: { show: days.length < 3 },
          fill: `color-mix(in srgb, ${color(figure.color)} 14%, transparent)`,
        },
      ],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        // All charts show the values of the same day. A drag belongs to the chart in which it began.
        sync: { key: 'over-time', filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
      },
      hooks: {
        setCursor: [
          ({ cursor: { idx } }) => {
            const at = idx ?? undefined
            value.textContent =
              at === undefined || days[at] === undefined
                ? `${shown(total)} in all`
                : `${shown(values[at] ?? null)} on ${periodName(utcDay(days[at] * 1000))}`
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width > LEAST_DRAG) onBrush(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'))
          },
        ],
        ready: [
          () => {
            value.textContent = `${shown(total)} in all`
          },
        ],
      },
    },
    data,
    element,
  )
}
