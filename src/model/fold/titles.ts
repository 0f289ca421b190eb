import type { Artifact } from '../artifact.ts'
import type { Payload, TitleSource } from '../event.ts'

const RANK: Record<TitleSource, number> = { custom: 0, ai: 1, 'last-prompt': 2, summary: 3, index: 4 }

/** Collects the titles of a session, the last of each kind, and chooses the best. */
export function createTitles(artifact: Artifact, limit: number) {
  const given = new Map<TitleSource, string>()
  /** Titles for records that may be in another file. */
  const stray: { leaf: string; title: string }[] = []
  return {
    add(payload: Extract<Payload, { type: 'title' }>): void {
      const title = payload.title.slice(0, limit)
      if (payload.leaf === undefined) given.set(payload.source, title)
      else stray.push({ leaf: payload.leaf, title })
    },
    /** The best title. The first human message ranks above a title from an index and below all others. */
    best(firstHuman: string | undefined, contains: (leaf: string) => boolean): string | undefined {
      // A title in a file next to the transcript was chosen by a human. One from an index may be just a
      // peer's name.
      const source = artifact.titleHintByHand ? 'custom' : 'index'
      const titles = new Map<TitleSource, string>(artifact.titleHint ? [[source, artifact.titleHint]] : [])
      for (const [from, title] of given) titles.set(from, title)
      const own =
        stray.findLast(({ leaf }) => contains(leaf)) ?? (firstHuman === undefined ? stray.at(-1) : undefined)
      if (own) titles.set('summary', own.title)
      const [best] = [...titles].sort((a, b) => RANK[a[0]] - RANK[b[0]])
      if (best && best[0] !== 'index') return best[1]
      return firstHuman ?? best?.[1]
    },
  }
}

export type Titles = ReturnType<typeof createTitles>
