import type { ParametersOf } from '../../api/ask.ts'
import { stated } from '../../api/stated.ts'
import { query, setQuery } from '../../state/router.ts'
import { momentOf } from '../../text/days.ts'
import { filtersIn, type NamedFilter, without, written } from './query-filters.ts'

/** Filters of a query that have a control, and are then in the address by the same name. */
const NAMES = ['who', 'project', 'platform', 'agent', 'tag', 'branch', 'tool', 'file'] as const

export type ControlName = (typeof NAMES)[number]

/** What the endpoint takes besides the query. */
const OTHERS = ['since', 'until', 'starred', 'deleted', 'backups', 'raw'] as const

/** The query as the server understands it: the words, and the filters of the address. */
export function fullQuery(words: string): string {
  const filters = NAMES.flatMap((name) => (query(name) === '' ? [] : [written(name, query(name))]))
  return [words.trim(), ...filters, ...(query('starred') === 'true' ? ['is:starred'] : [])]
    .filter(Boolean)
    .join(' ')
}

/** The parameters of the endpoint for the rest of the address. Days are those of the reader. */
export const searchParameters = (): ParametersOf<'search'> => ({
  ...stated<'search'>(['sort']),
  since: momentOf(query('since'), 'since'),
  until: momentOf(query('until'), 'until'),
  raw: query('raw') === 'true',
  deleted: query('deleted') === 'true',
  backups: query('backups') === 'true',
})

export const hasFilters = (): boolean => [...NAMES, ...OTHERS].some((name) => query(name) !== '')

export const withoutFilters = (): Record<string, string> =>
  Object.fromEntries([...NAMES, ...OTHERS].map((name) => [name, '']))

/** A filter that holds, for people. */
interface Held {
  key: string
  label: string
  remove(): void
}

/** The filters in the words and in the address, each with how to remove it. */
export function heldFilters(text: string, setText: (text: string) => void): Held[] {
  const inText = filtersIn(text).map(
    (filter): Held => ({
      key: `${filter.start} ${filter.name} ${filter.value}`,
      label: `${filter.isDenied ? 'not ' : ''}${filter.name}: ${filter.value}`,
      remove: () => setText(without(text, [filter])),
    }),
  )
  const inAddress = NAMES.flatMap((name): Held[] =>
    query(name) === ''
      ? []
      : [
          {
            ...{ key: name, label: `${name}: ${query(name)}` },
            remove: () => setQuery({ [name]: '' }),
          },
        ],
  )
  return [...inText, ...inAddress]
}

const isOf =
  (name: string) =>
  (filter: NamedFilter): boolean =>
    filter.name === name && !filter.isDenied

/** What a control shows: the filter of the address, or the one in the words. */
export const shownValue = (name: ControlName, text: string): string =>
  query(name) || (filtersIn(text).find(isOf(name))?.value ?? '')

/** Sets a control. It takes the place of the same filter in the words. */
export function setControl(
  name: ControlName,
  value: string,
  text: string,
  setText: (text: string) => void,
): void {
  const inText = filtersIn(text).filter(isOf(name))
  if (inText.length > 0) setText(without(text, inText))
  setQuery({ [name]: value })
}
