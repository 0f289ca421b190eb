/** Where texts are turned into vectors: an address that speaks the OpenAI form of embeddings, and a model. */
export interface Encoder {
  endpoint: string
  model: string
  /** Where the token is: the name of a variable, or the path of a file. The token itself is not stored. */
  tokenEnv?: string
  tokenFile?: string
}

/** The vectors of one encoder. Those of another one cannot be compared with them. */
export interface VectorSet extends Encoder {
  sinceMs: number
  /** Numbers of a vector. Undefined until the first one is stored. */
  dimensions?: number
  /** Every message up to this one has been considered. */
  until: number
  /** What the encoder counted in the texts it got. */
  tokens: number
  /** Why the encoder did not answer the last time. */
  fault?: string
}

/** How much of the store has vectors. */
export interface VectorCounts {
  /** Messages with a vector, and those that wait for one, with the characters that would be sent. */
  done: number
  waiting: number
  characters: number
  /** The size of all vectors. */
  bytes: number
}

/** A message that waits for its vector. */
interface WaitingMessage {
  message: number
  text: string
}

/** The vectors of one transaction. */
export interface VectorBatch {
  vectors: readonly { message: number; vector: Int8Array }[]
  /** Every message up to this one has been considered. */
  until: number
  tokens: number
}

/**
 * The vectors of messages, which an encoder makes. They are stored after the messages, in the order of ids.
 * Nothing of them is in a store until `begin`.
 */
export interface Vectors {
  /** Undefined if search by meaning is off. */
  set(): VectorSet | undefined
  /** For the stored set, or for the vectors of this encoder. Without any, all messages wait. */
  counts(encoder?: Encoder): VectorCounts
  /** Turns search by meaning on. Vectors of another encoder are deleted. */
  begin(encoder: Encoder, nowMs: number): void
  /** Turns it off and deletes all vectors. */
  end(): void
  /** The next messages that wait for vectors, and the last one that was considered. */
  waiting(count: number): { messages: WaitingMessage[]; until: number }
  /** Stores vectors, unless they are those of another set by now. */
  put(batch: VectorBatch, encoder: Encoder): void
  noteFault(fault: string | undefined): void
}

export const isSameEncoder = (one: Encoder, other: Encoder): boolean =>
  one.endpoint === other.endpoint && one.model === other.model

/**
 * A vector in a byte per number. Only its direction counts, so its largest number becomes 127. Undefined if
 * it has no direction.
 */
export function packVector(vector: ArrayLike<number>): Int8Array | undefined {
  let most = 0
  for (let index = 0; index < vector.length; index++) most = Math.max(most, Math.abs(vector[index]!))
  if (most === 0 || !Number.isFinite(most)) return undefined
  const scale = 127 / most
  return Int8Array.from(vector, (value) => Math.round(value * scale))
}
