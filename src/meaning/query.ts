import { createRedactor } from '../redact/redactor.ts'
import { SinkError } from '../sinks/sink.ts'
import type { Encoder } from '../store/vectors.ts'
import { createEncoder } from './encoder.ts'

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
