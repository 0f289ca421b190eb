import { ScrollbackError } from '../errors.ts'

/** The file of a store is damaged. */
export class DamagedStore extends ScrollbackError {
  /** The new name of the damaged file. Absent if it cannot be renamed, because it is read-only. */
  readonly setAside: string | undefined

  constructor(path: string, setAside: string | undefined, cause: unknown) {
    super(
      'store-unreadable',
      setAside === undefined
        ? `The store at ${path} is damaged, and cannot be written.`
        : `The store was damaged. It was moved to ${setAside}.`,
      setAside === undefined
        ? 'Set SCROLLBACK_HOME to a folder that you may write to.'
        : 'Run the command again: it rebuilds the store from the transcripts.',
      cause,
    )
    this.setAside = setAside
  }
}
