/** Heights of rows with fast sums: a Fenwick tree, so that a list of 100,000 rows costs 17 steps a question. */
export class Heights {
  readonly length: number
  private readonly heights: Float64Array
  private readonly sums: Float64Array
  private readonly top: number

  constructor(length: number, heightOf: (row: number) => number) {
    this.length = length
    this.heights = new Float64Array(length)
    this.sums = new Float64Array(length + 1)
    this.top = length === 0 ? 0 : 2 ** Math.floor(Math.log2(length))
    for (let row = 0; row < length; row++) {
      const height = heightOf(row)
      this.heights[row] = height
      this.sums[row + 1]! += height
      const parent = row + 1 + ((row + 1) & -(row + 1))
      if (parent <= length) this.sums[parent]! += this.sums[row + 1]!
    }
  }

  of(row: number): number {
    return this.heights[row] ?? 0
  }

  /** Changes a height and returns the difference. */
  set(row: number, height: number): number {
    const difference = height - this.heights[row]!
    if (difference === 0) return 0
    this.heights[row] = height
    for (let at = row + 1; at <= this.length; at += at & -at) this.sums[at]! += difference
    return difference
  }

  /** The sum of the heights of all rows before this one. */
  before(row: number): number {
    let sum = 0
    for (let at = Math.min(row, this.length); at > 0; at -= at & -at) sum += this.sums[at]!
    return sum
  }

  get total(): number {
    return this.before(this.length)
  }

  /** The row at this distance from the top; the last row for anything below it. */
  at(offset: number): number {
    let rest = offset
    let row = 0
    for (let step = this.top; step > 0; step >>= 1) {
      if (row + step <= this.length && this.sums[row + step]! <= rest) {
        row += step
        rest -= this.sums[row]!
      }
    }
    return Math.max(0, Math.min(row, this.length - 1))
  }
}
