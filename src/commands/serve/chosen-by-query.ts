import { type Context, inTurns } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import type { Session } from '../../model/session.ts'
import {
  hasSessionFilter,
  SESSION_LISTS,
  type SessionFacts,
  selecting,
  selectingAny,
} from '../../model/session-filter.ts'
import { createMatcher } from '../../search/match.ts'
import { asksOfMessages, noFilters, type Query } from '../../search/query.ts'
import { annotationsOf } from '../../selection/annotations.ts'
import { unknownFilters, unknownTools } from '../../selection/unknown-names.ts'
import { queryOf } from '../search/ask.ts'

type List = (typeof SESSION_LISTS)[number]

/** A session, and its project as listings name it. */
export interface Listable {
  session: Session
  project: string | undefined
  folder: string | undefined
}

/** What a query chooses of some sessions. */
export interface ChosenByQuery {
  /** Whether it chooses a session, without some of its filters. */
  chooses(row: Listable, without?: readonly List[]): boolean
  /** Parts that were not understood as they may have been meant, in sentences. */
  remarks: string[]
}

/** More matches than anybody has sessions. */
const MOST = 20_000
/** With fewer matches of whole words, parts of words are searched, as somebody may still be typing. */
const ENOUGH = 20

/**
 * The sessions that a query chooses, in the language of `search`: its words and what it says of messages must
 * hold for one of their messages or for their title, the rest for the sessions themselves. `named`: those
 * whose names exist.
 */
export async function chosenByQuery(
  text: string,
  all: readonly Listable[],
  { named, context }: { named: () => readonly Listable[]; context: Context },
): Promise<ChosenByQuery> {
  const query = queryOf({ query: [text] }, context)
  const { filters } = query
  const found = asksMessages(query) ? await pathsOf(query, context) : undefined
  // A message that a fork shares is found in its original, unless filters leave the fork alone.
  if (found && hasSessionFilter(filters))
    for (const path of await pathsOf(query, context, { within: filters })) found.add(path)
  const facts = new Map(all.map((row) => [row, factsOf(row)]))
  const isTitled = found && titledBy(query, found)
  const span = found ? {} : spanOf(filters)
  const selectors = new Map<string, (row: SessionFacts) => boolean>()
  const selectorOf = (without: readonly List[]): ((row: SessionFacts) => boolean) => {
    const key = without.join()
    const known = selectors.get(key)
    if (known) return known
    const left = Object.fromEntries(without.map((name) => [name, []]))
    const isWanted = selecting({ ...filters, ...left, ...span }, [...facts.values()])
    const denied = { ...filters.without, ...left }
    const isDenied = selectingAny(denied, [...facts.values()])
    const made = (row: SessionFacts): boolean => isWanted(row) && !isDenied(row)
    selectors.set(key, made)
    return made
  }
  return {
    remarks: [
      ...query.remarks,
      ...unknownFilters(filters, () => named().map(factsOf)),
      ...(found ? unknownTools(filters, freshStore(context).store, context) : []),
    ],
    chooses: (row, without = []) =>
      (!found || found.has(row.session.path) || isTitled?.(row) === true) &&
      selectorOf(without)(facts.get(row) ?? factsOf(row)),
  }
}

/** What filters compare of a session. */
export const factsOf = ({ session, project, folder }: Listable): SessionFacts => ({
  ...session,
  session: session.id,
  project,
  folder,
})

/** `before:` is exclusive, and the filter of sessions is not. */
const spanOf = ({ after, before }: Query['filters']): { since?: number; until?: number } => ({
  ...(after === undefined ? {} : { since: after }),
  ...(before === undefined ? {} : { until: before - 1 }),
})

/** Whether only the messages tell what matches. */
const asksMessages = ({ words, filters }: Query): boolean =>
  words !== undefined || asksOfMessages(filters) || asksOfMessages(filters.without)

/**
 * The files with a message that matches. What the query says of sessions is left to the caller, except for
 * those filters `within` which it searches.
 */
async function pathsOf(
  query: Query,
  context: Context,
  { within = OF_ANY_SESSION }: { within?: Pick<Query['filters'], List> } = {},
): Promise<Set<string>> {
  const fresh = freshStore(context, { words: true })
  const { filters } = query
  const steps = fresh.store.searchInSteps({
    query: {
      ...query,
      filters: {
        ...filters,
        ...sessionLists(within),
        starred: false,
        without: { ...filters.without, ...OF_ANY_SESSION, starred: false },
      },
    },
    roots: fresh.found.roots.map(({ path }) => path),
    annotations: annotationsOf(context, fresh),
    now: context.now,
    limit: MOST,
    enough: ENOUGH,
    sort: 'newest',
    deleted: context.environment.deleted === true,
    backups: context.environment.backups === true,
  })
  return new Set((await inTurns(steps, context)).sessions().keys())
}

const sessionLists = (from: Pick<Query['filters'], List>) =>
  Object.fromEntries(SESSION_LISTS.map((name) => [name, from[name]])) as Record<List, string[]>

const OF_ANY_SESSION = sessionLists(noFilters())

/**
 * Whether the title or own name of a session has the words, if nothing else is asked of messages. Like the
 * words of messages, they may be parts of words if few messages have them.
 */
function titledBy({ words, filters }: Query, found: ReadonlySet<string>): (row: Listable) => boolean {
  if (words === undefined || asksOfMessages(filters)) return () => false
  const holds = createMatcher(words, { loose: found.size < ENOUGH })
  return ({ session: { title, subagent, annotation } }) =>
    holds(`${title ?? subagent?.description ?? ''}\n${annotation?.name ?? ''}`)
}
