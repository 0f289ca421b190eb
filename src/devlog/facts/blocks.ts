/** A part of a text in Markdown, with its place in the text. */
export interface TextBlock {
  type: 'heading' | 'paragraph' | 'item' | 'row' | 'quote' | 'fence' | 'footnote'
  start: number
  end: number
  /** The last heading before it. */
  heading: string
}

interface Line {
  text: string
  start: number
  end: number
}

const STARTS: readonly (readonly [TextBlock['type'], RegExp])[] = [
  ['heading', /^ {0,3}#{1,6} /],
  ['footnote', /^\[\^[^\]]+\]:/],
  ['row', /^\s*\|/],
  ['quote', /^ {0,3}>/],
  ['item', /^\s*(?:[-*+]|\d+[.)])\s/],
]
const FENCE = /^ {0,3}(```+|~~~+)/

/** Blocks in which every line stands alone. */
const SINGLE: ReadonlySet<TextBlock['type']> = new Set(['heading', 'footnote', 'row'])

/** The blocks of a text, in order. Blank lines belong to none. */
export function blocksOf(markdown: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let heading = ''
  let fence: string | undefined
  let before: TextBlock | undefined
  for (const { text, start, end } of linesOf(markdown)) {
    const mark = FENCE.exec(text)?.[1]
    if (fence !== undefined) {
      before!.end = end
      if (mark?.startsWith(fence) && text.trim() === mark) [fence, before] = [undefined, undefined]
      continue
    }
    if (mark !== undefined) {
      fence = mark
      before = { type: 'fence', start, end, heading }
      blocks.push(before)
      continue
    }
    if (text.trim() === '') {
      before = undefined
      continue
    }
    const type = STARTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'paragraph'
    const continues = before && !SINGLE.has(before.type) && (type === 'paragraph' || type === 'quote')
    if (continues && (type === 'paragraph' || before!.type === 'quote')) {
      before!.end = end
      continue
    }
    if (type === 'heading') heading = text.trim()
    before = { type, start, end, heading }
    blocks.push(before)
    if (SINGLE.has(type)) before = undefined
  }
  return blocks
}

function* linesOf(text: string): Generator<Line> {
  let start = 0
  for (const line of text.split('\n')) {
    yield { text: line.replace(/\r$/, ''), start, end: start + line.length }
    start += line.length + 1
  }
}
