import type { MessagePort, Worker } from 'node:worker_threads'
import { createThread, v8, workerThreads } from '../io/process.ts'

/** How many tasks a thread may be ahead of the results handed out. */
const AHEAD = 96
/** With more than this many bytes of results waiting, only the next result is computed. */
const HELD_BYTES = 4 * 1024 * 1024
/** Results are sent in batches, because a message costs more than a small result. */
const BATCH = 32
const BATCH_LENGTH = 512 * 1024
/** A thread that sends nothing for this long is abandoned, and its tasks run here. */
const PATIENCE_MS = 20_000

const NEXT = 0
const HANDED_OUT = 1
const SIGNAL = 2
/** Index of the counter of waiting result bytes (approximate). */
const HELD = 3
/** Index of the number of tasks that were created. */
const CREATED = 4
/** Tasks are created in portions of this many. */
const PORTION = 64

export interface Pool<Task, Result extends object> {
  /** An array, or tasks that are created when their turn is near. `at` is called once for each, in order. */
  tasks: Tasks<Task>
  /** Runs one task. Also called on this thread. */
  run(task: Task): Result
  /**
   * Script of the worker threads, which calls `workOff`. Without it, or with one thread, everything runs
   * here.
   */
  worker?: URL
  threads: number
  /** Passed to the workers. */
  settings: unknown
}

interface Tasks<Task> {
  readonly length: number
  at(index: number): Task | undefined
}

/** Some tasks in order, on their way to a thread. */
interface Portion<Task> {
  from: number
  tasks: Task[]
}

/** What a result may contain that its other fields are not packed with. */
interface Carrier {
  /** Transferred as they are. */
  bytes?: Uint8Array<ArrayBuffer>
  /** Approximate memory of the result, if large. */
  weight?: number
}

/**
 * A result from another thread, packed as V8 stores values. Unpacked when its turn comes, because it takes
 * less memory until then.
 */
interface Parcel {
  index: number
  packed: Uint8Array<ArrayBuffer>
  bytes?: Uint8Array<ArrayBuffer>
}

const weightOf = ({ packed, bytes }: Parcel): number => packed.length + (bytes?.length ?? 0)

interface WorkerData {
  /** The number of tasks. */
  count: number
  shared: SharedArrayBuffer
  port: MessagePort
  settings: unknown
}

/**
 * Yields the results of all tasks in their order. This thread works too, without returning to the event loop.
 * Results are plain data. A field `bytes` is transferred.
 */
export function* inOrder<Task, Result extends object>(pool: Pool<Task, Result>): Generator<Result> {
  const { tasks, run } = pool
  const shared = new SharedArrayBuffer(20)
  const state = new Int32Array(shared)
  /** The tasks that were created and whose results are not handed out yet. */
  const open = new Map<number, Task>()
  const done = new Map<number, { result: Result & Carrier } | { parcel: Parcel }>()
  const workers: Worker[] = []
  const ports: MessagePort[] = []
  if (pool.worker)
    for (let count = 1; count < pool.threads; count++) {
      const { port1, port2 } = new (workerThreads().MessageChannel)()
      const workerData: WorkerData = { count: tasks.length, shared, port: port2, settings: pool.settings }
      const worker = createThread(pool.worker, {
        workerData,
        transferList: [port2],
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
      })
      // Tasks that a thread leaves undone run here, where a bug shows again.
      worker.on('error', () => {})
      worker.unref()
      port1.unref()
      workers.push(worker)
      ports.push(port1)
    }

  const drain = (): void => {
    if (ports.length === 0) return
    const { receiveMessageOnPort } = workerThreads()
    for (const port of ports)
      for (let held = receiveMessageOnPort(port); held; held = receiveMessageOnPort(port))
        for (const parcel of held.message as Parcel[]) done.set(parcel.index, { parcel })
  }

  /** Creates the tasks up to this one and those that threads may begin meanwhile. */
  const create = (wanted: number): void => {
    const enough = Math.min(tasks.length, wanted + AHEAD + PORTION)
    for (let from = Atomics.load(state, CREATED); from < enough; ) {
      const portion: Portion<Task> = { from, tasks: [] }
      const end = Math.min(from + PORTION, tasks.length)
      for (; from < end; from++) {
        const task = tasks.at(from)!
        portion.tasks.push(task)
        open.set(from, task)
      }
      for (const port of ports) port.postMessage(portion)
      Atomics.store(state, CREATED, from)
      Atomics.notify(state, CREATED)
    }
  }

  const doHere = (index: number): void => {
    const result: Result & Carrier = run(open.get(index)!)
    done.set(index, { result })
    Atomics.add(state, HELD, result.weight ?? 0)
  }

  const take = (index: number): Result => {
    const each = done.get(index)!
    done.delete(index)
    if ('result' in each) {
      Atomics.sub(state, HELD, each.result.weight ?? 0)
      return each.result
    }
    Atomics.sub(state, HELD, weightOf(each.parcel))
    const result = v8().deserialize(each.parcel.packed) as Result & Carrier
    if (each.parcel.bytes) result.bytes = each.parcel.bytes
    return result
  }

  /** Whether to start another task while waiting for this one. */
  const mayBegin = (wanted: number): boolean => {
    const next = Atomics.load(state, NEXT)
    return (
      next < tasks.length &&
      (next <= wanted || (next <= wanted + AHEAD && Atomics.load(state, HELD) <= HELD_BYTES))
    )
  }

  let patience = PATIENCE_MS
  try {
    for (let wanted = 0; wanted < tasks.length; wanted++) {
      create(wanted)
      let silentSince = 0
      while (!done.has(wanted)) {
        const heard = Atomics.load(state, SIGNAL)
        drain()
        if (done.has(wanted)) break
        if (mayBegin(wanted)) {
          const index = Atomics.add(state, NEXT, 1)
          if (index < tasks.length) doHere(index)
          continue
        }
        if (Atomics.wait(state, SIGNAL, heard, 1000) === 'timed-out') {
          silentSince += 1000
          if (silentSince < patience) continue
          // Do not wait again for the other tasks of this thread.
          patience = 0
          doHere(wanted)
        } else silentSince = 0
      }
      open.delete(wanted)
      yield take(wanted)
      Atomics.store(state, HANDED_OUT, wanted + 1)
      Atomics.notify(state, HANDED_OUT)
    }
  } finally {
    for (const port of ports) port.close()
    for (const worker of workers) void worker.terminate()
  }
}

