import { writeSync } from 'node:fs'
import { withLock } from '../src/store/sqlite/files.ts'

/** A process that holds a lock until it is killed: `node lock-holder.ts <path>`. */
withLock(process.argv[2]!, () => {
  writeSync(1, 'held')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
