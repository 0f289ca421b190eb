import { workerData } from 'node:worker_threads'
import { sendEvent, serveThread } from '../../io/thread.ts'
import { operationsFor } from './operations.ts'
import type { ThreadOptions } from './protocol.ts'

const { close, ...operations } = operationsFor({ ...(workerData as ThreadOptions), onNote: sendEvent })
serveThread(operations, close)
