import { signal } from '@preact/signals'
import { ask, type Marks, type ParametersOf, type SessionRow, type TagAnswer } from '../api/ask.ts'
import { Failure, get, post } from '../api/client.ts'
import { toast } from '../parts/notice.tsx'

/** Whether the server can store stars, names and tags, as nearly all can. Their controls are hidden otherwise. */
export const marksAvailable = signal(true)

/** Marks that were changed in this page, by the path of the session. Rows fetched before do not know them. */
const changedMarks = signal<ReadonlyMap<string, Marks>>(new Map())

export const marksOf = (row: SessionRow): Marks => ({
  star: row.star ?? false,
  name: row.name ?? '',
  tags: row.tags ?? [],
  ...changedMarks.value.get(row.path),
})

/** The person's own name of a session in an answer, or the one that was given since. */
export const nameNow = ({ path, name = '' }: { path: string; name?: string | undefined }): string =>
  changedMarks.value.get(path)?.name ?? name

export async function startMarks(): Promise<void> {
  try {
    await get(ask('tags'))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    marksAvailable.value = false
  }
}

/** An empty name removes it. */
type Change = Pick<ParametersOf<'tag'>, 'star' | 'name' | 'tags' | 'remove'>

/** Changes what is noted about a session. Throws a `Failure` if the server refuses it. */
async function change(row: SessionRow, wanted: Change, after: Marks): Promise<void> {
  const before = changedMarks.value
  changedMarks.value = new Map(before).set(row.path, { ...marksOf(row), ...after })
  try {
    const { session } = await post('tag', { session: row.path, ...wanted })
    // A tag that a rule gives stays.
    const { star = false, name = '', tags = [] } = session ?? {}
    if (after.tags?.length !== tags.length && wanted.remove !== undefined)
      toast(`A rule gives the tag ${wanted.remove}. Remove the rule on the page Tags.`)
    changedMarks.value = new Map(changedMarks.value).set(row.path, { star, name, tags })
  } catch (error) {
    changedMarks.value = before
    throw error
  }
}

const failed = (error: unknown): void => toast(error instanceof Error ? error.message : String(error))

export function toggleStar(row: SessionRow): Promise<void> {
  const star = !marksOf(row).star
  return change(row, { star }, { star }).catch(failed)
}

export const rename = (row: SessionRow, name: string): Promise<void> =>
  change(row, { name }, { name }).catch(failed)

/** Throws a `Failure` that says what is valid, if the tag is not. */
export function addTag(row: SessionRow, tag: string): Promise<void> {
  return change(row, { tags: [tag] }, { tags: [...new Set([...(marksOf(row).tags ?? []), tag])] })
}

export function removeTag(row: SessionRow, tag: string): Promise<void> {
  const tags = (marksOf(row).tags ?? []).filter((each) => each !== tag)
  return change(row, { remove: tag }, { tags }).catch(failed)
}

/** Every tag with its rules. Undefined until they are loaded. */
export const tags = signal<TagAnswer['tags'] | undefined>(undefined)

export async function loadTags(): Promise<void> {
  tags.value = (await get(ask('tags'))).tags
}

/** Gives a tag to everything that a query finds, now and later. Throws a `Failure` if the server refuses it. */
export async function addRule(tag: string, query: string): Promise<void> {
  tags.value = (await post('tag', { rule: tag, when: query })).tags
}

/** Removes all rules of a tag. Throws a `Failure` if the server refuses it. */
export async function removeRules(tag: string): Promise<void> {
  tags.value = (await post('tag', { removeRule: tag })).tags
}
