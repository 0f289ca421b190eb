import type { Item } from '../model/session.ts'

/** What else a record contains, as text; with a summary, also the files that it lists. */
export function detailOf({ detail, readFiles, modifiedFiles }: Item): string | undefined {
  if (!detail) return undefined
  return [detail, listed('Files read', readFiles), listed('Files changed', modifiedFiles)]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

const listed = (title: string, files: readonly string[] | undefined): string | undefined =>
  files && files.length > 0 ? `${title}:\n${files.join('\n')}` : undefined
