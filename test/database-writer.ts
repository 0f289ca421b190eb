import { writeSync } from 'node:fs'
import { agentDatabase } from './agent-databases.ts'
import { createRandom } from './random.ts'
import { openclaw } from './records.ts'

/**
 * A process that uses an agent's database as OpenClaw does, and then ends: `node database-writer.ts <state>
 * <rounds> <seed>`. Each round commits some rows to one of its sessions; sometimes it checkpoints, vacuums,
 * compresses, rewrites records or closes the database. At the end it prints how many records of humans it
 * left there.
 */
const [state, rounds, seed] = process.argv.slice(2) as [string, string, string]
const random = createRandom(Number(seed))
const made = agentDatabase(state, 23)
const ids = ['moss', 'fern', 'basil']
let numbers = 0
const userRecord = () => openclaw.user(++numbers, `said w${String(numbers).padStart(6, '0')}x`)
const written = new Map(ids.map((id) => [id, 0]))

for (const id of ids) made.session(id, [openclaw.header(id)], { key: `agent:main:${id}` })
writeSync(1, 'begun\n')
for (let round = 0; round < Number(rounds); round++) {
  const id = ids[random(ids.length)]!
  const count = 1 + random(40)
  made.database.exec('BEGIN IMMEDIATE')
  made.append(id, Array.from({ length: count }, userRecord))
  made.database.exec('COMMIT')
  written.set(id, written.get(id)! + count)
  const chance = random(30)
  if (chance === 0) made.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  if (chance === 1) made.database.exec('VACUUM')
  if (chance === 2) made.pack(id)
  if (chance === 3) made.reopen()
  if (chance === 4) made.rewrite(id, 1 + random(written.get(id)!), userRecord())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
}
made.close()
writeSync(1, JSON.stringify(Object.fromEntries(written)))
