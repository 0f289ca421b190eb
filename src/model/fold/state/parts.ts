/**
 * A long state is stored in parts, so that continuing a long file reads and writes only those that its new
 * lines need. Each part is plain data with a name.
 */
export interface StateParts {
  /** Reads a stored part. Throws if there is none. */
  load(name: string): unknown
}

/** The parts that have changed, by name. */
export type ChangedParts = Map<string, unknown>

/** For a fold that begins with the first line. */
export const NO_PARTS: StateParts = {
  load(name) {
    throw new Error(`The state has no part ${name}.`)
  },
}
