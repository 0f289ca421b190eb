/** Differences below this are delays and rounded seconds, in ms. */
const ALIKE_MS = 60_000

let ahead = 0

/** The time of the server, in ms. It is fixed in the demo, and may differ from this machine's on another one. */
export const now = (): number => Date.now() + ahead

/** Takes the time of an answer, as its header `date` states it. */
export function setClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  ahead = Math.abs(difference) < ALIKE_MS ? 0 : difference
}
