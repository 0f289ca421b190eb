import { signal } from '@preact/signals'

/** A search that the person wants to come back to. */
export interface SavedSearch {
  name: string
  /** Where it leads to, with its filters: `/sessions?q=agent%3Acodex`. */
  address: string
}

const NAME = 'scrollback-searches'
/** More would not be found again. */
const MOST = 50

/** An address of this page, whatever a storage contains. */
const isSaved = (value: unknown): value is SavedSearch => {
  const { name, address } = (value ?? {}) as Partial<SavedSearch>
  return (
    typeof name === 'string' && typeof address === 'string' && /^\/(?:sessions|search)(?:\?|$)/.test(address)
  )
}

function stored(): SavedSearch[] {
  try {
    const values: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(values) ? values.filter(isSaved).slice(0, MOST) : []
  } catch {
    return []
  }
}

/** The saved searches of this browser, the newest first. */
export const searches = signal<readonly SavedSearch[]>(stored())

function keep(next: readonly SavedSearch[]): void {
  searches.value = next.slice(0, MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify(searches.value))
  } catch {
    // Then they last as long as the page.
  }
}

/** Saves a search. One of the same name is replaced. */
export const saveSearch = (search: SavedSearch): void =>
  keep([search, ...searches.value.filter(({ name }) => name !== search.name)])

export const removeSearch = (name: string): void => keep(searches.value.filter((each) => each.name !== name))
