import type { Annotation, TagRule } from '../model/session.ts'

/** A change of one session's annotation. Fields that are absent stay as they are. */
export interface AnnotationChange {
  star?: boolean
  /** `null` removes the name. */
  name?: string | null
  add?: readonly string[]
  remove?: readonly string[]
}

/**
 * Stars, names and tags of sessions, by session id. They are the only data of ours that no transcript
 * contains, so they are stored apart from the index, and no rebuild touches them.
 */
export interface Annotations {
  /** Sessions without an annotation are absent. */
  all(): Map<string, Annotation>
  /** Changes one session and returns its new annotation. */
  change(session: string, change: AnnotationChange): Annotation
  /** Sorted by tag. */
  rules(): TagRule[]
  /** Adds a rule. A rule with the same tag and query stays single. */
  addRule(rule: TagRule): void
  /** Removes all rules of a tag and returns how many there were. */
  removeRules(tag: string): number
  close(): void
}
