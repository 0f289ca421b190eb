import type { Citation, Dynamic, ErrorEvidence, HardPart } from '../evidence/evidence.ts'

const MOST_CITATIONS = 4
/** One correction is not a hard part. */
const LEAST_CORRECTIONS = 2

/**
 * An error that came back and was never fixed, else the longest debugging, else repeated corrections, else
 * what the human asked for twice, else rounds on one file.
 */
export function hardPartOf(
  dynamics: readonly Dynamic[],
  errors: readonly ErrorEvidence[],
  repeated: readonly Citation[],
): HardPart | null {
  const part = (why: string, citations: readonly Citation[]): HardPart => ({
    ...{ why, citations: citations.slice(0, MOST_CITATIONS) },
  })
  const longest = (kind: Dynamic['kind']): Dynamic | undefined =>
    dynamics
      .filter((each) => each.kind === kind)
      .reduce<Dynamic | undefined>(
        (most, each) => (!most || each.citations.length > most.citations.length ? each : most),
        undefined,
      )
  const open = errors.find(({ ending }) => ending === 'still-failing')
  if (open) return part(`an error that came back: ${open.times} times`, [open.error])
  const debugging = longest('debugging')
  if (debugging) return part(`an error and its repair: ${debugging.detail}`, debugging.citations)
  const corrections = dynamics.filter(({ kind }) => kind === 'correction')
  if (corrections.length >= LEAST_CORRECTIONS)
    return part(
      `${corrections.length} corrections by the human`,
      corrections.flatMap(({ citations }) => citations),
    )
  if (repeated.length > 1) return part('the human asked for the same again', repeated)
  const rounds = longest('iteration')
  return rounds ? part(`several rounds on one file: ${rounds.detail}`, rounds.citations) : null
}
