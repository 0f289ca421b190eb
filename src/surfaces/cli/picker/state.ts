import type { Listing, Scope } from '../../../commands/picker/source.ts'
import { identities } from '../../../platforms/identities.ts'
import type { TextView } from './text.ts'

/** A line in which something is typed, besides the query. */
export interface Prompt {
  label: string
  value: string
  what: 'find' | 'tag'
}

/** Everything that the screen is drawn from. */
export interface State {
  query: string
  /** Where keys go. */
  focus: 'query' | 'rows'
  scope: Scope
  platform: string | undefined
  listing: Listing
  cursor: number
  top: number
  /** Whether what is folded is shown. */
  isOpen: boolean
  /**
   * Whether the preview is shown where there is no room beside the list. By default, where what is found
   * leaves room.
   */
  isPreviewed: boolean | undefined
  text: TextView | undefined
  prompt: Prompt | undefined
  /** The page of keys, over everything else. */
  help: TextView | undefined
  /** What was just done, until the next key. */
  message: string
  /** What goes on meanwhile: the progress of indexing. */
  progress: string
  /** The commands that do the same, the last one last. */
  did: string[]
}

/** As it is before anything is asked. */
export const createState = (): State => ({
  query: '',
  focus: 'query',
  scope: 'everything',
  platform: undefined,
  listing: { entries: [], shown: 0, total: 0, about: undefined, words: [], remarks: [] },
  cursor: 0,
  top: 0,
  isOpen: false,
  isPreviewed: undefined,
  text: undefined,
  prompt: undefined,
  help: undefined,
  message: '',
  progress: '',
  did: [],
})

/** Lines of the screen that are not rows: the query and the keys. */
export const CHROME = 2
/** From this width on, the preview is beside the list. */
export const WIDE = 100

/** Fewer lines show no passage. */
const LEAST_PREVIEW = 10

/** How many lines the list has. Where the preview is below it, it gets half of them. */
export function listRows(
  { columns, rows }: { columns: number; rows: number },
  { isPreviewed, listing: { query, entries } }: Pick<State, 'isPreviewed' | 'listing'>,
): number {
  const all = Math.max(1, rows - CHROME)
  const half = Math.max(1, Math.ceil(all / 2))
  const isRoomy = query !== undefined && entries.length > 0 && entries.length <= half && all > LEAST_PREVIEW
  return columns < WIDE && (isPreviewed ?? isRoomy) ? half : all
}

/** The words of a query, and the platform that `@codex` in it names. */
export function wordsOf({ query, platform }: Pick<State, 'query' | 'platform'>): {
  words: string
  platform: string | undefined
} {
  let named = platform
  const words = query.split(/\s+/).filter((word) => {
    if (!word.startsWith('@')) return true
    const name = word.slice(1).toLowerCase()
    const found =
      name === ''
        ? undefined
        : identities.find((each) =>
            [each.short, each.id, each.name.toLowerCase()].some((form) => form.startsWith(name)),
          )
    named = found?.id ?? named
    // While a name is typed, nothing is searched for it.
    return found === undefined && name !== ''
  })
  return { words: words.join(' '), platform: named }
}
