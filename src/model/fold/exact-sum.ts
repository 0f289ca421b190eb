/** A sum of figures without rounding errors: the same whatever the order of additions. */
export class ExactSum {
  /** Numbers that do not overlap, the smallest first. Their sum is exact. */
  readonly #partials: number[] = []

  add(figure: number): void {
    if (figure === 0) return
    const partials = this.#partials
    let sum = figure
    let count = 0
    for (let partial of partials) {
      if (Math.abs(sum) < Math.abs(partial)) [sum, partial] = [partial, sum]
      const high = sum + partial
      if (!Number.isFinite(high)) {
        // No real figures are that large. The sum stays infinite.
        partials.splice(0, partials.length, Number.POSITIVE_INFINITY)
        return
      }
      const low = partial - (high - sum)
      if (low !== 0) partials[count++] = low
      sum = high
    }
    partials.length = count
    if (sum !== 0) partials.push(sum)
  }

  /** The sum, rounded once. */
  get value(): number {
    const partials = this.#partials
    let index = partials.length - 1
    let sum = partials[index] ?? 0
    let low = 0
    while (index > 0 && low === 0) {
      const before = sum
      const next = partials[--index]!
      sum = before + next
      low = next - (sum - before)
    }
    // Half way between two numbers, the rest decides.
    const rest = partials[index - 1] ?? 0
    if (index > 0 && ((low < 0 && rest < 0) || (low > 0 && rest > 0))) {
      const rounded = sum + low * 2
      if (low * 2 === rounded - sum) return rounded
    }
    return sum
  }
}
