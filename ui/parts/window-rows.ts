/** The rows of a windowed list. Keys grow from row to row and survive a new list of rows. */
export interface Rows {
  length: number
  key(row: number): number
  /** The last row whose key is not greater. */
  rowOf(key: number): number
  /** The height in pixels before the row was measured, in a list of this width. */
  estimate(row: number, width: number): number
}
