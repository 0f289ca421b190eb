import type { PathMap } from '../platform.ts'

const LONGEST = 200

/** The folder of a working directory below `projects`, as clients name it since 2.1.112. */
export function slugOf(path: string): string {
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-')
  if (slug.length <= LONGEST) return slug
  let hash = 0
  for (let at = 0; at < path.length; at++) hash = ((hash << 5) - hash + path.charCodeAt(at)) | 0
  return `${slug.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`
}

/** Whether a folder is that of a directory. Builds differ in the hash of a long path. */
const isSlugOf = (slug: string, path: string): boolean => {
  const own = slugOf(path)
  return slug === own || (own.length > LONGEST && slug.startsWith(`${own.slice(0, LONGEST)}-`))
}

/**
 * The folder of sessions when directories have other paths. `own`: the directory that they ran in. A session
 * that changed its directory is in the folder of the one in which it began, whose name alone is known.
 */
export function mappedSlug(
  slug: string,
  own: string | undefined,
  maps: readonly PathMap[],
  mapped: (path: string) => string | undefined,
): string {
  const target = own === undefined ? undefined : mapped(own)
  if (own !== undefined && target !== undefined && isSlugOf(slug, own)) return slugOf(target)
  const map = maps.find(({ from }) => isSlugOf(slug, from))
  if (map) return slugOf(map.to)
  const above = maps.find(({ from }) => slug.startsWith(`${slugOf(from)}-`))
  if (above && target !== undefined) return slugOf(above.to) + slug.slice(slugOf(above.from).length)
  return slug
}
