import { type Connection, connect } from '../../../src/store/clickhouse/connection/connection.ts'
import type { SpaceAddress } from '../../../src/store/team.ts'
import { differences } from '../audit.ts'
import { DEVICE } from './collector.ts'

/** How spaces compare with the store of the machine, and with the files. */
export interface Verdict {
  /** Items of the spaces. */
  rows: number
  /** Rows that only the machine has, and rows that only a space has, or has twice. */
  lost: number
  doubled: number
  /** Texts of files that the store does not have exactly once in that file. */
  wrong: number
  /** The first of each kind, for debugging. */
  examples: string[]
}

const MOST_EXAMPLES = 6

/** Compares what a machine has sent to two spaces with its store, and with the words in each file. */
export function judge(
  spaces: readonly SpaceAddress[],
  store: string,
  words: ReadonlyMap<string, readonly string[]>,
): Verdict {
  const verdict: Verdict = { rows: 0, lost: 0, doubled: 0, wrong: 0, examples: [] }
  for (const [index, address] of spaces.entries()) {
    const found = differences({ path: store }, address, DEVICE)
    for (const [what, count] of Object.entries(found)) {
      verdict[what.startsWith('missing') ? 'lost' : 'doubled'] += count
      if (verdict.examples.length < MOST_EXAMPLES) verdict.examples.push(`${index}: ${what}`)
    }
    const connection = connect(address)
    verdict.rows += connection.select<[number]>('SELECT count() FROM item FINAL')[0]![0]
    for (const [path, inFile] of words) {
      const texts = textsOf(connection, path).match(/\bw\d+x\b/g) ?? []
      if (texts.join(' ') === inFile.join(' ')) continue
      verdict.wrong++
      verdict.examples.push(`${path}: ${texts.join(' ')} instead of ${inFile.join(' ')}`)
    }
    connection.close()
  }
  return verdict
}

const textsOf = (connection: Connection, path: string): string =>
  connection
    .select<[string]>(`SELECT ifNull(i.text, i.target) FROM (SELECT * FROM item FINAL) AS i
      INNER JOIN (SELECT id, generation, path FROM artifact FINAL) AS a ON a.id = i.artifact AND a.generation = i.generation
      WHERE a.path = '${path}' ORDER BY i.line, i.place`)
    .map(([text]) => text)
    .join('\n')
