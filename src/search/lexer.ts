const QUOTES = '"“”„‟'

export const isQuote = (character: string | undefined): boolean =>
  character !== undefined && QUOTES.includes(character)

/**
 * The index of the quote that closes the one at `start`. Undefined if there is none. Any kind of quote closes
 * any other.
 */
export function closingQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) if (isQuote(text[at])) return at
  return undefined
}

/**
 * The end of the word at `start`. Parentheses that the word itself opens belong to it, as in `f(x)`. Inside a
 * group (`grouped`), any other closing parenthesis ends the word.
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
