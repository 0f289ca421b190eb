const TITLE = '[Queued messages while agent was busy]'
const ITEM = /^---\nQueued #\d+[^\n]*\n?/gm
const OVERFLOW = /^\[Queue overflow\] Dropped \d+ messages? due to cap\.$/m

/** The messages that were queued while the agent was busy. Undefined if the text is not such a bundle. */
export function queuedMessages(text: string): string[] | undefined {
  if (!text.startsWith(TITLE) && text.search(OVERFLOW) !== 0) return undefined
  const heads = [...text.matchAll(ITEM)]
  const lead = text.slice(0, heads[0]?.index)
  const items = heads.map((head, index) =>
    text.slice(head.index + head[0].length, heads[index + 1]?.index).trim(),
  )
  return [...overflowed(lead), ...items].filter((item) => item !== '')
}

/** Of messages beyond the queue's limit only the first line is recorded. */
function overflowed(lead: string): string[] {
  if (!OVERFLOW.test(lead)) return []
  return [...lead.matchAll(/^- (.+)$/gm)].map((line) => line[1]!)
}
