import type { Part } from '../model/event.ts'
import { asText } from '../model/json.ts'

/** An attached file or image: the last part of its path, or what it is if no path is known. */
export function attached(path: unknown, kind: string): Part {
  const name = asText(path)
    ?.split(/[\\/]/)
    .findLast((part) => part.trim() !== '')
  return { type: 'media', name: name ?? kind }
}
