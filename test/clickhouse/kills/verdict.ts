import { type Connection, connect } from '../../../src/store/clickhouse/connection/connection.ts'
import { SPENT, SPOKEN } from '../../../src/store/clickhouse/figures/stored.ts'
import type { TeamAddress } from '../../../src/store/team.ts'
import { faultsIn } from '../audit.ts'

/** How a store compares with one that was filled without an interruption, and with the files. */
export interface Verdict {
  /** Rows that the other store has. */
  rows: number
  /** Rows that only the other store has, and rows that only this one has, or has twice. */
  lost: number
  doubled: number
  /** Texts of files that the store does not have exactly once in that file. */
  wrong: number
  faults: Record<string, number>
  /** The first of each kind, for debugging. */
  examples: string[]
}

const MOST_EXAMPLES = 6

/** The generations of a file of which a part was cut off. */
const CUTS = `arrayMap(cut -> JSONExtractInt(cut, 'generation'), JSONExtractArrayRaw(cuts))`

/**
 * What the tables have, without the moments and counters of writing. A file with an interrupted batch is read
 * again from its first byte, as a new generation, so generations are counted from the last.
 */
const CONTENT = [
  `SELECT 'file', path, root, platform, agent, session, state, settled = generation, offset, line, size, modified, head,
    tail, gone IS NULL, arrayMap(cut -> JSONExtractInt(cut, 'line'), JSONExtractArrayRaw(cuts)), versions, row
    FROM artifact FINAL`,
  `SELECT 'order', path, rowNumberInAllBlocks() FROM (SELECT a.path AS path FROM artifact AS a FINAL
    INNER JOIN (SELECT artifact, min(at) AS at FROM arrival GROUP BY artifact) AS r ON r.artifact = a.id ORDER BY r.at)`,
  `SELECT 'project', a.path, p.name, p.folder FROM project AS p FINAL INNER JOIN (SELECT * FROM artifact FINAL) AS a
    ON a.id = p.artifact`,
  `SELECT 'item', i.artifact, if(i.generation = a.generation, 0, arrayCount(cut -> cut >= i.generation, a.cut)), i.line,
    i.place, i.record, i.digest, i.at, i.who, i.prompt, i.aside, i.offset, i.length, i.tool, i.target, i.more, i.text,
    i.words FROM (SELECT * FROM item FINAL) AS i
    INNER JOIN (SELECT id, generation, ${CUTS} AS cut FROM artifact FINAL) AS a ON a.id = i.artifact`,
  `SELECT 'usage', artifact, reply, at, model, input, output, cacheRead, cacheWrite, cost, cut FROM usage FINAL`,
  ...['sent', 'heard', 'template', 'statement', 'unlinked'].map(
    (table) => `SELECT '${table}', * EXCEPT (version, deleted) FROM ${table} FINAL`,
  ),
  `SELECT 'word', word FROM vocabulary FINAL`,
  // The sums of files, while they hold. Their lists have no order.
  `SELECT 'figure', f.artifact, f.first, f.last, arraySort(f.messages), arraySort(f.replies),
    arraySort(arrayZip(${SPOKEN.map((name) => `f.spoken.${name}`).join(', ')})),
    arraySort(arrayZip(${SPENT.map((name) => `f.spent.${name}`).join(', ')})) FROM (SELECT * FROM figure FINAL) AS f
    INNER JOIN (SELECT id, written FROM artifact FINAL) AS a ON a.id = f.artifact AND a.written = f.version`,
]

const rowsOf = (connection: Connection): string[] =>
  CONTENT.flatMap((statement) => connection.select(statement).map((row) => JSON.stringify(row)))

/** Compares a store with another one, and with the words in each file. */
export function judge(
  [killed, other]: readonly [TeamAddress, TeamAddress],
  words: ReadonlyMap<string, readonly string[]>,
): Verdict {
  const [ours, theirs] = [connect(killed), connect(other)]
  try {
    const wanted = rowsOf(theirs)
    const verdict: Verdict = {
      rows: wanted.length,
      lost: 0,
      doubled: 0,
      wrong: 0,
      faults: faultsIn(ours),
      examples: [],
    }
    const note = (what: 'lost' | 'doubled' | 'wrong', example: string): void => {
      verdict[what]++
      if (verdict.examples.length < MOST_EXAMPLES) verdict.examples.push(`${what}: ${example.slice(0, 500)}`)
    }
    const left = new Map<string, number>()
    for (const row of wanted) left.set(row, (left.get(row) ?? 0) + 1)
    const extra: string[] = []
    for (const row of rowsOf(ours)) {
      const count = left.get(row) ?? 0
      if (count === 0) extra.push(row)
      left.set(row, count - 1)
    }
    const missing = [...left].flatMap(([row, count]) => (count > 0 ? row : []))
    for (const row of extra) note('doubled', besideNearest(row, missing))
    for (const [row, count] of left) for (let each = 0; each < count; each++) note('lost', row)
    for (const [path, inFile] of words) {
      const found = textsOf(ours, path).match(/\bw\d+x\b/g) ?? []
      if (found.join(' ') !== inFile.join(' '))
        note('wrong', `${path}: ${found.join(' ')} instead of ${inFile.join(' ')}`)
    }
    return verdict
  } finally {
    ours.close()
    theirs.close()
  }
}

/** A row where it differs from the most similar of others, with what is there instead. */
function besideNearest(row: string, others: readonly string[]): string {
  let at = 0
  let nearest = ''
  for (const other of others) {
    let same = 0
    while (same < row.length && row[same] === other[same]) same++
    if (same > at) [at, nearest] = [same, other]
  }
  const from = Math.max(0, at - 60)
  return `${row.slice(0, 100)} … ${row.slice(from, at + 100)} instead of ${nearest.slice(from, at + 100)}`
}

const textsOf = (connection: Connection, path: string): string =>
  connection
    .select<[string]>(`SELECT ifNull(i.text, i.target) FROM item AS i FINAL
      INNER JOIN (SELECT * FROM artifact FINAL) AS a ON a.id = i.artifact AND a.generation = i.generation
      WHERE a.path = '${path}' ORDER BY i.line, i.place`)
    .map(([text]) => text)
    .join('\n')
