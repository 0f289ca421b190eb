import { ScrollbackError } from '../../errors.ts'
import { identityOf } from '../../platforms/identities.ts'
import type { StoredDocument } from '../../store/stored.ts'

/** The purpose of a document. */
type DocumentKind = 'memory' | 'log' | 'note' | 'personality' | 'instructions'

/** The name of a log contains its day. */
const DAY = /(\d{4}-\d{2}-\d{2})[^/]*\.md$/
const ORDER: readonly DocumentKind[] = ['memory', 'personality', 'instructions', 'log', 'note']

export function kindOf({ artifact: { sessionId: name, platform } }: StoredDocument): DocumentKind {
  if (DAY.test(name)) return 'log'
  if (/^memory\.md$/i.test(name)) return 'memory'
  if (!identityOf(platform).manyAgents || name.includes('/')) return 'note'
  return /^(?:SOUL|IDENTITY|USER)\.md$/.test(name) ? 'personality' : 'instructions'
}

export const dayOf = ({ artifact }: StoredDocument): string | undefined => DAY.exec(artifact.sessionId)?.[1]

/** The owner of a document: an agent, or the folder of a project. */
export const ownerOf = ({ artifact: { agent, slug } }: StoredDocument): string => slug ?? agent

/**
 * The documents of the demo, whose files were modified when the program was installed: a log was written on
 * its day, and everything else with the latest log.
 */
export function asWritten(documents: readonly StoredDocument[], now: number): StoredDocument[] {
  const written = (day: string | undefined): number => (day === undefined ? now : Date.parse(`${day}T18:00Z`))
  const latest = written(
    documents
      .flatMap((each) => dayOf(each) ?? [])
      .sort()
      .at(-1),
  )
  return documents.map((document) => {
    const at = dayOf(document) === undefined ? latest : written(dayOf(document))
    return { ...document, versions: document.versions.map((version) => ({ ...version, at })) }
  })
}

/** Sorts by owner, then by kind, logs newest first. */
export function inOrder(documents: readonly StoredDocument[]): StoredDocument[] {
  const rank = (document: StoredDocument): number => ORDER.indexOf(kindOf(document))
  const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return documents.toSorted(
    (a, b) =>
      byName(a.artifact.root, b.artifact.root) ||
      byName(ownerOf(a), ownerOf(b)) ||
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
  documents: readonly StoredDocument[],
  owner: string | undefined,
  file: string | undefined,
  isKnown = false,
): StoredDocument[] {
  const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())
  const named = (some: readonly StoredDocument[], part: string | undefined): StoredDocument[] => {
    if (part === undefined) return [...some]
    const whole = some.filter(({ artifact }) => [part, `${part}.md`].includes(artifact.sessionId))
    return whole.length > 0 ? whole : some.filter(({ artifact }) => has(artifact.sessionId, part))
  }
  if (owner === undefined) return named(documents, file)
  const whole = documents.filter((each) => ownerOf(each).toLowerCase() === owner.toLowerCase())
  const own = whole.length > 0 ? whole : documents.filter((each) => has(ownerOf(each), owner))
  const found = named(own, file)
  if (found.length > 0) return found
  const files = file === undefined ? named(documents, owner) : []
  if (files.length > 0 || documents.length === 0 || isKnown) return files
  const owners = [...new Set(documents.map(ownerOf))].sort()
  throw new ScrollbackError(
    'no-project',
    `No memory of ${owner}${file === undefined ? '' : ` in ${file}`}.`,
    `There is memory of: ${owners.slice(0, 8).join(', ')}${owners.length > 8 ? ', …' : ''}`,
  )
}
