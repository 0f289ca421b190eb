/** A range of a text, and the character (or none) that replaces it. */
export interface Edit {
  start: number
  end: number
  by: string
}

/** A text after some edits, with a mapping to positions in the original. */
export interface EditedText {
  text: string
  /** Positions in the text where something was removed, ascending. */
  seams: readonly number[]
  /** Where the character at this position begins in the original. */
  startOf(position: number): number
  /** Where the character before this position ends in the original. */
  endOf(position: number): number
}

/** Applies edits, which must be in order. Undefined if there are none. */
export function edited(text: string, edits: Iterable<Edit>): EditedText | undefined {
  /**
   * For each edit: its end in the edited text, whether it inserted a character, and its range in the
   * original.
   */
  const after: number[] = []
  const puts: boolean[] = []
  const starts: number[] = []
  const ends: number[] = []
  const seams: number[] = []
  let made = ''
  let copied = 0
  for (const { start, end, by } of edits) {
    made += text.slice(copied, start) + by
    copied = end
    after.push(made.length)
    puts.push(by !== '')
    starts.push(start)
    ends.push(end)
    if (by === '' && seams.at(-1) !== made.length) seams.push(made.length)
  }
  if (after.length === 0) return undefined
  made += text.slice(copied)
  /** The number of edits before the character at a position. */
  const before = (position: number): number => {
    let low = 0
    let high = after.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (after[middle]! <= position) low = middle + 1
      else high = middle
    }
    return low
  }
  const put = (edit: number, position: number): boolean => puts[edit] === true && after[edit] === position + 1
  const startOf = (position: number): number => {
    const edit = before(position)
    if (put(edit, position)) return starts[edit]!
    return edit === 0 ? position : ends[edit - 1]! + position - after[edit - 1]!
  }
  return {
    text: made,
    seams,
    startOf,
    endOf(position) {
      const edit = before(position - 1)
      return put(edit, position - 1) ? ends[edit]! : startOf(position - 1) + 1
    },
  }
}

/** Combines two successive edits. Positions lead back to the first text. */
export const composed = (first: EditedText | undefined, second: EditedText): EditedText =>
  first === undefined
    ? second
    : {
        ...second,
        startOf: (position) => first.startOf(second.startOf(position)),
        endOf: (position) => first.endOf(second.endOf(position)),
      }
