import { ScrollbackError } from '../../errors.ts'
import { isMemoryName } from '../../model/artifact.ts'
import { counted } from '../../render/counted.ts'
import type { Context } from '../kit/context.ts'
import type { ForgetAnswer, Input } from './answer.ts'
import type { SessionKey } from './selection.ts'

/** An answer in which nothing has happened yet. */
export const nothing = (done: ForgetAnswer['done']): ForgetAnswer => ({
  ...{ version: 1, done, sessions: [], archives: [], transcripts: [], check: null },
  store: { files: 0, messages: null, words: null },
})

/** What was or will be forgotten, in words: `3 sessions`, or `3 sessions, and memory`. */
export function countOf(names: Iterable<string>): string {
  const all = [...new Set(names)]
  const memories = all.filter(isMemoryName).length
  return `${counted(all.length - memories, 'session')}${memories > 0 ? ', and memory' : ''}`
}

/** Whether whole projects, devices and persons were named, of which no list says what was forgotten. */
export const namesNoSession = ({ target }: Input): boolean =>
  target.every((each) => /^(?:project|device|person):./.test(each))

/** Throws a `ScrollbackError` if nothing is named. */
export function checkTarget({ target }: Input, { suggest }: Pick<Context, 'suggest'>): void {
  if (target.length === 0)
    throw new ScrollbackError(
      'bad-option',
      'Name what to forget.',
      `A session, project:<name>, device:<name> or person:<name>. List sessions: ${suggest('sessions', '--all')}`,
    )
}

/**
 * The forgotten session with this beginning of its id, and those that were forgotten with it because it
 * started them. Throws a `ScrollbackError` unless there is one.
 */
export function forgottenAs<Forgotten extends SessionKey>(
  id: string,
  forgotten: readonly Forgotten[],
  { suggest }: Pick<Context, 'suggest'>,
): Forgotten[] {
  const found = forgotten.filter(({ session }) => session.startsWith(id))
  const ids = new Set(found.map(({ session }) => session))
  if (found.length === 0)
    throw new ScrollbackError(
      'no-session',
      `--undo: no session that was forgotten begins with "${id}"`,
      `List them: ${suggest('forget', '--list')}`,
    )
  if (ids.size > 1)
    throw new ScrollbackError(
      'bad-option',
      `--undo: "${id}" is the beginning of ${counted(ids.size, 'session')}`,
      `Choose one: ${suggest('forget', '--list')}`,
    )
  return withDescendants(found, forgotten)
}

/** Some forgotten sessions, followed by those whose parent is one of them. */
function withDescendants<Forgotten extends SessionKey>(
  found: readonly Forgotten[],
  forgotten: readonly Forgotten[],
): Forgotten[] {
  const all = new Set(found)
  for (const { session } of all) for (const each of forgotten) if (each.parent === session) all.add(each)
  return [...all]
}
