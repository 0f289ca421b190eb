/** The evidence of a project with many sessions, beside reading the same sessions. */
import { rmSync } from 'node:fs'
import { bestInTurn, run } from './measure.ts'
import { createReport } from './report.ts'
import { generateOnce, homeOf, node, reusedFolder, type Setup } from './setup.ts'

const SESSIONS = 500
const MEGABYTES = 125
const PROJECT = 'project-00'

export function measureDevlog({ scrollback, scaled }: Setup): void {
  const report = createReport('the devlog')
  const sessions = scaled(SESSIONS)
  const megabytes = scaled(MEGABYTES)
  const tree = reusedFolder(`tree-${sessions}-sessions`)
  generateOnce(tree, megabytes, sessions, 1)
  rmSync(homeOf(tree), { recursive: true, force: true })
  scrollback(tree, ['index'])
  const { evidence, reading, nothing } = bestInTurn(7, {
    evidence: () => scrollback(tree, ['devlog', PROJECT, '--yes', '--evidence', '--json']),
    reading: () => scrollback(tree, ['read', PROJECT, '--json']),
    nothing: () => run(node, ['-e', '0']),
  })
  const what = `evidence of ${sessions} sessions (${megabytes} MB) from a warm store`
  report.add(`${what}, time`, evidence.seconds, { most: 1, unit: 's' }, 'the whole command, JSON included')
  report.slower(`${what}, time against \`read --json\` of them`, evidence, reading, { most: 2 })
  report.slower(`${what}, time against \`node -e 0\``, evidence, nothing, {})
  report.add(`${what}, memory`, evidence.megabytes ?? 0, { unit: 'MB' }, 'peak of the process')
  report.print()
}
