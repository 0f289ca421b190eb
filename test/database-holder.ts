import { writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A process that locks all others out of a database until it is killed: `node database-holder.ts <path>`. */
const database = new DatabaseSync(process.argv[2]!)
database.exec(`PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (id INTEGER);
  BEGIN EXCLUSIVE; INSERT INTO held VALUES (1)`)
writeSync(1, 'held')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
