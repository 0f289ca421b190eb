/** A member or an element: from its name, or its value, to the end of that. */
interface Child {
  name: string | undefined
  start: number
  /** Where its value begins. */
  value: number
  end: number
}

const STRING = /"(?:[^"\\]|\\.)*"/gy

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
    if (sign === '"') {
      STRING.lastIndex = at
      at += STRING.exec(text)![0].length - 1
    } else if (depth === 0 && sign === ':') {
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
