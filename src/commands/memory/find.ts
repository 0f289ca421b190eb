import { diffLines, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import * as z from 'zod/mini'
import type { Context, Dialog, ReadingContext } from '../../context/context.ts'
import { isoTime, parseTime } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Notice, OWN_MEMORY } from '../../model/artifact.ts'
import type { SemanticIndex } from '../../model/semantic.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platforms } from '../../platforms/index.ts'
import { parseQuery } from '../../search/query.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { OwnedDocument } from '../../selection/memory-owners.ts'
import { cleaner } from '../../selection/read-messages.ts'
import type { Documents } from '../../store/store.ts'
import type { StoredDocument } from '../../store/stored.ts'
import type { Discovery } from '../../sync/discover.ts'
import { forgottenTest } from '../../sync/forgotten.ts'

/** The purpose of a document. */
type DocumentKind = 'memory' | 'log' | 'note' | 'personality' | 'instructions'

/** The name of a log contains its day. */
const DAY = /(\d{4}-\d{2}-\d{2})[^/]*\.md$/
const ORDER: readonly DocumentKind[] = ['memory', 'personality', 'instructions', 'log', 'note']

function kindOf({ artifact: { sessionId: name, platform } }: StoredDocument): DocumentKind {
  if (DAY.test(name)) return 'log'
  if (/^memory\.md$/i.test(name)) return 'memory'
  if (!identityOf(platform).manyAgents || name.includes('/')) return 'note'
  return /^(?:SOUL|IDENTITY|USER)\.md$/.test(name) ? 'personality' : 'instructions'
}

const dayOf = ({ artifact }: StoredDocument): string | undefined => DAY.exec(artifact.sessionId)?.[1]

/** What the demo's SOUL.md of the agent main said before, and when. */
const EARLIER = { at: Date.UTC(2026, 9, 12, 18), text: '# Soul\n\nCalm, brief. Cheer when a target is met.' }

/**
 * The documents of the demo, whose files were modified when the program was installed: a log was written on
 * its day, and everything else with the latest log. One text has an earlier version, which is in no file.
 */
export function demoDocuments(store: Documents, now: number): Documents {
  const written = (day: string | undefined): number => (day === undefined ? now : Date.parse(`${day}T18:00Z`))
  const documents = store.documents()
  const latest = written(
    documents
      .flatMap((each) => dayOf(each) ?? [])
      .sort()
      .at(-1),
  )
  const before = { number: 0, at: EARLIER.at, bytes: Buffer.byteLength(EARLIER.text) }
  return {
    documents: () =>
      documents.map((document) => {
        const at = dayOf(document) === undefined ? latest : written(dayOf(document))
        const isChanged = document.artifact.agent === 'main' && document.artifact.sessionId === 'SOUL.md'
        const versions = document.versions.map((version) => ({ ...version, at }))
        return { ...document, versions: [...(isChanged ? [before] : []), ...versions] }
      }),
    documentText: (id, version) => (version === 0 ? EARLIER.text : store.documentText(id, version)),
  }
}

/** Sorts by owner, then by kind, logs newest first. */
export function inOrder(documents: readonly OwnedDocument[]): OwnedDocument[] {
  const rank = (document: OwnedDocument): number => ORDER.indexOf(kindOf(document))
  const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return documents.toSorted(
    (a, b) =>
      byName(a.artifact.root, b.artifact.root) ||
      byName(a.owner, b.owner) ||
      rank(a) - rank(b) ||
      byName(dayOf(b) ?? '', dayOf(a) ?? '') ||
      byName(a.artifact.sessionId, b.artifact.sessionId),
  )
}

/**
 * The documents of an agent or project, by a part of its name, optionally only files whose name contains
 * another text. A single name that matches no owner is treated as a file name. Throws if nothing matches,
 * unless something else of the owner is known.
 */
export function chooseDocuments(
  documents: readonly OwnedDocument[],
  owner: string | undefined,
  file: string | undefined,
  isKnown = false,
): OwnedDocument[] {
  const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())
  const named = (some: readonly OwnedDocument[], part: string | undefined): OwnedDocument[] => {
    if (part === undefined) return [...some]
    const whole = some.filter(({ artifact }) => [part, `${part}.md`].includes(artifact.sessionId))
    return whole.length > 0 ? whole : some.filter(({ artifact }) => has(artifact.sessionId, part))
  }
  if (owner === undefined) return named(documents, file)
  const whole = documents.filter((each) => each.owner.toLowerCase() === owner.toLowerCase())
  const own =
    whole.length > 0
      ? whole
      : documents.filter((each) => has(each.owner, owner) || has(each.artifact.slug ?? '', owner))
  const found = named(own, file)
  if (found.length > 0) return found
  const files = file === undefined ? named(documents, owner) : []
  if (files.length > 0 || documents.length === 0 || isKnown) return files
  const owners = [...new Set(documents.map((each) => each.owner))].sort()
  throw new ScrollbackError(
    'no-project',
    `No memory of ${owner}${file === undefined ? '' : ` in ${file}`}.`,
    `There is memory of: ${owners.slice(0, 8).join(', ')}${owners.length > 8 ? ', …' : ''}`,
  )
}

