import { parentPort, workerData } from 'node:worker_threads'
import { operationsFor } from './operations.ts'
import { type Answer, type Operations, type Request, sentError, type ThreadOptions } from './protocol.ts'

/** How many values a message contains. Receiving it must not block the host. */
const BATCH = 64

const post = (answer: Answer): void => parentPort!.postMessage(answer)
const operations = operationsFor({
  ...(workerData as ThreadOptions),
  onNote: (message) => post({ type: 'note', message }),
})
const running = new Map<number, AsyncGenerator<unknown, void>>()

parentPort!.on('message', (request: Request) => void serve(request))

async function serve(request: Request): Promise<void> {
  const { id } = request
  try {
    if (request.type === 'start') running.set(id, started(request))
    const operation = running.get(id)
    if (request.type === 'return') {
      running.delete(id)
      await operation?.return()
      return
    }
    const values: unknown[] = []
    let done = false
    while (operation && values.length < BATCH) {
      const next = await operation.next()
      if (next.done) done = true
      else values.push(next.value)
      if (done) break
    }
    if (done) running.delete(id)
    post({ id, type: 'values', values, done })
  } catch (error) {
    running.delete(id)
    post({ id, type: 'fault', fault: sentError(error) })
  }
}

const started = ({ name, args }: Extract<Request, { type: 'start' }>): AsyncGenerator<unknown, void> =>
  (operations[name] as (...given: unknown[]) => ReturnType<Operations[keyof Operations]>)(...args)
