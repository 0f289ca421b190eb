import type { SearchHit, SearchRequest } from '../search.ts'
import type { StoredMessage } from '../stored.ts'
import type { TitledSession } from './source.ts'

/** The maximum number of titles. */
const MOST = 200

/** The files whose sessions a request may show. */
export interface FileLimits {
  /** Only messages of these files, and none of those. */
  shown?: ReadonlySet<number>
  hidden?: ReadonlySet<number>
  /** Files that a filter excludes. */
  outside?: ReadonlySet<number>
}

/** Titles that match. A title has no speaker and no tool, so filters for these exclude it. */
export function matchingTitles(
  titles: () => Iterable<TitledSession>,
  { query: { filters } }: Pick<SearchRequest, 'query'>,
  { shown, hidden, outside }: FileLimits,
  fits: (folded: string) => boolean,
): TitledSession[] {
  const narrow = [filters, filters.without].some(
    ({ who, tool, file, error, question }) => who.length + tool.length + file.length > 0 || error || question,
  )
  if (narrow) return []
  const found: TitledSession[] = []
  for (const each of titles()) {
    if (!fits(each.folded)) continue
    const at = each.at ?? 0
    if (shown?.has(each.artifact) === false || hidden?.has(each.artifact) || outside?.has(each.artifact))
      continue
    if (at < (filters.after ?? at) || at >= (filters.before ?? Number.POSITIVE_INFINITY)) continue
    found.push(each)
    if (found.length === MOST) break
  }
  return found
}

/** Whether the first words of a session repeat its title, as they do where a client chose none. */
export const isRepeated = (title: string, first: string | undefined): boolean =>
  first !== undefined && beginning(title) === beginning(first)

const beginning = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 40)

/** A title as a hit at the first message of its session; undefined if that message repeats the title. */
export function titleHitAt(
  { title, at }: TitledSession,
  first: StoredMessage,
  session: Pick<SearchHit, 'session' | 'platform' | 'agent' | 'project' | 'path' | 'goneMs'>,
): Omit<SearchHit, 'score'> | undefined {
  const { message, line, offset, length, order, text = '' } = first
  if (isRepeated(title, text)) return undefined
  return {
    ...{ message, line, offset, length, order },
    ...{ who: 'marker', label: 'title', at: at ?? undefined, text: title },
    ...{ ...session, copies: [] },
  }
}
