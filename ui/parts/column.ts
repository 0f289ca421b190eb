/** A column: its name, and the parts it is stacked of, in the order of the series. */
export interface Column {
  name: string
  parts: readonly number[]
}
