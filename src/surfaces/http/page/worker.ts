import { parentPort, workerData } from 'node:worker_threads'
import { remoteAt } from '../../team-store.ts'
import type { Message, ReaderSettings, Request } from './protocol.ts'
import { createReader } from './reader.ts'

/** A thread that answers questions, so that the thread of the server stays free. */
const post = (message: Message): void =>
  parentPort!.postMessage(message, message.type === 'part' ? [message.bytes.buffer] : [])
const settings = workerData as ReaderSettings
const reader = createReader(settings, post, settings.storeAddress && (await remoteAt(settings.storeAddress)))

parentPort!.on('message', (request: Request) => {
  if (request.type !== 'end') return reader.take(request)
  reader.close()
  // The thread ends when nothing else is left to do.
  parentPort!.close()
})
