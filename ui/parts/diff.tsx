import { diffLines } from 'diff'
import { useMemo } from 'preact/hooks'

export type LineKind = 'same' | 'added' | 'removed' | 'fold'

export interface DiffLine {
  kind: LineKind
  text: string
}

const SIGNS: Record<LineKind, string> = { same: ' ', added: '+', removed: '−', fold: ' ' }

/** Unchanged lines around a change. */
const AROUND = 3

/** A part of a file need not end with a line, and its last line is a line like any other. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function linesOf(before: string, after: string): DiffLine[] {
  const all = diffLines(ended(before), ended(after)).flatMap(({ value, added, removed }) => {
    const kind: LineKind = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): DiffLine => ({ kind, text }))
  })
  const near = all.map((_, index) =>
    all.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  const shown: DiffLine[] = []
  for (const [index, line] of all.entries()) {
    if (near[index]) shown.push(line)
    else if (shown.at(-1)?.kind !== 'fold') shown.push({ kind: 'fold', text: '⋯' })
  }
  return shown
}

/** The lines that two texts differ in. */
export function Diff({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => linesOf(before, after), [before, after])
  return <DiffLines lines={lines} />
}

export function DiffLines({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label="Changed lines" dir="ltr">
      {lines.map(({ kind, text }, index) => (
        <span key={index} class={`diff-line ${kind}`}>
          <span class="sign">{SIGNS[kind]}</span>
          {text || ' '}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
