/** Narrower output cannot be formatted. */
const NARROWEST = 20
const USUAL = 80

/**
 * The maximum width of lines: that of the terminal, or of `COLUMNS`. Infinite in a pipe without `COLUMNS`.
 */
export function columnsOf({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number {
  if (isTTY && columns > 0) return Math.max(NARROWEST, columns)
  const given = Number(process.env.COLUMNS)
  if (Number.isInteger(given) && given > 0) return Math.max(NARROWEST, given)
  return isTTY ? USUAL : Number.POSITIVE_INFINITY
}
