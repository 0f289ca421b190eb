import { useMemo } from 'preact/hooks'
import type { Curve as CurveColumns } from '../../api/shapes.ts'
import type { Viewport } from '../../parts/viewport.ts'
import { brief } from '../../text/figures.ts'
import type { Conversation } from './conversation.ts'

const WIDTH = 288
const HEIGHT = 72
/** More points than pixels are merged: the highest of each pixel counts. */
const MOST_POINTS = WIDTH

interface CurvePoint {
  index: number
  context: number
  output: number
}

const pointsOf = ({ index, context, output }: CurveColumns): CurvePoint[] =>
  index.map((each, at) => ({ index: each, context: context[at]!, output: output[at]! }))

function thinned(points: readonly CurvePoint[]): CurvePoint[] {
  if (points.length <= MOST_POINTS) return [...points]
  const per = points.length / MOST_POINTS
  return Array.from({ length: MOST_POINTS }, (_, slot) =>
    points
      .slice(Math.floor(slot * per), Math.floor((slot + 1) * per))
      .reduce((most, point) => (point.context > most.context ? point : most)),
  )
}

/** How full the context was, and how much each reply wrote, over the session. */
export function Curve({ conversation, viewport }: { conversation: Conversation; viewport: Viewport }) {
  const curve = conversation.outline.value?.curve
  const drawn = useMemo(
    () => curve && <Drawn points={pointsOf(curve)} viewport={viewport} />,
    [curve, viewport],
  )
  return curve && curve.index.length > 1 ? drawn : null
}

function Drawn({ points: all, viewport }: { points: readonly CurvePoint[]; viewport: Viewport }) {
  const points = thinned(all)
  const most = Math.max(...points.map(({ context }) => context), 1)
  const mostOut = Math.max(...points.map(({ output }) => output), 1)
  const x = (position: number): number => (position / (points.length - 1)) * WIDTH
  const y = (context: number): number => HEIGHT - 2 - (context / most) * (HEIGHT - 8)
  const line = points
    .map((point, position) => `${x(position).toFixed(1)},${y(point.context).toFixed(1)}`)
    .join(' L')
  const total = all.reduce((sum, { output }) => sum + output, 0)
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const position = Math.round(((event.clientX - box.left) / box.width) * (all.length - 1))
    viewport.show(all[Math.max(0, position)]!.index)
  }
  return (
    <figure class="curve">
      <figcaption>
        <span>Context</span>
        <span class="number">{`up to ${brief(most)} tokens · ${brief(total)} written`}</span>
      </figcaption>
      <div class="curve-plot">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the outline below reaches the same messages by key. */}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Context of up to ${brief(most)} tokens over ${all.length} replies`}
          onClick={go}
        >
          <path class="curve-area" d={`M0,${HEIGHT} L${line} L${WIDTH},${HEIGHT}Z`} />
          <path class="curve-line" d={`M${line}`} vector-effect="non-scaling-stroke" />
          {points.map((point, position) => (
            <rect
              key={position}
              class="curve-output"
              x={x(position) - 0.6}
              width={1.2}
              y={HEIGHT - (point.output / mostOut) * 18}
              height={(point.output / mostOut) * 18}
            />
          ))}
        </svg>
        <Mark viewport={viewport} />
      </div>
    </figure>
  )
}

/** Where the view is in the curve. It moves by a transform, so the curve is not painted again. */
function Mark({ viewport }: { viewport: Viewport }) {
  const { from } = viewport.part.value
  return <span class="curve-mark" style={{ transform: `translateX(${Math.min(1, from) * 100}%)` }} />
}
