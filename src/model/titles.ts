import type { Artifact } from './artifact.ts'
import type { Payload, TitleSource } from './event.ts'

const RANK: Record<TitleSource, number> = { custom: 0, ai: 1, 'last-prompt': 2, summary: 3, index: 4 }

/** The titles in a file that was read so far: plain data. */
export interface TitleState {
  given: Map<TitleSource, string>
  /** Made for a record that may stand in another file. */
  stray: { leaf: string; title: string }[]
}

/** The titles a session was given, of which the best is shown; of each kind the last counts. */
export function createTitles(artifact: Artifact, limit: number, before?: TitleState) {
  const state: TitleState = before ?? { given: new Map(), stray: [] }
  const { stray } = state
  return {
    state,
    add(payload: Extract<Payload, { type: 'title' }>): void {
      const title = payload.title.slice(0, limit)
      if (payload.leaf === undefined) state.given.set(payload.source, title)
      else stray.push({ leaf: payload.leaf, title })
    },
    /** What was first said tells more of a conversation than an index does, and less than any title. */
    best(firstHuman: string | undefined, stands: (leaf: string) => boolean): string | undefined {
      // A title from a file beside the transcript was given by hand; one from an index may be no more than a peer's name.
      const source = artifact.platform === 'claude-code' ? 'custom' : 'index'
      const titles = new Map<TitleSource, string>(artifact.titleHint ? [[source, artifact.titleHint]] : [])
      for (const [from, title] of state.given) titles.set(from, title)
      const own =
        stray.findLast(({ leaf }) => stands(leaf)) ?? (firstHuman === undefined ? stray.at(-1) : undefined)
      if (own) titles.set('summary', own.title)
      const [best] = [...titles].sort((a, b) => RANK[a[0]] - RANK[b[0]])
      if (best && best[0] !== 'index') return best[1]
      return firstHuman ?? best?.[1]
    },
  }
}
