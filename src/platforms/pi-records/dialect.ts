import type { Artifact } from '../../model/artifact.ts'
import type { Payload } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'

/** What a client makes of the records of pi. Their form is the same in all of them. */
export interface Dialect {
  /** The latest known number of the form, which the header states. */
  form: number
  /** The header of a session. */
  header(entry: JsonObject, artifact: Artifact): Payload
  /** The payloads of a `user` record. */
  prompts(message: JsonObject, artifact: Artifact): Payload[]
  /** What a person typed to run a command on their own. */
  typed(command: string, message: JsonObject, artifact: Artifact): Payload
  /** A text block of a reply: what is shown of it, and how many files it names. */
  wordsOf(text: string): { text: string; thinking: readonly string[]; media: number }
  /** Whether a reply is a copy for a channel. By default none is. */
  isMirror?(message: JsonObject): boolean
}
