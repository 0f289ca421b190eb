import { type AssignedFacts, slugMatches } from '../model/project.ts'
import type { Documents, Writer } from '../store/store.ts'
import type { StoredDocument } from '../store/stored.ts'

/** A document with the name of its owner: an agent, or a project. */
export interface OwnedDocument extends StoredDocument {
  owner: string
  /** The folder of the project. */
  folder?: string
}

/** Whose a document is. */
export interface MemoryOwner {
  name: string
  folder: string | undefined
}

/** Documents of a project are in a folder named by its slug, which only sessions can resolve to a name. */
export function withOwners(
  documents: readonly StoredDocument[],
  projectFacts: () => readonly Pick<AssignedFacts, 'assigned'>[],
): OwnedDocument[] {
  const slugs = new Set(documents.flatMap(({ artifact: { slug } }) => slug ?? []))
  const owners = new Map<string, { owner: string; folder: string }>()
  if (slugs.size > 0) {
    const projects = new Map(
      projectFacts().flatMap(({ assigned }) => (assigned ? [[assigned.path, assigned.name]] : [])),
    )
    for (const slug of slugs)
      for (const [path, name] of projects)
        if (path !== slug && slugMatches(slug, path) && !owners.has(slug))
          owners.set(slug, { owner: name, folder: path })
  }
  return documents.map((document) => {
    const { agent, slug } = document.artifact
    if (slug === undefined) return { ...document, owner: agent }
    return { ...document, ...(owners.get(slug) ?? { owner: withoutHome(slug) }) }
  })
}

/** A slug cannot be reversed. Without the home directory, it is near the name of a folder. */
const withoutHome = (slug: string): string =>
  slug.replace(/^-(?:home|Users)-[^-]+-(?=.)/, '').replace(/^-+/, '')

/** Whose the memory document at a path is. Reads all documents when it is first asked. */
export function createMemoryOwners({
  documents,
  projectFacts,
}: Pick<Documents & Writer, 'documents' | 'projectFacts'>): (path: string) => MemoryOwner | undefined {
  let owners: ReadonlyMap<string, MemoryOwner> | undefined
  return (path) => {
    owners ??= new Map(
      withOwners(documents(), projectFacts).map(({ artifact, owner: name, folder }) => [
        artifact.path,
        { name, folder },
      ]),
    )
    return owners.get(path)
  }
}
