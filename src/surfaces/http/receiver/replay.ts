import { hash } from 'node:crypto'

const MOST = 1000

/** Recent responses by idempotency key. A repeated request gets the same response without any work. */
export function createReplay() {
  const answers = new Map<string, { digest: string; answer: object; partly: boolean }>()
  return {
    /** Undefined if the key is new, or came with another body. */
    find(key: string, body: Buffer) {
      const known = answers.get(key)
      return known?.digest === digestOf(body) ? known : undefined
    },
    keep(key: string, body: Buffer, answer: object, partly: boolean): void {
      // Inserting a key again makes it the latest.
      answers.delete(key)
      if (answers.size >= MOST) answers.delete(answers.keys().next().value!)
      answers.set(key, { digest: digestOf(body), answer, partly })
    },
  }
}

const digestOf = (body: Buffer): string => hash('sha256', body, 'base64')