const changeShape = () => z.nullable(z.object({ since: z.string(), added: z.number(), removed: z.number() }))

/** The fields that each version has for itself. */
const versionShape = () =>
  z.object({ number: z.number(), bytes: z.number(), modifiedAt: z.string(), change: changeShape() })

export type VersionJson = z.output<ReturnType<typeof versionShape>>

export const documentShape = () =>
  z.object({
    name: z.string(),
    platform: z.string(),
    agent: z.string(),
    project: z.nullable(z.string()),
    kind: z.enum(['memory', 'log', 'note', 'personality', 'instructions']),
    day: z.nullable(z.string()),
    path: z.string(),
    device: z.optional(z.string()),
    bytes: z.number(),
    modifiedAt: z.string(),
    number: z.number(),
    versions: z.number(),
    change: changeShape(),
    history: z.optional(z.array(versionShape())),
    goneSince: z.optional(z.string()),
    text: z.optional(z.string()),
    diff: z.optional(z.string()),
  })

export type DocumentJson = z.output<ReturnType<typeof documentShape>>

/** The fields that all versions of a document share. */
export function rowOf(document: OwnedDocument): Omit<DocumentJson, keyof VersionJson> {
  const { artifact, goneMs, versions } = document
  return {
    name: artifact.sessionId,
    platform: artifact.platform,
    agent: artifact.agent,
    project: artifact.slug === undefined ? null : document.owner,
    kind: kindOf(document),
    day: dayOf(document) ?? null,
    path: artifact.path,
    versions: versions.length,
    ...(goneMs === undefined ? {} : { goneSince: new Date(goneMs).toISOString() }),
  }
}

/** The fields of one version, by its number, with the change since the version before it. */
export function versionJson(store: Documents, document: StoredDocument, number: number): VersionJson {
  const { at, bytes } = document.versions[number - 1]!
  const change = changeBetween(store, document, number - 1, number)
  return {
    number,
    bytes,
    modifiedAt: new Date(at).toISOString(),
    change: change
      ? { since: new Date(change.from).toISOString(), added: change.added, removed: change.removed }
      : null,
  }
}

type Version = StoredDocument['versions'][number]

/** A version by its number, from 1, or the one that was there at a time in ms. */
export type Wanted = { number: number } | { at: number }

/** The number of lines added and removed between two versions. */
interface Change {
  from: number
  added: number
  removed: number
}

