/** How many strings are held. Folders and models are few, so more than that are not worth holding. */
const MOST = 10_000

/**
 * Returns a function that returns equal strings as one. For rows that stay in memory: thousands of sessions
 * name the same folders and models, and each row is read with strings of its own.
 */
export function createSharedStrings(): (text: string) => string {
  const held = new Map<string, string>()
  return (text) => {
    const same = held.get(text)
    if (same !== undefined) return same
    if (held.size >= MOST) held.clear()
    held.set(text, text)
    return text
  }
}
