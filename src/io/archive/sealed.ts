import { hash } from 'node:crypto'

/**
 * Small records that prove to be whole: JSON on one line, ending in a checksum of what comes before it. There is one way to write each,
 * so a file that differs in a single bit is not read as anything.
 */
export function seal(fields: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields).slice(0, -1)
  return `${text},"checksum":"${hash('sha256', text, 'hex')}"}\n`
}

/** The fields of a sealed record; undefined where a bit of it is wrong. */
export function unseal(text: string): Readonly<Record<string, unknown>> | undefined {
  const end = text.lastIndexOf(',"checksum":"')
  if (end < 0) return undefined
  try {
    const { checksum: _, ...fields } = JSON.parse(text) as Record<string, unknown>
    return seal(fields) === text ? fields : undefined
  } catch {
    return undefined
  }
}
