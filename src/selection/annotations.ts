import { join } from 'node:path'
import type { FreshStore, ReadingContext, Storage } from '../context/context.ts'
import { freshStore } from '../context/fresh-store.ts'
import { timeOrUndefined } from '../context/time.ts'
import { ScrollbackError } from '../errors.ts'
import { type Annotation, noAnnotation, type Session, type TagRule } from '../model/session.ts'
import { parseQuery } from '../search/query.ts'
import { type Annotations, openAnnotations, readAnnotations } from '../store/sqlite/annotations.ts'
import { IN_MEMORY } from '../store/sqlite/open.ts'

/** More matches of a rule than anybody has. */
const ALL = 1_000_000

/** The annotations of a store in memory, which live as long as the process. */
let inMemory: Annotations | undefined

/** Opens them. Those of the demo are not empty. */
function openInMemory({ globalFlags }: Annotated): Annotations {
  if (inMemory) return inMemory
  inMemory = openAnnotations(IN_MEMORY)
  if (!globalFlags?.demo) return inMemory
  inMemory.change('640ab4c7-d010-4b20-a591-b7172ef08e66', { star: true, add: ['payments'] })
  inMemory.change('6eb355aa-72bd-47d7-9427-bc737920b27d', { add: ['payments'] })
  inMemory.addRule({ tag: 'release', query: '"1.0" who:human' })
  return inMemory
}

type Annotated = Storage & Pick<ReadingContext, 'globalFlags'>

const pathOf = ({ dataFolder, globalFlags }: Annotated): string =>
  globalFlags?.demo ? IN_MEMORY : join(dataFolder, 'annotations.sqlite')

/** Opens the annotations for a change. Throws a `ScrollbackError` if they cannot be written. */
export function changeAnnotations<Result>(
  context: Annotated,
  work: (annotations: Annotations) => Result,
): Result {
  const path = pathOf(context)
  if (path === IN_MEMORY) return work(openInMemory(context))
  const annotations = openAnnotations(path)
  try {
    return work(annotations)
  } finally {
    annotations.close()
  }
}

/** What is stored, without the tags that rules give. Empty, with a note, if it cannot be read. */
export function storedAnnotations(context: Annotated & Pick<ReadingContext, 'note'>): {
  own: Map<string, Annotation>
  rules: TagRule[]
} {
  try {
    const path = pathOf(context)
    const annotations = path === IN_MEMORY ? openInMemory(context) : readAnnotations(path)
    const stored = { own: annotations?.all() ?? new Map(), rules: annotations?.rules() ?? [] }
    if (path !== IN_MEMORY) annotations?.close()
    return stored
  } catch (error) {
    if (!(error instanceof ScrollbackError)) throw error
    context.note(`${error.message} ${error.wayOut ?? ''}`.trim(), 'partly')
    return { own: new Map(), rules: [] }
  }
}

/** The annotations of all sessions by id, with the tags that rules give. */
export function annotationsOf(
  context: ReadingContext,
  fresh: FreshStore | undefined,
): ReadonlyMap<string, Annotation> {
  const { own, rules } = storedAnnotations(context)
  if (!fresh || rules.length === 0) return own
  // Rules search for words.
  freshStore(context, { words: true })
  const all = new Map(own)
  for (const { tag, query } of rules)
    for (const id of foundBy(query, own, fresh, context)) {
      const before = all.get(id) ?? noAnnotation()
      if (!before.tags.includes(tag)) all.set(id, { ...before, tags: [...before.tags, tag].sort() })
    }
  return all
}

/** The ids of the sessions that a query finds. */
function foundBy(
  query: string,
  annotations: ReadonlyMap<string, Annotation>,
  { store }: FreshStore,
  { now }: Pick<ReadingContext, 'now'>,
): Set<string> {
  const { sessions: counts } = store.search({
    query: parseQuery(query, now, timeOrUndefined),
    annotations,
    now,
    limit: ALL,
    sort: 'newest',
    deleted: true,
    backups: true,
  })
  return new Set(store.sessions(undefined, [...counts().keys()]).map(({ session }) => session.id))
}

/** Adds what a person noted to each session. */
export function annotate(
  sessions: readonly Session[],
  context: ReadingContext,
  fresh: FreshStore | undefined,
): Session[] {
  const annotations = annotationsOf(context, fresh)
  if (annotations.size === 0) return [...sessions]
  return sessions.map((session) => {
    const annotation = annotations.get(session.id)
    return annotation ? { ...session, annotation } : session
  })
}
