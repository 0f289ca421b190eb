import { workerData } from 'node:worker_threads'
import { sendEvent, serveThread } from '../../../io/thread.ts'
import { remoteAt } from '../../team-store.ts'
import type { ReaderSettings } from './protocol.ts'
import { createReader } from './reader.ts'

/** A thread that answers questions, so that the thread of the server stays free. */
const settings = workerData as ReaderSettings
const remote = settings.storeAddress && (await remoteAt(settings.storeAddress))
const { close, ...operations } = createReader(settings, sendEvent, remote)
serveThread(operations, close)
