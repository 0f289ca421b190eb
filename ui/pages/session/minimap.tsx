import { useEffect, useRef } from 'preact/hooks'
import type { Viewport } from '../../parts/viewport.ts'
import type { Conversation } from './conversation.ts'
import type { RowList } from './rows.ts'

interface MinimapProperties {
  conversation: Conversation
  rows: RowList
  viewport: Viewport
}

/** The more important letter wins where several items share a pixel. */
const RANK: Record<string, number> = { '?': 0, t: 1, p: 2, a: 3, m: 4, e: 5, h: 6 }

interface Bar {
  letter: string
  /** From 0 to 1. */
  length: number
}

const lengthOf = (letter: string, size: number): number =>
  letter === 'h'
    ? 1
    : letter === 't' || letter === '?'
      ? 0.22
      : letter === 'e'
        ? 0.5
        : Math.min(1, 0.25 + Math.log10(1 + size) / 5)

/** For each pixel from top to bottom, what is there. */
function barsOf({ conversation, rows, viewport }: MinimapProperties, height: number): Bar[] {
  const { who, size } = conversation.shape.peek()
  const bars: Bar[] = Array.from({ length: height }, () => ({ letter: '', length: 0 }))
  for (let index = 0; index < rows.length; index++) {
    const { from, to } = rows.row(index)
    const top = Math.floor(viewport.partOf(index) * height)
    const end = Math.max(top + 1, Math.floor(viewport.partOf(index + 1) * height) - 1)
    let letter = who[from] ?? '?'
    for (let at = from; at < to && letter !== 'e'; at++) if (who[at] === 'e') letter = 'e'
    const length = lengthOf(letter, size[from] ?? 0)
    for (let y = top; y < end && y < height; y++)
      if (bars[y]!.letter === '' || RANK[letter]! > RANK[bars[y]!.letter]!) bars[y] = { letter, length }
  }
  return bars
}

const COLORS: Record<string, string> = {
  h: '--accent',
  a: '--line-strong',
  p: '--series-2',
  t: '--line',
  e: '--error',
  m: '--series-4',
  '?': '--line',
}

function draw(canvas: HTMLCanvasElement, given: MinimapProperties): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = window.devicePixelRatio || 1
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const pen = canvas.getContext('2d')
  if (!pen || height === 0) return
  pen.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const colors = new Map(
    Object.entries(COLORS).map(([letter, name]) => [letter, style.getPropertyValue(name)]),
  )
  const isSparse = given.rows.length * 8 < height
  for (const [y, { letter, length }] of barsOf(given, height).entries()) {
    if (letter === '') continue
    // Stripes, so that a long message looks like lines of text.
    if (isSparse && y % 4 > 1) continue
    pen.fillStyle = colors.get(letter)!
    pen.fillRect(8, y, Math.max(3, length * (width - 16)), 1)
  }
}

/** The whole session in one strip: who spoke, tools, errors. A click or a drag goes there. */
export function Minimap(given: MinimapProperties) {
  const { viewport, rows, conversation } = given
  const canvas = useRef<HTMLCanvasElement>(null)
  const isReady = conversation.outline.value !== undefined
  useEffect(() => {
    const element = canvas.current!
    const again = () => draw(element, given)
    const observer = new ResizeObserver(again)
    observer.observe(element)
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', again)
    return () => {
      observer.disconnect()
      dark.removeEventListener('change', again)
    }
  }, [rows, isReady])
  const go = (event: PointerEvent) => {
    if (event.buttons !== 1) return
    const box = canvas.current!.getBoundingClientRect()
    viewport.showPart((event.clientY - box.top) / box.height)
  }
  return (
    <div
      class="minimap"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={go}
    >
      <canvas ref={canvas} />
      <InView viewport={viewport} />
    </div>
  )
}

function InView({ viewport }: { viewport: Viewport }) {
  const { from, to } = viewport.part.value
  const height = Math.max(0.012, to - from)
  return (
    // Moving by a transform costs no layout.
    <span class="minimap-track" style={{ transform: `translateY(${Math.min(from, 1 - height) * 100}%)` }}>
      <span class="minimap-view" style={{ height: `${(height * 100).toFixed(2)}%` }} />
    </span>
  )
}
