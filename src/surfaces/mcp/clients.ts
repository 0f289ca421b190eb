/** What a program says of itself when it connects. */
export interface Client {
  name: string
  version: string
}

/**
 * Programs that were seen to give their agent the structured form of an answer and never its text, from these versions on. All
 * others get both.
 */
const STRUCTURED: readonly { name: RegExp; since: readonly number[] }[] = [
  { name: /^claude-code$/, since: [2, 1, 330] },
  { name: /^openclaw\b/, since: [2026, 9, 6] },
]

export function showsStructured(client: Client | undefined): boolean {
  if (!client) return false
  const version = client.version.split('.').map((part) => Number.parseInt(part, 10))
  return STRUCTURED.some(({ name, since }) => name.test(client.name) && isSince(version, since))
}

function isSince(version: readonly number[], since: readonly number[]): boolean {
  for (const [index, wanted] of since.entries()) {
    const part = version[index] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}
