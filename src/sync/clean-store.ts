import type { Artifact } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from '../store/search.ts'
import type { Store, Writer } from '../store/store.ts'
import { hasSecretPaths, realPath, storedPath, withoutSecrets } from './read/seal.ts'

/**
 * A store without secrets. Increments arrive redacted; names of projects are redacted here. Paths that
 * contain a secret have another name in the store; callers pass and get the real paths.
 */
export function cleanStore(store: Store): Store {
  return {
    ...store,
    known: (before) => (hasSecretPaths() ? knownByPath(store.known(before)) : store.known(before)),
    knownFile(file) {
      const known = store.knownFile('path' in file ? { path: inStore(file.path) } : file)
      return known && { ...known, artifact: withRealPaths(known.artifact) }
    },
    write: (batch) => store.write(batch).map(realPath),
    sessions: (roots, paths, before) => {
      const rows = store.sessions(roots?.map(inStore), paths?.map(inStore), before)
      return hasSecretPaths() ? rows.map((row) => ({ ...row, session: withRealPaths(row.session) })) : rows
    },
    documents: () => store.documents().map((each) => ({ ...each, artifact: withRealPaths(each.artifact) })),
    messages: (path, slice, needs) => store.messages(inStore(path), slice, needs),
    itemsAt: (path, from, count) => store.itemsAt(inStore(path), from, count),
    outline: (path, options) => store.outline(inStore(path), options),
    pathsOf: (id) => store.pathsOf(id).map(realPath),
    unknownForms: () => store.unknownForms().map(realPath),
    cutMessages: (path) => store.cutMessages(inStore(path)),
    positions: (path, query) => store.positions(inStore(path), query),
    countMessages: (path) => store.countMessages(inStore(path)),
    sessionFacts: (roots, needs) => store.sessionFacts(roots.map(inStore), needs),
    searchable: (roots) => store.searchable(roots.map(inStore)),
    search: (wanted) => answerWithRealPaths(store.search(requestInStore(wanted))),
    *searchInSteps(wanted) {
      return answerWithRealPaths(yield* store.searchInSteps(requestInStore(wanted)))
    },
    assignProjects: (projects, evidenceOf) =>
      store.assignProjects(
        projects.map((each) => ({ ...each, project: withoutSecrets(each.project) })),
        evidenceOf,
      ),
  }
}

/** A path that contains a secret is known once it was discovered. */
const inStore = (path: string): string => (hasSecretPaths() ? storedPath(path) : path)

const requestInStore = (wanted: SearchRequest): SearchRequest =>
  wanted.roots ? { ...wanted, roots: wanted.roots.map(inStore) } : wanted

function knownByPath(stored: ReturnType<Writer['known']>): ReturnType<Writer['known']> {
  return new Map(
    [...stored].map(([path, known]) => [
      realPath(path),
      { ...known, artifact: withRealPaths(known.artifact) },
    ]),
  )
}

function withRealPaths<Stored extends Artifact | Session>(stored: Stored): Stored {
  if (!hasSecretPaths()) return stored
  const { path, root } = stored
  return { ...stored, path: realPath(path), root: realPath(root) }
}

function answerWithRealPaths(answer: SearchAnswer): SearchAnswer {
  if (!hasSecretPaths()) return answer
  const hits = answer.hits
  return {
    ...answer,
    hits: { [Symbol.iterator]: () => hitsWithRealPaths(hits) },
    sessions: () => new Map([...answer.sessions()].map(([path, count]) => [realPath(path), count])),
  }
}

function* hitsWithRealPaths(hits: Iterable<SearchHit>): Generator<SearchHit, void> {
  for (const hit of hits)
    yield {
      ...hit,
      path: realPath(hit.path),
      copies: hit.copies.map((copy) => ({ ...copy, path: realPath(copy.path) })),
    }
}
