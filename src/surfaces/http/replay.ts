import { hash } from 'node:crypto'

const MOST = 1000

/** Answers that were given lately, by idempotency key: the same request again has the same answer, and no work is done for it. */
export function createReplay() {
  const answers = new Map<string, { digest: string; answer: object; partly: boolean }>()
  return {
    /** Undefined where the key is new, or came with other bytes. */
    find(key: string, body: Buffer) {
      const known = answers.get(key)
      return known?.digest === digestOf(body) ? known : undefined
    },
    keep(key: string, body: Buffer, answer: object, partly: boolean): void {
      if (answers.size >= MOST) answers.delete(answers.keys().next().value!)
      answers.set(key, { digest: digestOf(body), answer, partly })
    },
  }
}

const digestOf = (body: Buffer): string => hash('sha256', body, 'base64')
