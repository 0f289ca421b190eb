const QUOTES = '"“”„‟'

export const isQuote = (character: string | undefined): boolean =>
  character !== undefined && QUOTES.includes(character)

/** Where the quote that opens at `start` closes; undefined when it does not. Any quote closes any other. */
export function closingQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) if (isQuote(text[at])) return at
  return undefined
}

/**
 * Where the word that begins at `start` ends. Parentheses belong to a word that opens them itself, as in `f(x)`; in a
 * group (`grouped`) any other closing one ends the word too.
 */
export function wordEnd(text: string, start: number, grouped: boolean): number {
  let open = 0
  let at = start
  for (; at < text.length; at++) {
    const character = text[at]!
    if (character === '|' || isQuote(character) || /[\s\0]/.test(character)) break
    if (character === '(') open++
    else if (character === ')') {
      if (open > 0) open--
      else if (grouped) break
    }
  }
  return at
}
