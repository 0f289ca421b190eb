/** Items of a session: from, and up to but without `to`. */
export interface Span {
  from: number
  to: number
}

/** An abandoned branch: the human went back to the item `after` and took another way. */
export interface Branch extends Span {
  after: number
}

/** A place where the human went back, before an item of the path. */
export interface Fork {
  at: number
  /** The item that the branches go on from. */
  after: number
  /** The abandoned branches that part here. */
  branches: readonly Branch[]
  /** The one that the path takes. Undefined if it goes on with the other way. */
  taken: Branch | undefined
  /** What they part from. */
  other: OtherWay
}

/** How a branch, or what was kept, goes on without the branches that part from it. */
interface OtherWay {
  /** Undefined for what was kept. */
  branch: Branch | undefined
  /** Its first item. */
  begin: number
}

/** The items of a conversation from its beginning to an end: its current one, or that of an abandoned branch. */
export interface Path {
  spans: readonly Span[]
  forks: readonly Fork[]
  /** The abandoned branch at the end of the path. */
  end: Branch | undefined
}

const contains = ({ from, to }: Span, index: number): boolean => index >= from && index < to

export const branchAt = (branches: readonly Branch[], index: number): Branch | undefined =>
  branches.findLast((branch) => contains(branch, index))

/** The path through a branch that begins at an item, or else the current one. `count`: of all items. */
export function pathOf(branches: readonly Branch[], taken: number | undefined, count: number): Path {
  const end = lastOf(branches, branchAt(branches, taken ?? -1))
  const spans: Span[] = []
  let to = count
  for (let branch = end; branch; branch = branchAt(branches, branch.after)) {
    spans.unshift({ from: branch.from, to: Math.min(branch.to, to) })
    to = branch.after + 1
  }
  spans.unshift(...keptSpans(branches, to))
  return { spans, forks: forksOf(branches, spans), end }
}

/** A person may have gone on with a branch after another one. */
function lastOf(branches: readonly Branch[], branch: Branch | undefined): Branch | undefined {
  const next = branch && branches.findLast(({ after }) => after === branch.to - 1)
  return next ? lastOf(branches, next) : branch
}

/** What lies between the branches, up to an item. */
function keptSpans(branches: readonly Branch[], to: number): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const branch of branches) {
    if (branch.from >= to) break
    if (branch.from > from) spans.push({ from, to: branch.from })
    from = branch.to
  }
  if (from < to) spans.push({ from, to })
  return spans
}

function forksOf(branches: readonly Branch[], spans: readonly Span[]): Fork[] {
  const byPlace = new Map<number, Branch[]>()
  for (const branch of branches) {
    const at = placeAfter(spans, branch.after)
    if (at === undefined) continue
    const others = byPlace.get(at)
    if (others) others.push(branch)
    else byPlace.set(at, [branch])
  }
  return [...byPlace]
    .map(([at, parting]) => ({
      at,
      after: parting.at(-1)!.after,
      branches: parting,
      taken: parting.find(({ from }) => from === at && spans.some((span) => contains(span, from))),
      other: otherWay(branches, parting[0]!),
    }))
    .filter(({ branches: parting, taken, other }) => parting.length > 1 || !taken || goesOn(other))
    .sort((one, other) => one.at - other.at)
}

function otherWay(branches: readonly Branch[], { after }: Branch): OtherWay {
  const branch = branchAt(branches, after)
  let begin = after + 1
  for (let over = branchAt(branches, begin); !branch && over; over = branchAt(branches, begin))
    begin = over.to
  return { branch, begin }
}

const goesOn = ({ branch, begin }: OtherWay): boolean => !branch || begin < branch.to

/** The first item of the path after another one. Undefined if that one is not on the path. */
function placeAfter(spans: readonly Span[], after: number): number | undefined {
  const at = after < 0 ? -1 : spans.findIndex((span) => contains(span, after))
  if (after >= 0 && at < 0) return undefined
  const span = spans[at]
  return span && after + 1 < span.to ? after + 1 : (spans[at + 1]?.from ?? span?.to)
}
