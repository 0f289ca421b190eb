import { signal } from '@preact/signals'
import { ask } from '../api/ask.ts'
import { get, post } from '../api/client.ts'
import type { TagAnswer } from '../api/shapes.ts'

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
