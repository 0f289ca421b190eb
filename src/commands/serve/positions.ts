import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import type { Item } from '../../model/session.ts'
import { hasSessionFilter } from '../../model/session-filter.ts'
import { createMatcher } from '../../search/match.ts'
import type { Query } from '../../search/query.ts'
import { field } from '../kit/flags.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { cutItems } from '../kit/read-messages.ts'
import { queryOf } from '../search/ask.ts'
import { defineQuestion, findSession, sessionField } from './question.ts'
import { distances } from './session.ts'

const positionsShape = () =>
  z.object({
    version: z.literal(1),
    /** As the outline counts items. Each as the distance from the one before. */
    positions: z.array(z.number()),
    /** Parts of the query that were not understood as they may have been meant, in sentences. */
    remarks: z.array(z.string()),
  })

type PositionsAnswer = z.output<ReturnType<typeof positionsShape>>

/** Where in a session something is, without what it says. */
export const positions = defineQuestion({
  name: 'positions',
  summary: 'where in a session the matches of a query are: the positions of items, without the words',
  input: z.object({
    session: sessionField,
    query: field.text({
      description: 'as for search, with the filters of messages: who: tool: file: is:error has:question',
      placeholder: 'query',
    }),
  }),
  output: positionsShape,
  run(input, context): PositionsAnswer {
    const query = queryOf({ query: [input.query ?? ''] }, context)
    if (hasSessionFilter(query.filters) || hasSessionFilter(query.filters.without))
      throw new ScrollbackError(
        'bad-option',
        'query: a filter of sessions finds nothing within one',
        'Use words, who: tool: file: is:error or has:question.',
      )
    const fresh = freshStore(context)
    const { session } = findSession(input.session, fresh)
    const before: Item[] = session.cut ? cutItems(fresh.store, session) : []
    const isFound = matcherOf(query)
    const found = before.flatMap((item, position) => (isFound(item) ? [position] : []))
    for (const position of fresh.store.positions(session.path, query)) found.push(before.length + position)
    return { version: 1, positions: distances(found), remarks: query.remarks }
  },
})

/** The same for items that the index does not have at their positions: those that a client has cut off. */
function matcherOf({ words, filters }: Query): (item: Item) => boolean {
  const holds = createMatcher(words, { loose: true })
  const { without, after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = filters
  return (item) =>
    fits(item, filters, true) &&
    !fits(item, without, false) &&
    (item.at ?? 0) >= after &&
    (item.at ?? 0) < before &&
    holds(`${item.text ?? ''}\n${item.tool?.target ?? ''}`)
}

/** Whether an item fits all of the filters that are set, or else any of them. */
function fits(
  { who, text = '', tool }: Item,
  { who: speakers, error, question, tool: tools, file }: Query['filters']['without'],
  all: boolean,
): boolean {
  const holds = (part: string, wanted: string) => part.toLowerCase().includes(wanted.toLowerCase())
  const tests = [
    ...(speakers.length > 0 ? [speakers.includes(who)] : []),
    ...(error ? [who === 'error'] : []),
    ...(question ? [(who === 'human' || who === 'agent') && /[?？]/.test(text)] : []),
    ...(tools.length > 0 ? [tools.some((name) => holds(tool?.name ?? '', name))] : []),
    ...(file.length > 0 ? [file.some((path) => holds(tool?.target ?? '', path))] : []),
  ]
  return all ? tests.every(Boolean) : tests.some(Boolean)
}
