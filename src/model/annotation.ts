/** What the user noted about a session. Tags are sorted. */
export interface Annotation {
  star: boolean
  /** Shown instead of the session's title. */
  name?: string
  tags: string[]
}

/** A saved search that gives a tag to the sessions it finds. */
export interface TagRule {
  tag: string
  /** A query as `search` accepts it. */
  query: string
}

const TAG = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_./+#-]{0,63}$/u

/** Tags are single words, because a query separates its filters with spaces. */
export const isTag = (text: string): boolean => TAG.test(text)

export const noAnnotation = (): Annotation => ({ star: false, tags: [] })

/** Tags match in full, in upper or lower case. */
export const hasTag = (annotation: Annotation | undefined, wanted: string): boolean =>
  annotation?.tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase()) === true
