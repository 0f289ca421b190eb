import type { Payload } from '../model/event.ts'

/**
 * The first record of a transcript that `restore --condensed` wrote. It explains the conversation to the
 * agent that continues it, and tells Scrollback that messages before a certain time are another session's.
 */

const BEGINNING =
  'This conversation was condensed by Scrollback from its store, because the transcript of session '
const COPIES = 'Its messages up to '

/** The words of the note. `until`: the time of the last message, in ms. */
export const condensedNote = (session: string, title: string | undefined, until: number): string =>
  `${BEGINNING}${session}${title === undefined ? '' : ` ("${title}")`} is gone. ` +
  'Messages are complete except for secrets, which are redacted. ' +
  'Of tool calls, only the name and the target are left; their results, images and thinking are missing. ' +
  `${COPIES}${new Date(until).toISOString()} are copies.`

/** The session that was condensed. Undefined for other texts. */
export const condensedFrom = (text: string): string | undefined =>
  text.startsWith(BEGINNING) ? text.slice(BEGINNING.length).split(' ', 1)[0] : undefined

/** The note as a message of a program, and that copies follow. Undefined for other texts. */
export function condensedPayloads(text: string): Payload[] | undefined {
  const session = condensedFrom(text)
  if (session === undefined) return undefined
  const at = text.lastIndexOf(COPIES)
  const until = Date.parse(text.slice(at + COPIES.length).split(' ', 1)[0]!)
  if (at < 0 || Number.isNaN(until)) return undefined
  const [, title] = /^ \("(.*?)"\) is gone\. /s.exec(text.slice(BEGINNING.length + session.length)) ?? []
  return [
    ...(title === undefined ? [] : [{ type: 'title', title, source: 'ai' } as const]),
    {
      type: 'message',
      role: 'user',
      speaker: 'program',
      label: 'restore',
      parts: [{ type: 'text', text }],
    },
    { type: 'session', forkOf: session, copies: { olderThan: until + 1, shown: true } },
  ]
}
