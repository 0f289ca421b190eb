import type { Draft } from '../event.ts'

/** Tells the records that a fork copied from its own, by what its header says. */
export function createCopies() {
  let copies: boolean | { olderThan: number; shown?: true } = false
  let hasMessages = false
  return {
    /** Whether everything is a copy until a record ends the copy, so that none may be passed over. */
    isOpen: (): boolean => copies === true,
    /** Whether copies are shown, as messages of a program. */
    areShown: (): boolean => typeof copies === 'object' && copies.shown === true,
    /** Whether an event is of a copied record. Each event is asked about once, in file order. */
    isCopy({ at = Number.POSITIVE_INFINITY, payload }: Pick<Draft, 'at' | 'payload'>): boolean {
      const isCopied = typeof copies === 'object' ? at < copies.olderThan : copies
      if (payload.type === 'copied') copies = false
      if (payload.type === 'session' && !isCopied)
        copies = payload.copies === 'again' ? hasMessages : (payload.copies ?? false)
      hasMessages ||= payload.type === 'message'
      return isCopied
    },
  }
}
