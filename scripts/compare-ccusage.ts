/**
 * Compares the token counts of `scrollback stats` and ccusage on small trees, one for each way in which
 * tokens can be counted: `node scripts/compare-ccusage.ts [folder of ccusage]`. Installs ccusage into a
 * temporary folder by default.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Tokens, usageTrees } from '../test/usage-trees.ts'

const CCUSAGE = 'ccusage@20.0.24'
const program = resolve(import.meta.dirname, '../bin/scrollback.js')
const place = mkdtempSync(join(tmpdir(), 'compare-ccusage-'))
const installed = process.argv[2] ?? place
if (installed === place)
  execFileSync('npm', ['install', '--prefix', place, '--silent', CCUSAGE], { stdio: 'inherit' })

const ours = (home: string): Tokens => {
  const env = { ...process.env, HOME: home, SCROLLBACK_HOME: join(home, 'data'), TZ: 'UTC' }
  const output = execFileSync(
    process.execPath,
    [program, 'stats', '--json', '--claude-dir', join(home, '.claude')],
    { env },
  )
  return (JSON.parse(String(output)) as { totals: Tokens }).totals
}
const theirs = (home: string): Tokens => {
  const env = { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), TZ: 'UTC' }
  const command = join(installed, 'node_modules/.bin/ccusage')
  const output = execFileSync(command, ['claude', 'daily', '--offline', '--json'], { env })
  const { totals } = JSON.parse(String(output)) as { totals: Tokens & { totalCost: number } }
  return { ...totals, cost: totals.totalCost }
}
const text = ({ inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, cost }: Tokens): string =>
  `${inputTokens} in, ${outputTokens} out, ${cacheReadTokens} read, ${cacheCreationTokens} written, $${cost.toFixed(6)}`

let strange = 0
for (const [index, { name, write, tokens, ccusage, why }] of usageTrees.entries()) {
  const home = join(place, `tree-${index}`)
  write(home)
  const [own, other] = [text(ours(home)), text(theirs(home))]
  const asCounted = own === text(tokens) && other === text(ccusage ?? tokens)
  if (!asCounted) strange++
  process.stdout.write(
    `${asCounted ? 'ok     ' : 'STRANGE'} ${name}\n        scrollback  ${own}\n        ccusage     ${other}${why ? `\n        because ${why}` : ''}\n`,
  )
}
rmSync(place, { recursive: true })
process.exitCode = strange === 0 ? 0 : 1
