/**
 * The number of slips between two words: a letter changed, missing or added, or two swapped. Returns `most +
 * 1` for anything above `most`.
 */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let slips = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        slips = Math.min(slips, before[column - 2]! + 1)
      current.push(slips)
      least = Math.min(least, slips)
    }
    if (least > most) return most + 1
    before = above
    above = current
  }
  return Math.min(above[other.length]!, most + 1)
}
