/** A thread that creates one store after another, each at the same moment as all its peers. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from '../src/store/sqlite/open.ts'

const { folder, rounds, fellows, arrived } = workerData as {
  folder: string
  rounds: number
  fellows: number
  /** The number of times that any of them was ready. */
  arrived: Int32Array
}

const faults: string[] = []
for (let round = 1; round <= rounds; round++) {
  Atomics.add(arrived, 0, 1)
  while (Atomics.load(arrived, 0) < round * fellows);
  try {
    openSqliteStore(join(folder, `${round}.sqlite`), 0).store.close()
  } catch (error) {
    faults.push(String(error))
  }
}
parentPort!.postMessage(faults)
