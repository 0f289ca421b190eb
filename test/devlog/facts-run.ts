/**
 * Prints how many lies the fact check catches and how many honest sentences it marks: over the demo, and with
 * `SCROLLBACK_CORPUS` over transcripts of that folder. `--misses` lists the errors.
 */
import { join } from 'node:path'
import {
  type FactFigures,
  type LieFigure,
  measureFacts,
  storySentences,
  templateSet,
} from './fact-figures.ts'
import { caseOf, demoSources, fileSource } from './stories.ts'

const FILES = [
  'claude-code/chiphuyen+sniffly/tests/mock-data/-Users-chip-dev-ai-music/ba79134d-b6e9-4867-af0c-6941038c9e4b.jsonl',
  'claude-code/obra+episodic-memory/test/fixtures/long-conversation.jsonl',
  'claude-code/obra+episodic-memory/test/fixtures/large-conversation.jsonl',
  'openclaw/badlogic+pi-mono/session.jsonl',
  'openclaw/badlogic+pi-mono/packages/coding-agent/test/fixtures/before-compaction.jsonl',
]

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(8)

function print(name: string, figures: readonly FactFigures[]): void {
  const kinds = new Map<string, LieFigure>()
  for (const { byKind } of figures)
    for (const { kind, lies, caught } of byKind) {
      const sum = kinds.get(kind) ?? { kind, lies: 0, caught: 0 }
      kinds.set(kind, { kind, lies: sum.lies + lies, caught: sum.caught + caught })
    }
  const rows = [...kinds.values()]
  const total = (field: 'lies' | 'caught'): number => rows.reduce((sum, row) => sum + row[field], 0)
  const honest = figures.reduce((sum, each) => sum + each.honest, 0)
  const alarms = figures.reduce((sum, each) => sum + each.alarms.length, 0)
  process.stdout.write(`${name}\n  kind              lies  caught   share\n`)
  for (const { kind, lies, caught } of [
    ...rows,
    { kind: 'all', lies: total('lies'), caught: total('caught') },
  ])
    process.stdout.write(
      `  ${kind.padEnd(16)}  ${String(lies).padStart(4)}  ${String(caught).padStart(6)}  ${percent(caught, lies)}\n`,
    )
  process.stdout.write(
    `  honest sentences ${honest}, false alarms ${alarms} (${percent(alarms, honest).trim()})\n`,
  )
  if (!process.argv.includes('--misses')) return
  for (const { missed, alarms: wrong } of figures) {
    for (const { kind, text } of missed) process.stdout.write(`  missed  ${kind}: ${text}\n`)
    for (const text of wrong) process.stdout.write(`  alarm   ${text}\n`)
  }
}

const demo = caseOf(await demoSources(), 'api')
print('the demo', [measureFacts(demo, storySentences(demo))])
const corpus = process.env.SCROLLBACK_CORPUS
if (corpus) {
  const found: FactFigures[] = []
  for (const file of FILES) {
    const project = caseOf([await fileSource(join(corpus, file))], 'corpus')
    found.push(measureFacts(project, templateSet(project)))
  }
  print(`${FILES.length} real transcripts`, found)
}
