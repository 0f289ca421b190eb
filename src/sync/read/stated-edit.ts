/** A change of a file, as a tool call states it. */
export interface StatedEdit {
  path: string
  /** What is replaced. Undefined if the whole file is written. */
  before?: string
  after: string
  /** `before` is replaced wherever it occurs. */
  everywhere?: true
  /** The file is deleted. */
  deleted?: true
}
