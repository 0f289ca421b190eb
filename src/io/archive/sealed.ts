import { hash } from 'node:crypto'

/**
 * Small records with a checksum: one line of JSON that ends in the checksum of everything before it. The
 * encoding is canonical, so a file that differs in a single bit is rejected.
 */
export function seal(fields: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields).slice(0, -1)
  return `${text},"checksum":"${hash('sha256', text, 'hex')}"}\n`
}

/** The fields of a sealed record. Undefined if it is damaged. */
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

/** Ids and times in archives are printed, so only one form of each is accepted. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)
