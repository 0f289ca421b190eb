/**
 * `npm run test:follow -- --seconds 60 --seed 1` follows changing transcripts and reports lines that were not
 * shown exactly once.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { followBusySessions } from './harness.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-follow-')))
const report = await followBusySessions({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  folder,
})
process.stdout.write(
  `${JSON.stringify({ seed: values.seed, seconds: values.seconds, ...report }, null, 2)}\n`,
)
if (report.lost + report.doubled + report.disordered > 0) {
  process.stderr.write(`What was left is in ${folder}\n`)
  process.exitCode = 1
} else rmSync(folder, { recursive: true })
