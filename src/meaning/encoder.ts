import { asObject } from '../model/json.ts'
import { createRedactor } from '../redact/redactor.ts'
import { jsonIn } from '../sinks/http-answer.ts'
import { createSender } from '../sinks/http-request.ts'
import { SinkError } from '../sinks/sink.ts'
import { type Encoder, packVector } from '../store/vectors.ts'

/** What texts become. */
export interface Encoded {
  /** In the order of the texts. Undefined where a vector has no direction. */
  vectors: (Int8Array | undefined)[]
  /** What the encoder counted. 0 if it does not say. */
  tokens: number
}

interface EncoderClient {
  /** Where texts go, without secrets. */
  name: string
  /** Throws a `SinkError`. */
  encode(texts: readonly string[], kind: Kind, stop?: AbortSignal): Promise<Encoded>
  close(): void
}

/** Some models are trained with words before each text that say what it is. */
type Kind = 'query' | 'message'
const PREFIXES: readonly (Record<Kind, string> & { model: RegExp })[] = [
  { model: /nomic-embed-text/i, query: 'search_query: ', message: 'search_document: ' },
  { model: /\be5-/i, query: 'query: ', message: 'passage: ' },
]

/** Vectors of 32 texts with 4096 numbers each, as JSON. */
const LONGEST_ANSWER = 8 * 1024 * 1024
const MOST_DIMENSIONS = 4096

interface Waits {
  /** How long an answer may take, in ms. A server may first have to load the model. */
  answerMs?: number
}

/**
 * Sends texts to an address that speaks the OpenAI form of embeddings. Redirects are not followed. Throws a
 * `SinkError` if the token cannot be read.
 */
export function createEncoder(
  { endpoint, model, tokenEnv, tokenFile }: Encoder,
  variables: Readonly<Record<string, string | undefined>>,
  { answerMs }: Waits = {},
): EncoderClient {
  const address = `${endpoint.replace(/\/+$/, '')}/embeddings`
  const { name, send, close } = createSender(
    {
      address,
      variables,
      nowMs: Date.now,
      longestAnswer: LONGEST_ANSWER,
      ...(tokenEnv === undefined ? {} : { tokenEnv }),
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(answerMs === undefined ? {} : { answerMs, connectMs: answerMs, graceMs: 0 }),
    },
    '/embeddings',
    'none',
    1,
  )
  const prefixes = PREFIXES.find((each) => each.model.test(model))
  return {
    name,
    close,
    async encode(texts, kind, stop) {
      const input = texts.map((text) => `${prefixes?.[kind] ?? ''}${text}`)
      const body = Buffer.from(JSON.stringify({ model, input, encoding_format: 'float' }))
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      return encodedIn(jsonIn(await send({ bytes: () => body }, headers, stop), name), texts.length, name)
    },
  }
}

/** Whoever searches waits for so long, in ms. A server may first have to load its model. */
const PATIENCE_MS = 8000

/**
 * The vector of what is asked, without secrets. If the encoder does not answer, says why instead: a search by
 * words goes on without it.
 */
export async function vectorOf(
  text: string,
  encoder: Encoder,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ vector?: Int8Array | undefined; fault?: string }> {
  let client: ReturnType<typeof createEncoder> | undefined
  try {
    client = createEncoder(encoder, variables, { answerMs: PATIENCE_MS })
    const { redact } = createRedactor({ level: 'standard' })
    const { vectors } = await client.encode([redact(text)], 'query')
    return { vector: vectors[0] }
  } catch (error) {
    if (error instanceof SinkError) return { fault: error.message }
    throw error
  } finally {
    client?.close()
  }
}

/** Reads an answer. Throws a `SinkError` unless it has a vector of equal length for each text. */
function encodedIn(answer: unknown, count: number, name: string): Encoded {
  const { data, usage } = asObject(answer) ?? {}
  const vectors: (Int8Array | undefined)[] = new Array(count)
  const lengths = new Map<number, number>()
  for (const [position, each] of (Array.isArray(data) ? data : []).entries()) {
    const { embedding, index = position } = asObject(each) ?? {}
    const isVector =
      Array.isArray(embedding) &&
      embedding.length <= MOST_DIMENSIONS &&
      embedding.every((value) => typeof value === 'number')
    const at = Number(index)
    if (!isVector || !Number.isInteger(at) || at < 0 || at >= count) continue
    lengths.set(at, embedding.length)
    vectors[at] = packVector(embedding as number[])
  }
  if (lengths.size !== count || new Set(lengths.values()).size !== 1)
    throw new SinkError('stop', `${name} did not answer with a vector for each text.`, {
      wayOut: 'Check the address and the model: it has to be one for embeddings.',
    })
  const tokens = Number(asObject(usage)?.total_tokens ?? asObject(usage)?.prompt_tokens ?? 0)
  return { vectors, tokens: Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0 }
}
