import type { FreshStore } from '../../commands/fresh-store.ts'
import { WARNING } from './frame.ts'

/** What an answer is where there is nothing to list: that nothing matches is not the same as that nothing is there. */
export function nothing({ store, found }: FreshStore, list: string): Record<string, unknown> {
  const searched = store.searchable(found.roots.map(({ path }) => path))
  if (searched.sessions === 0)
    return {
      about: WARNING,
      nothing: 'indexed',
      [list]: [],
      looked: found.roots.map(({ platform, path, found: exists }) => ({ platform, path, exists })),
      advice:
        'No session was found in these places, so nothing can be concluded about the past. If they lie elsewhere, let the server be started with --claude-dir or --openclaw-dir.',
    }
  return {
    about: WARNING,
    nothing: 'found',
    [list]: [],
    searched,
    advice:
      'All of this was searched, and nothing matches. Try other or fewer words, parts of them (log*), fewer filters, or a longer time.',
  }
}
