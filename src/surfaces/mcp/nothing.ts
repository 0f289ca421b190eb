import type { FreshStore } from '../../commands/kit/context.ts'
import { dirFlags } from '../../commands/kit/dir-flags.ts'
import { WARNING } from './frame.ts'

/** The answer without entries. Distinguishes no matches from nothing to search. */
export function nothing({ store, found }: FreshStore, list: string): Record<string, unknown> {
  const searched = store.searchable(found.roots.map(({ path }) => path))
  if (searched.sessions === 0)
    return {
      about: WARNING,
      nothing: 'indexed',
      [list]: [],
      looked: found.roots.map(({ platform, path, found: exists }) => ({ platform, path, exists })),
      advice: `These folders contain no sessions, so nothing can be concluded about the past. If the sessions are elsewhere, start the server with ${dirFlags.map(({ name }) => name).join(' or ')}.`,
    }
  return {
    about: WARNING,
    nothing: 'found',
    [list]: [],
    searched,
    advice:
      'Nothing in these sessions matches. Try other or fewer words, parts of them (log*), fewer filters, or a longer time span.',
  }
}
