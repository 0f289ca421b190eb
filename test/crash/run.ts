/**
 * `npm run test:crash -- --kills 1000 --seed 1` kills the collector at random moments and reports what its
 * destinations lack.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crash } from './harness.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})
const folder = mkdtempSync(join(tmpdir(), 'scrollback-crash-'))
const began = performance.now()
const report = await crash({
  kills: Number(values.kills),
  seed: Number(values.seed),
  folder,
  progress(kills, records) {
    if (kills % 25 === 0) process.stderr.write(`${kills} kills, ${records} records\n`)
  },
})
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(`${JSON.stringify({ seed: values.seed, seconds, ...report }, null, 2)}\n`)
const faults = [report.server, report.archive].map(({ lost, doubled, altered }) => lost + doubled + altered)
if (!report.sound || faults.some((count) => count > 0)) {
  process.stderr.write(`What was left is in ${folder}\n`)
  process.exitCode = 1
} else rmSync(folder, { recursive: true })