/** The text of `v2`, the second version of a document. */
export const numberIn = (text: string): number | undefined => {
  const [, digits] = /^v(\d{1,9})$/i.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * The number of the wanted version, by default of the last. Undefined if there is none: of a time, before the
 * first known version and after the file was deleted.
 */
export function versionNumber(
  { versions, goneMs }: StoredDocument,
  wanted: Wanted | undefined,
): number | undefined {
  if (wanted === undefined) return versions.length || undefined
  if ('number' in wanted) return versions[wanted.number - 1] && wanted.number
  if (goneMs !== undefined && goneMs <= wanted.at) return undefined
  // The listing prints whole milliseconds.
  return versions.findLastIndex(({ at }) => Math.floor(at) <= wanted.at) + 1 || undefined
}

/** How one version differs from another, such as the one before it. Undefined if there is no such version. */
function changeBetween(
  store: Documents,
  document: StoredDocument,
  from: number,
  to: number,
): Change | undefined {
  const [before, after] = pairOf(document, from, to)
  if (!before || !after) return undefined
  const change: Change = { from: before.at, added: 0, removed: 0 }
  const earlier = textOf(store, document.id, before)
  for (const { added, removed, count } of diffLines(earlier, textOf(store, document.id, after))) {
    if (added) change.added += count
    if (removed) change.removed += count
  }
  return change
}

/** The same as a readable patch. */
export function patchBetween(
  store: Documents,
  document: StoredDocument,
  from: number,
  to: number,
): string | undefined {
  const [before, after] = pairOf(document, from, to)
  if (!before || !after) return undefined
  const { id, artifact } = document
  const name = artifact.sessionId
  const time = (version: Version): string => new Date(version.at).toISOString()
  const earlier = textOf(store, id, before)
  const later = textOf(store, id, after)
  const patch = structuredPatch(name, name, earlier, later, time(before), time(after), { context: 2 })
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

const pairOf = ({ versions }: StoredDocument, from: number, to: number): (Version | undefined)[] => [
  versions[from - 1],
  versions[to - 1],
]

/** Always ends with a newline, because a missing one is no change. */
const textOf = (store: Documents, id: number, { number }: Version): string =>
  `${store.documentText(id, number)}\n`

export const semanticShape = () =>
  z.object({
    platform: z.string(),
    agent: z.string(),
    path: z.string(),
    chunks: z.number(),
    sources: z.array(z.object({ kind: z.string(), sources: z.number(), chunks: z.number() })),
    models: z.array(z.object({ model: z.string(), chunks: z.number() })),
    updatedAt: z.nullable(z.string()),
    changed: z.array(z.string()),
    gone: z.array(z.string()),
    missing: z.array(z.string()),
    unchecked: z.number(),
  })

export type SemanticJson = z.output<ReturnType<typeof semanticShape>>

/** An index and the platform that can search it. */
interface Owned {
  index: SemanticIndex
  platform: (typeof platforms)[number]
}

/**
 * The semantic memory of all agents, or of those whose name contains the text. Unreadable indexes are
 * reported.
 */
export function loadSemantic(
  { roots, notices: known }: Discovery,
  owner: string | undefined,
  context: ReadingContext,
): { all: Owned[]; chosen: Owned[]; notices: Notice[] } {
  const isForgotten = forgottenTest(context.environment)
  const read = roots
    .filter(({ found, platform }) => found && !isForgotten?.(platform, OWN_MEMORY))
    .flatMap((root) => {
      const platform = platforms.find(({ id }) => id === root.platform)
      const memory = platform?.memory?.semantic?.list(root, context.environment)
      return platform && memory ? { platform, ...memory } : []
    })
  const all = read.flatMap(({ platform, indexes }) => indexes.map((index) => ({ platform, index })))
  // An unreadable database with sessions was already reported during discovery.
  const reported = new Set(known.map(({ path }) => path))
  const notices = read.flatMap((each) => each.notices).filter(({ path }) => !reported.has(path))
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
  return { all, chosen: chooseOwned(all, owner?.toLowerCase()), notices }
}

function chooseOwned(all: readonly Owned[], owner: string | undefined): Owned[] {
  if (owner === undefined) return [...all]
  const whole = all.filter(({ index }) => index.agent.toLowerCase() === owner)
  return whole.length > 0 ? whole : all.filter(({ index }) => index.agent.toLowerCase().includes(owner))
}

/** Names and models come from another program's database, so they are redacted like any text. */
export function semanticJson({ platform, index }: Owned, { redact }: Context): SemanticJson {
  const clean = cleaner(redact)
  const sum = (by: 'kind' | 'model'): Map<string, number> => {
    const sums = new Map<string, number>()
    for (const part of index.parts) sums.set(part[by], (sums.get(part[by]) ?? 0) + part.chunks)
    return sums
  }
  const chunks = sum('kind')
  const kinds = [...new Set([...index.sources.keys(), ...chunks.keys()])].sort()
  const { changed, gone, missing, unchecked } = index.freshness
  return {
    platform: platform.id,
    agent: index.agent,
    path: index.path,
    chunks: index.chunks,
    sources: kinds.map((kind) => ({
      kind: clean(kind),
      sources: index.sources.get(kind) ?? 0,
      chunks: chunks.get(kind) ?? 0,
    })),
    models: [...sum('model')].map(([model, count]) => ({ model: clean(model), chunks: count })),
    updatedAt: isoTime(index.updatedMs),
    changed: changed.map(clean),
    gone: gone.map(clean),
    missing: missing.map(clean),
    unchecked,
  }
}

const MOST = 20

export const recallShape = () =>
  z.object({
    words: z.string(),
    total: z.number(),
    hits: z.array(
      z.object({
        agent: z.string(),
        name: z.string(),
        kind: z.string(),
        startLine: z.number(),
        endLine: z.number(),
        snippet: z.string(),
      }),
    ),
  })

export type RecallJson = z.output<ReturnType<typeof recallShape>>

/**
 * Searches the semantic memory of these agents through its own index. Throws if none of them has one.
 * `notices` receives what could not be read.
 */
export function recalled(
  owned: readonly Owned[],
  { words, file, limit = MOST }: { words: string; file?: string; limit?: number },
  notices: Notice[],
  context: ReadingContext & Dialog,
): RecallJson {
  if (owned.length === 0 && notices.length === 0)
    throw new ScrollbackError(
      'nothing-found',
      '--recall: no semantic memory found.',
      `To search the documents: ${context.suggest('search', ['who:memory', words])}`,
    )
  const clean = cleaner(context.redact)
  const most = limit || Number.POSITIVE_INFINITY
  const query = parseQuery(words, context.now, parseTime)
  const answer: RecallJson = { words, total: 0, hits: [] }
  for (const { platform, index } of owned) {
    // If hits are narrowed down to a file later, all of them are needed here.
    const found = platform.memory?.semantic?.recall(
      index,
      words.split(/\s+/),
      file === undefined ? most : 1e9,
    )
    if (!found) continue
    if ('message' in found) {
      notices.push(found)
      context.note(`${found.path}: ${found.message}`, 'partly')
      continue
    }
    if (found.why !== undefined)
      context.note(
        `${index.path}: its full-text index cannot be queried (${clean(found.why)}); the chunks themselves were compared.`,
      )
    const hits = found.hits.filter(({ name }) => name.toLowerCase().includes((file ?? '').toLowerCase()))
    answer.total += file === undefined ? found.total : hits.length
    for (const { agent, name, kind, startLine, endLine, text } of hits) {
      if (answer.hits.length >= most) break
      // Secrets are redacted before the text is cut, because half a secret would not be recognized.
      const snippet = snippetOf(clean(text), query).text
      answer.hits.push({ agent, name: clean(name), kind: clean(kind), startLine, endLine, snippet })
    }
  }
  return answer
}
