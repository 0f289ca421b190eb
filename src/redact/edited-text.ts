/** A piece of a text, and the one character, or none, that stands in its place. */
export interface Edit {
  start: number
  end: number
  by: string
}

/** A text after some edits, and the way back to where its characters stand in the original. */
export interface EditedText {
  text: string
  /** Places in the text, ascending, at which something was taken out. */
  seams: readonly number[]
  /** Where the character at this place begins in the original. */
  startOf(place: number): number
  /** Where the character before this place ends in the original. */
  endOf(place: number): number
}

/** Makes the edits, which come in order. Undefined where there is none. */
export function edited(text: string, edits: Iterable<Edit>): EditedText | undefined {
  /** Of each edit: where it ends in the edited text, whether it put a character there, and its piece of the original. */
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
  /** How many edits lie before the character at a place. */
  const before = (place: number): number => {
    let low = 0
    let high = after.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (after[middle]! <= place) low = middle + 1
      else high = middle
    }
    return low
  }
  const put = (edit: number, place: number): boolean => puts[edit] === true && after[edit] === place + 1
  const startOf = (place: number): number => {
    const edit = before(place)
    if (put(edit, place)) return starts[edit]!
    return edit === 0 ? place : ends[edit - 1]! + place - after[edit - 1]!
  }
  return {
    text: made,
    seams,
    startOf,
    endOf(place) {
      const edit = before(place - 1)
      return put(edit, place - 1) ? ends[edit]! : startOf(place - 1) + 1
    },
  }
}

/** Edits of a text that was edited before: places lead back to the first one. */
export const composed = (first: EditedText | undefined, second: EditedText): EditedText =>
  first === undefined
    ? second
    : {
        ...second,
        startOf: (place) => first.startOf(second.startOf(place)),
        endOf: (place) => first.endOf(second.endOf(place)),
      }
