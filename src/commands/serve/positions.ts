import * as z from 'zod/mini'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { hasSessionFilter } from '../../model/session-filter.ts'
import { jsonInPieces } from '../../render/gate.ts'
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
      description:
        'as for search, with the filters of messages: who: tool: file: is:error has:question. Without one, ' +
        'nothing is found, and the texts of the session are read for the next query',
      placeholder: 'query',
    }),
  }),
  output: positionsShape,
  run(input, context): PositionsAnswer {
    const query = input.query === undefined ? undefined : queryOf({ query: [input.query] }, context)
    if (query && (hasSessionFilter(query.filters) || hasSessionFilter(query.filters.without)))
      throw new ScrollbackError(
        'bad-option',
        'query: a filter of sessions finds nothing within one',
        'Use words, who: tool: file: is:error or has:question.',
      )
    const fresh = freshStore(context)
    const { session } = findSession(input.session, fresh)
    const { cut = 0 } = session
    // A marker follows the items that the client has cut off.
    const found = fresh.store
      .positions(session.path, query)
      .map((position) => (cut > 0 && position >= cut ? position + 1 : position))
    return { version: 1, positions: distances(found), remarks: query?.remarks ?? [] }
  },
  json: (answer: PositionsAnswer) => jsonInPieces(answer),
})
