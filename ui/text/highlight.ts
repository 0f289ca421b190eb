import { signal } from '@preact/signals'
import type { Piece } from './code-piece.ts'

type Highlight = (text: string, language: string) => Piece[] | undefined

/** Undefined until the highlighter is loaded. */
export const highlight = signal<Highlight | undefined>(undefined)

let isLoading = false

/** Loads the highlighter, once. It is larger than the rest of the page, so it comes after the first code. */
export function loadHighlight(): void {
  if (isLoading) return
  isLoading = true
  import('./highlighter.ts').then(
    (module) => {
      highlight.value = module.piecesOf
    },
    () => {
      isLoading = false
    },
  )
}
