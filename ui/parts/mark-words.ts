const NAME = 'found'

export function unmarkWords(): void {
  CSS.highlights?.delete(NAME)
}

/** Marks words in what an element shows, without changing its elements. */
export function markWords(selector: string, text: string): void {
  const root = document.querySelector(selector)
  const words = text.toLowerCase().replaceAll('"', '').split(/\s+/).filter(Boolean)
  if (!root || words.length === 0 || CSS.highlights === undefined) {
    unmarkWords()
    return
  }
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const content = node.textContent!.toLowerCase()
    for (const word of words) {
      for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + word.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, Math.min(at + word.length, node.textContent!.length))
        ranges.push(range)
      }
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges))
}
