import { spawnSync } from 'node:child_process'
import { threadId } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { inOrder } from './pool.ts'

const POOL = new URL('./pool.ts', import.meta.url).href

/** A script for the other threads. Its result for a task is the given expression of `task`. */
const workerOf = (expression: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { workOff } from '${POOL}'
       import { threadId, workerData } from 'node:worker_threads'
       const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
       workOff(workerData, (settings) => (task) => (${expression}))`,
    )}`,
  )

const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

interface Done {
  task: number
  thread: number
  bytes?: Uint8Array
}

/** Slow enough that the other threads get some tasks. */
const slowly = (task: number): Done => {
  pause(1)
  return { task, thread: threadId }
}
const THERE = workerOf('(pause(1), { task, thread: threadId })')

describe('work on several threads', () => {
  it('returns each result once, in the order of the tasks, whichever thread did it', () => {
    const begun = new Int32Array(new SharedArrayBuffer(4))
    const worker = workerOf(
      '(Atomics.store(settings.begun, 0, 1), Atomics.notify(settings.begun, 0), pause(1), { task, thread: threadId })',
    )
    // This thread waits until another one has begun, on a busy machine too.
    const run = (task: number): Done => {
      Atomics.wait(begun, 0, 0)
      return slowly(task)
    }
    const done = [...inOrder({ tasks: numbers(600), run, threads: 4, worker, settings: { begun } })]
    expect(done.map(({ task }) => task)).toEqual(numbers(600))
    const threads = new Set(done.map(({ thread }) => thread))
    expect(threads.has(threadId)).toBe(true)
    expect(threads.size).toBeGreaterThan(1)
  })

  it('creates each task once, in order, and no more than the threads may begin', () => {
    const created: number[] = []
    let handedOut = 0
    const tasks = {
      length: 600,
      at(index: number): number {
        expect(index - handedOut).toBeLessThan(300)
        created.push(index)
        return index
      },
    }
    for (const { task } of inOrder({ tasks, run: slowly, threads: 4, worker: THERE, settings: null }))
      handedOut = task + 1
    expect(handedOut).toBe(600)
    expect(created).toEqual(numbers(600))
  })

  it('preserves the order if the first task takes longest', () => {
    const run = (task: number): Done => ({ task, thread: threadId })
    const worker = workerOf('(pause(task % 50 === 0 ? 40 : 0), { task, thread: threadId })')
    const done = [...inOrder({ tasks: numbers(400), run, threads: 3, worker, settings: null })]
    expect(done.map(({ task }) => task)).toEqual(numbers(400))
  })

  it('passes the settings to the other threads, and returns bytes without encoding them as text', () => {
    const worker = workerOf(
      '(Atomics.store(settings.begun, 0, 1), Atomics.notify(settings.begun, 0), { task, thread: threadId, bytes: new TextEncoder().encode(settings.word + task) })',
    )
    const begun = new Int32Array(new SharedArrayBuffer(4))
    // This thread waits until another one has begun, on a busy machine too.
    const run = (task: number): Done => {
      Atomics.wait(begun, 0, 0)
      return { task, thread: threadId, bytes: new TextEncoder().encode(`fern${task}`) }
    }
    const settings = { word: 'fern', begun }
    const done = [...inOrder({ tasks: numbers(200), run, threads: 3, worker, settings })]
    expect(done.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(
      numbers(200).map((task) => `fern${task}`),
    )
    expect(new Set(done.map(({ thread }) => thread)).size).toBeGreaterThan(1)
  })

  it('can be stopped before its end', () => {
    const seen: number[] = []
    for (const { task } of inOrder({
      tasks: numbers(500),
      run: slowly,
      threads: 3,
      worker: THERE,
      settings: null,
    })) {
      seen.push(task)
      if (task === 20) break
    }
    expect(seen).toEqual(numbers(21))
  })
})

describe('work on one thread', () => {
  it('runs in this thread, with and without a script', () => {
    for (const worker of [undefined, THERE]) {
      const done = [...inOrder({ tasks: numbers(50), run: slowly, threads: 1, worker, settings: null })]
      expect(done).toEqual(numbers(50).map((task) => ({ task, thread: threadId })))
    }
  })

  it('does nothing if there are no tasks', () => {
    expect([...inOrder({ tasks: [], run: slowly, threads: 4, worker: THERE, settings: null })]).toEqual([])
  })

  it('runs no task before its result is requested', () => {
    let ran = 0
    const run = (task: number) => ({ task, count: ++ran })
    for (const { task } of inOrder({ tasks: numbers(50), run, threads: 1, settings: null }))
      if (task === 3) break
    expect(ran).toBe(4)
  })

  it('throws the error of a task', () => {
    const run = (task: number): object => {
      if (task === 2) throw new Error('a fault of ours')
      return { task }
    }
    expect(() => [...inOrder({ tasks: numbers(5), run, threads: 1, settings: null })]).toThrow(
      'a fault of ours',
    )
  })
})

describe('a thread that cannot be started', () => {
  /** In a separate process, because it may crash. */
  const left = () => {
    const script = `
      import { inOrder } from '${POOL}'
      const worker = new URL('data:text/javascript,' + encodeURIComponent('throw new Error("no such script")'))
      const run = (task) => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1), { task })
      let count = 0
      for (const { task } of inOrder({ tasks: Array.from({ length: 300 }, (_, i) => i), run, threads: 3, worker, settings: null }))
        if (task === count) count++
      console.log(count)
      setTimeout(() => console.log('still here'), 300)`
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  }

  it('leaves its tasks to this one', () => {
    expect(left().stdout).toContain('300\n')
  })

  it('does not end the process', () => {
    const { stdout, status } = left()
    expect({ stdout, status }).toEqual({ stdout: '300\nstill here\n', status: 0 })
  })
})
