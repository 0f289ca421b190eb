import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Piece } from '../text/code-piece.ts'
import { highlight, loadHighlight } from '../text/highlight.ts'

const drawn = (pieces: readonly Piece[]): ComponentChildren[] =>
  pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={index} class={piece.scope && `code-${piece.scope.split('.')[0]}`}>
        {drawn(piece.children)}
      </span>
    ),
  )

/** Longer code stays plain: coloring it would hold up the page. */
const MOST_COLORED = 30_000

/** A block of code, in color once the highlighter is loaded. */
export function Code({
  text,
  language,
  label,
}: {
  text: string
  language?: string | undefined
  label?: string
}) {
  const isColored = language !== undefined && language !== '' && text.length <= MOST_COLORED
  useEffect(() => {
    if (isColored) loadHighlight()
  }, [isColored])
  const pieces = isColored ? highlight.value?.(text, language.toLowerCase()) : undefined
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label ?? 'Code'} dir="ltr">
      <code>{pieces ? drawn(pieces) : text}</code>
    </pre>
  )
}