/** The worker's side: runs tasks until none is left. */
export function workOff<Task>(data: unknown, prepare: (settings: unknown) => (task: Task) => object): void {
  const { count, shared, port, settings } = data as WorkerData
  const { receiveMessageOnPort } = workerThreads()
  const state = new Int32Array(shared)
  const run = prepare(settings)
  const open = new Map<number, Task>()
  let batch: Parcel[] = []
  let length = 0
  const send = (): void => {
    if (batch.length === 0) return
    port.postMessage(
      batch,
      batch.flatMap(({ packed, bytes }) => (bytes ? [packed.buffer, bytes.buffer] : [packed.buffer])),
    )
    batch = []
    length = 0
    Atomics.add(state, SIGNAL, 1)
    Atomics.notify(state, SIGNAL)
  }
  const isAhead = (index: number, handed: number): boolean =>
    index > handed + AHEAD || (index > handed && Atomics.load(state, HELD) > HELD_BYTES)
  for (;;) {
    const index = Atomics.add(state, NEXT, 1)
    if (index >= count) break
    for (
      let handed = Atomics.load(state, HANDED_OUT);
      isAhead(index, handed);
      handed = Atomics.load(state, HANDED_OUT)
    ) {
      send()
      Atomics.wait(state, HANDED_OUT, handed, 1000)
    }
    const { bytes, ...result } = run(taskAt(index)) as Carrier
    // Always a buffer of its own, which can be transferred.
    const packed = v8().serialize(result) as Uint8Array<ArrayBuffer>
    const parcel: Parcel = { index, packed, bytes }
    batch.push(parcel)
    length += weightOf(parcel)
    Atomics.add(state, HELD, weightOf(parcel))
    if (batch.length >= BATCH || length >= BATCH_LENGTH || index <= Atomics.load(state, HANDED_OUT) + 1)
      send()
  }
  send()
  port.close()

  /** Waits until the task is here. Forgets those that other threads have done. */
  function taskAt(index: number): Task {
    for (;;) {
      const created = Atomics.load(state, CREATED)
      for (let held = receiveMessageOnPort(port); held; held = receiveMessageOnPort(port)) {
        const { from, tasks } = held.message as Portion<Task>
        for (const [place, task] of tasks.entries()) open.set(from + place, task)
      }
      for (const other of open.keys()) if (other < index) open.delete(other)
      const task = open.get(index)
      if (task !== undefined) return task
      // The next tasks may not be created before these results are handed out.
      send()
      Atomics.wait(state, CREATED, created, 1000)
    }
  }
}
