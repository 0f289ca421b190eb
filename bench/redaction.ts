/** Secrets found, false alarms and speed, compared with other programs. */
import { readFileSync } from 'node:fs'
import { redact } from '../src/redact/redact.ts'
import { createRedactor } from '../src/redact/redactor.ts'
import { innocentSet } from '../test/redaction/innocent-set.ts'
import { secretSet, survives } from '../test/redaction/secret-set.ts'
import { bestInTurn, type Measured, run } from './measure.ts'
import { secretlint } from './redaction-secretlint.ts'
import { createReport } from './report.ts'
import { answers, filesOf, generateOnce, reusedFolder, type Setup } from './setup.ts'

const INNOCENT = 60_000
/** How often the same contexts come with different values. */
const SETS = 5
const MEGABYTES = 100
const ALARMS = { most: 1, unit: 'per 10,000 lines' }
const SPEED = { unit: 'MB/s' }

export async function measureRedaction({ scaled }: Setup): Promise<void> {
  const report = createReport('redaction')
  const [innocentLines, megabytes] = [scaled(INNOCENT), scaled(MEGABYTES)]
  const planted = Array.from({ length: scaled(SETS) }, (_, set) => secretSet(set + 1)).flat()
  const kinds = new Set(planted.map(({ kind }) => kind)).size
  const innocent = innocentSet(innocentLines).map(({ text }) => text)
  const strict = createRedactor({ level: 'strict' })
  const recall = (found: (text: string) => string): number =>
    (planted.filter((each) => !survives(each, found(each.text))).length / planted.length) * 100
  const alarms = (found: (text: string) => string): number =>
    (innocent.filter((text) => found(text) !== text).length / innocent.length) * 10_000

  const what = `${planted.length} planted secrets of ${kinds} kinds`
  report.add(`recall, ${what}`, recall(redact), { least: 99, unit: '%' }, 'no piece of 12 letters is left')
  report.add(`false alarms, ${innocentLines} innocent lines`, alarms(redact), ALARMS, '')
  report.add('the same at the strict level', alarms(strict.redact), ALARMS, '')

  const tree = treeOf(megabytes)
  const lines = linesOf(tree)
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const speed = (each: (line: string) => unknown): (() => Measured) => timed(lines, each)
  const { ours, asJson, tagged, parse } = bestInTurn(3, {
    ours: speed(redact),
    asJson: speed(createRedactor({ level: 'standard' }).redactJsonLine),
    tagged: speed(createRedactor({ level: 'strict', tags: true, identities: true }).redactJsonLine),
    parse: speed(JSON.parse),
  })
  const perSecond = ({ seconds }: Measured): number => bytes / 1e6 / seconds
  report.add(`redacting ${megabytes} MB of transcripts, one thread`, perSecond(ours), SPEED, '')
  report.slower('the same, time against `JSON.parse` of the same lines', ours, parse, {})
  const dense = innocent.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const { crowded } = bestInTurn(3, { crowded: timed(innocent, redact) })
  report.add(
    'the innocent lines, full of words that announce secrets',
    dense / 1e6 / crowded.seconds,
    SPEED,
    '',
  )
  report.add('lines that stay JSON', perSecond(asJson), SPEED, '')
  report.add('lines at the strict level, with tags and without people', perSecond(tagged), SPEED, '')
  if (answers('rg')) {
    const pattern = 'A[KS]IA[A-Z0-9]{16}'
    const rg = run('sh', ['-c', `rg -c '${pattern}' "${tree}" | cat`])
    report.slower('redacting, time against `rg -c` with one of its patterns', ours, rg, {})
  } else report.skip('redacting against `rg -c`', 'there is no rg on this machine')

  const others = await secretlint()
  if ('missing' in others) report.skip("secretlint's recommended rules", others.missing)
  else {
    const { finds } = others
    let found = 0
    for (const { text } of planted) if (await finds(text)) found++
    let raised = 0
    for (const text of innocent) if (await finds(text)) raised++
    report.add(
      "recall of secretlint's rules, counting a text with any finding",
      (found / planted.length) * 100,
      { unit: '%' },
      what,
    )
    report.add(
      "false alarms of secretlint's rules",
      (raised / innocent.length) * 10_000,
      { unit: 'per 10,000 lines' },
      '',
    )
    const all = innocent.join('\n')
    const theirs = await timedOnce(() => finds(all))
    const same = timed([all], redact)()
    report.faster("redacting one text of the innocent lines, against secretlint's rules", same, theirs, {})
  }
  report.print()
}

function treeOf(megabytes: number): string {
  const folder = reusedFolder(`tree-${megabytes}`)
  generateOnce(folder, megabytes, Math.max(8, Math.round(megabytes * 0.9)))
  return folder
}

const linesOf = (tree: string): string[] =>
  filesOf(tree).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  )

function timed(texts: readonly string[], each: (text: string) => unknown): () => Measured {
  return () => {
    const started = performance.now()
    for (const text of texts) each(text)
    return { seconds: (performance.now() - started) / 1000 }
  }
}

async function timedOnce(work: () => Promise<unknown>): Promise<Measured> {
  const started = performance.now()
  await work()
  return { seconds: (performance.now() - started) / 1000 }
}
