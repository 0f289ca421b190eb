const CUT = 200

/** Claude Code's name for the folder of a directory. It cannot be undone: many paths have the same slug. */
export function slugOf(path: string): string {
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-')
  return slug.length <= CUT ? slug : slug.slice(0, CUT)
}

/** The older description of the rule, which only replaces separators. */
const plainSlugOf = (path: string): string => path.replace(/\//g, '-')

/** Whether a folder's name may stand for a path. Long ones end in a hash that was computed in several ways. */
export function slugMatches(slug: string, path: string): boolean {
  const expected = slugOf(path)
  if (expected.length >= CUT) return slug.startsWith(expected)
  return slug === expected || slug === plainSlugOf(path)
}
