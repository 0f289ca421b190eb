/** The letter of an item that is not known yet. */
export const UNKNOWN = '?'

/** What the page knows about the items of a session, without their words. */
export interface Shape {
  who: string
  size: readonly number[]
  at: readonly (number | null)[]
}
