/**
 * The maximum length of one match. V8 keeps a backtracking step per character, and millions overflow its
 * stack.
 */
const AT_ONCE = 1024

/** A pattern for `runsOf`, from a character class. */
export const runPattern = (characters: string): RegExp => new RegExp(`${characters}{1,${AT_ONCE}}`, 'gv')

/** The runs of a text, of any length. */
export function* runsOf(text: string, pattern: RegExp): Generator<{ start: number; end: number }> {
  let run: { start: number; end: number } | undefined
  for (const { index, 0: piece } of text.matchAll(pattern)) {
    if (run?.end === index) {
      run.end += piece.length
      continue
    }
    if (run) yield run
    run = { start: index, end: index + piece.length }
  }
  if (run) yield run
}
