/** Narrower than this nothing can be laid out. */
const NARROWEST = 20
const USUAL = 80

/** How wide lines may be: as wide as the terminal, or as `COLUMNS` says; infinite in a pipe where it says nothing. */
export function columnsOf({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number {
  if (isTTY && columns > 0) return Math.max(NARROWEST, columns)
  const given = Number(process.env.COLUMNS)
  if (Number.isInteger(given) && given > 0) return Math.max(NARROWEST, given)
  return isTTY ? USUAL : Number.POSITIVE_INFINITY
}
