import type { Steps } from '../../../model/steps.ts'
import type { SearchAnswer, SearchRequest } from '../../search.ts'
import type { Scope } from '../scope.ts'
export const createSearcher = (_: Scope) => ({
  facts: (_: { branches: boolean }) => [] as never[],
  // biome-ignore lint/correctness/useYield: x
  *search(_: SearchRequest): Steps<SearchAnswer> {
    return { hits: [], total: 0, more: false, widened: false, sessions: new Map() }
  },
})
