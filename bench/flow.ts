/**
 * Counts the functions that one appended line runs through: `node bench/flow.ts` indexes a session of nine
 * lines, appends one, and counts what `index` and `search` run for it, with V8's coverage.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '..')
const sources = `file://${join(checkout, 'src')}/`
const home = mkdtempSync(join(tmpdir(), 'scrollback-flow-'))
const folder = join(home, '.claude/projects/-home-dev-shop')
const file = join(folder, '640ab4c7-0000-4000-8000-000000000001.jsonl')
const LINES = 9

const lineOf = (number: number): string => {
  const isPrompt = number % 2 === 0
  const id = (each: number): string => `640ab4c7-0000-4000-8000-${String(each).padStart(12, '0')}`
  return `${JSON.stringify({
    type: isPrompt ? 'user' : 'assistant',
    uuid: id(number),
    parentUuid: number === 0 ? null : id(number - 1),
    sessionId: id(1),
    cwd: '/home/dev/shop',
    version: '2.1.331',
    timestamp: new Date(Date.now() - 3_600_000 + number * 60_000),
    message: isPrompt
      ? { role: 'user', content: `Please look at the checkout, step ${number}` }
      : {
          role: 'assistant',
          id: `msg_${number}`,
          model: 'claude-opus-5',
          type: 'message',
          content: [{ type: 'text', text: `The rounding of step ${number} is fixed` }],
          usage: { input_tokens: 10, output_tokens: 20 },
        },
  })}\n`
}

/** What a command runs: the functions of our sources with the number of their calls. */
async function functionsOf(session: Session, words: readonly string[]): Promise<Map<string, number>> {
  const { main, processHost } = await import('../src/surfaces/cli/main.ts')
  await session.post('Profiler.takePreciseCoverage')
  await main([...words], processHost(), '0.0.0')
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const run = new Map<string, number>()
  for (const { url, functions } of result) {
    if (!url.startsWith(sources)) continue
    for (const { functionName, ranges } of functions) {
      const { count, startOffset } = ranges[0]!
      // The module itself is the function that begins at its first character.
      if (count > 0 && startOffset > 0)
        run.set(`${url.slice(sources.length)} ${functionName || '(arrow)'} ${startOffset}`, count)
    }
  }
  return run
}

Object.assign(process.env, { HOME: home, SCROLLBACK_HOME: join(home, 'data') })
delete process.env.CLAUDE_CONFIG_DIR
mkdirSync(folder, { recursive: true })
writeFileSync(file, Array.from({ length: LINES }, (_, number) => lineOf(number)).join(''))
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
try {
  await functionsOf(session, ['index'])
  await functionsOf(session, ['search', 'rounding'])
  appendFileSync(file, lineOf(LINES))
  const appended = await functionsOf(session, ['index'])
  const found = await functionsOf(session, ['search', 'rounding'])
  const both = new Set([...appended.keys(), ...found.keys()])
  const callsOf = (name: string): number =>
    [...appended].reduce((sum, [key, count]) => sum + (key.startsWith(name) ? count : 0), 0)
  process.stdout.write(`functions that \`index\` runs for one more line   ${appended.size}\n`)
  process.stdout.write(`functions that \`search\` runs to show it          ${found.size}\n`)
  process.stdout.write(`functions of both                               ${both.size}\n`)
  process.stdout.write(
    `calls of \`redact\`                               ${callsOf('redact/redact.ts redact ')}\n`,
  )
  if (process.argv.includes('--list'))
    for (const [key, count] of [...appended].sort(([one], [other]) => (one < other ? -1 : 1)))
      process.stdout.write(`${count} ${key}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
