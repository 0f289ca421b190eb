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

/** A member or an element: from its name, or its value, to the end of that. */
interface Child {
  name: string | undefined
  start: number
  /** Where its value begins. */
  value: number
  end: number
}

/** What the object or list contains that opens at `open`, and where it closes. The text is valid JSON. */
export function childrenOf(text: string, open: number): { children: Child[]; close: number } {
  const children: Child[] = []
  let child: Child | undefined
  let depth = 0
  for (let at = open + 1; at < text.length; at++) {
    const sign = text[at]!
    if (/\s/.test(sign)) continue
    if (depth === 0 && /[,\]}]/.test(sign)) {
      if (child) children.push(child)
      child = undefined
      if (sign !== ',') return { children, close: at }
      continue
    }
    if (child?.value === -1) child.value = at
    child ??= { name: undefined, start: at, value: at, end: at }
    if (sign === '"') at = endOfString(text, at)
    else if (depth === 0 && sign === ':') {
      child.name = JSON.parse(text.slice(child.start, child.end)) as string
      child.value = -1
      continue
    } else if (/[{[]/.test(sign)) depth++
    else if (/[\]}]/.test(sign)) depth--
    child.end = at + 1
  }
  return { children, close: text.length }
}

/**
 * Adds a member, or an element without a `name`, at the end of the object or list that opens at `open`. Every
 * other byte stays, and so does the way in which the text is indented.
 */
export function addChild(text: string, open: number, name: string | undefined, value: unknown): string {
  const { children, close } = childrenOf(text, open)
  const [first] = children
  const unit = /^\s*\{\s*\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const around = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, open))![1]!
  const before = first ? text.slice(open + 1, first.start) : `\n${around}${unit}`
  const isLines = before.includes('\n')
  const json = JSON.stringify(value, null, isLines ? unit : undefined)
  const indented = isLines ? json.replaceAll('\n', before.slice(before.lastIndexOf('\n'))) : json
  const added =
    before + (name === undefined ? '' : `${JSON.stringify(name)}:${isLines ? ' ' : ''}`) + indented
  const end = children.at(-1)?.end
  return end === undefined
    ? `${text.slice(0, open + 1)}${added}\n${around}${text.slice(close)}`
    : `${text.slice(0, end)},${added}${text.slice(end)}`
}

/** Removes a child. Of what was added at the end, nothing remains. */
export function removeChild(text: string, open: number, index: number): string {
  const { children, close } = childrenOf(text, open)
  const { start, end } = children[index]!
  const next = children[index + 1]
  const [from, to] =
    index > 0 ? [children[index - 1]!.end, end] : next ? [start, next.start] : [open + 1, close]
  return text.slice(0, from) + text.slice(to)
}
