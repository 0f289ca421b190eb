/**
 * Decides about one string in a JSON text: a value, or the name of a member (`isName`). `path`: the names
 * that lead to it, `*` for the elements of a list. Undefined leaves it as it is.
 */
export type EditString = (path: readonly string[], value: string, isName: boolean) => string | undefined

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92

/**
 * Replaces strings in a JSON text. Every other byte stays as it is: white space, the order of members, the
 * digits of numbers. The text must be valid JSON.
 */
export function editJson(text: string, edit: EditString): string {
  /** The open containers: the name of the current member, or `*` in a list. */
  const path: string[] = []
  const isObject: boolean[] = []
  let nameNext = false
  let edited = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const value = JSON.parse(text.slice(at, end + 1)) as string
      const inside = nameNext ? path.slice(0, -1) : path
      const changed = edit(inside, value, nameNext)
      if (nameNext) path[path.length - 1] = value
      if (changed !== undefined && changed !== value) {
        edited += text.slice(copied, at) + JSON.stringify(changed)
        copied = end + 1
      }
      at = end
    } else if (code === 0x7b || code === 0x5b) {
      isObject.push(code === 0x7b)
      path.push('*')
      nameNext = code === 0x7b
    } else if (code === 0x7d || code === 0x5d) {
      isObject.pop()
      path.pop()
      nameNext = false
    } else if (code === COLON) nameNext = false
    else if (code === COMMA) nameNext = isObject.at(-1) === true
  }
  return edited + text.slice(copied)
}

/** The index of the closing quote of the string that begins at `open`. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}
