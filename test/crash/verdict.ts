import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Envelope } from '../../src/model/delivery.ts'

/** How the content of a destination that identifies records by id compares with the files. */
export interface Verdict {
  /** Lines that are in the files now. */
  present: number
  /** Those of them that the destination does not have. */
  lost: number
  /** Records that it has under two ids. */
  doubled: number
  /** Records that were never in a file in this form, or whose line has another form now. */
  altered: number
  /** The first of each kind, for debugging. */
  examples: string[]
}

const MOST_EXAMPLES = 5

/** Compares what was delivered with the files and with the journal of everything that was ever in them. */
export function judge(records: Iterable<Envelope>, home: string, journal: string): Verdict {
  const ever = new Set(readFileSync(journal, 'utf8').split('\n'))
  const verdict: Verdict = { present: 0, lost: 0, doubled: 0, altered: 0, examples: [] }
  const note = (what: 'lost' | 'doubled' | 'altered', example: string): void => {
    verdict[what]++
    if (verdict.examples.length < MOST_EXAMPLES) verdict.examples.push(`${what}: ${example.slice(0, 600)}`)
  }
  const ids = new Map<string, string>()
  for (const { id, kind, session, raw } of records) {
    if (kind === 'artifact') continue
    const name = `${kind === 'transcript' ? session : kind} ${JSON.stringify(raw)}`
    if (!ever.has(name)) note('altered', name)
    if (ids.has(name)) note('doubled', `${ids.get(name)} ${id} ${name}`)
    ids.set(name, id)
  }
  const known = namesWithoutWords(ids.keys())
  for (const name of linesIn(home)) {
    verdict.present++
    if (ids.has(name)) continue
    note(known.has(withoutWords(name)) ? 'altered' : 'lost', name)
  }
  return verdict
}

/** A record that was rewritten differs only in its text. */
const withoutWords = (name: string): string => name.replace(/w\d+x .*?"/, '')
const namesWithoutWords = (names: Iterable<string>): Set<string> =>
  new Set([...names].filter((name) => /"uuid"|"type":"message"/.test(name)).map(withoutWords))

/** Every line of every file. */
function* linesIn(home: string): Generator<string> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /^\.(?:claude|openclaw).*\.jsonl/.test(name))) {
    const scope = file.includes('cron/runs') ? 'cron-runs' : basename(file).split('.jsonl')[0]!
    for (const line of readFileSync(join(home, file), 'utf8').split('\n'))
      if (line !== '') yield `${scope} ${line}`
  }
}
