import type { Who } from '../../model/session.ts'
import { GENERATIONS } from '../changes.ts'
import type { CopiedItem, CopiedUsage, FileContent, FileCopy } from '../file-copy.ts'
import type { Cell } from './connection/connection.ts'
import { raw, sql } from './connection/literal.ts'
import { checkpointOf, cutsOf, FILE_COLUMNS, fileOf, versionsOf } from './read/files.ts'
import { artifactIn, extraIn, sessionIn } from './read/well-formed.ts'
import type { Scope } from './scope.ts'

const USAGE = [
  'reply',
  'at',
  'model',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cost',
  'cacheWriteHour',
  'reasoning',
  'cut',
] as const satisfies readonly (keyof CopiedUsage)[]

/** Reads whole files of every machine, for another store. A space has nothing of what links sessions. */
export function createCopyReader({ connection, current }: Scope) {
  function contents(): FileContent[] {
    const tokens = new Map(
      connection.select<[number, number]>(
        'SELECT artifact, sum(input + output + cacheRead + cacheWrite) FROM usage FINAL GROUP BY artifact',
      ),
    )
    const items = new Map(
      connection
        .select<[number, number, number, number]>(
          sql`SELECT artifact, intDiv(generation, ${GENERATIONS}) AS era, count(), sum(length(ifNull(text, '')) + length(ifNull(target, '')))
            FROM item FINAL GROUP BY artifact, era`,
        )
        .map(([id, era, messages, bytes]) => [`${id} ${era}`, { messages, bytes }] as const),
    )
    return connection
      .select<[number, string, string, number, number, number]>(
        sql`SELECT a.id, a.device, a.path, a.revision, a.modified, intDiv(a.generation, ${GENERATIONS}) FROM (SELECT * FROM artifact FINAL WHERE ${current()}) AS a
          LEFT JOIN (SELECT artifact, min(at) AS at FROM arrival GROUP BY artifact) AS r ON r.artifact = a.id
          ORDER BY r.at, a.id`,
      )
      .map(([id, device, path, revision, modifiedMs, era]) => ({
        id,
        device,
        path,
        revision,
        modifiedMs,
        ...(items.get(`${id} ${era}`) ?? { messages: 0, bytes: 0 }),
        tokens: tokens.get(id) ?? 0,
      }))
  }

  function copiesOf(ids: readonly number[]): FileCopy[] {
    if (ids.length === 0) return []
    const items = itemsOf(ids)
    const usages = usagesOf(ids)
    const files = new Map<number, FileCopy>()
    for (const values of connection.select<Cell[]>(
      sql`SELECT ${raw(REST)}, ${raw(FILE_COLUMNS)} FROM artifact FINAL WHERE id IN ${ids}`,
    )) {
      const header = headerOf(values)
      if (header)
        files.set(header.id, {
          ...header.copy,
          items: items.get(header.id) ?? [],
          usages: usages.get(header.id) ?? [],
          links: { sent: [], heard: [], statements: [] },
        })
    }
    return ids.flatMap((id) => files.get(id) ?? [])
  }

  const itemsOf = (ids: readonly number[]): Map<number, CopiedItem[]> =>
    grouped(
      connection.select<ItemValues>(
        sql`SELECT artifact, generation, line, place, offset, length, prompt, aside, record, digest, who, at, text, tool,
          target, more FROM item FINAL WHERE artifact IN ${ids} AND (artifact, intDiv(generation, ${GENERATIONS})) IN
            (SELECT id, intDiv(generation, ${GENERATIONS}) FROM artifact FINAL WHERE id IN ${ids}) ORDER BY artifact, generation, line, place`,
      ),
      itemOf,
    )

  const usagesOf = (ids: readonly number[]): Map<number, CopiedUsage[]> =>
    grouped(
      connection.select<[number, ...Cell[]]>(
        sql`SELECT artifact, ${raw(USAGE.join(', '))} FROM usage FINAL WHERE artifact IN ${ids} ORDER BY reply`,
      ),
      ([, ...values]) => Object.fromEntries(USAGE.map((name, index) => [name, values[index]])) as never,
    )

  return { contents, copiesOf }
}

const REST = 'settled, cuts, versions, row, project, folder'

/** What a row of `artifact` says of a file. Undefined if it is malformed. */
function headerOf([settled, cuts, versions, row, project, folder, ...values]: readonly Cell[]):
  | { id: number; copy: Omit<FileCopy, 'items' | 'usages' | 'links'> }
  | undefined {
  const file = fileOf(values)
  const artifact = artifactIn(file.facts)
  const checkpoint = checkpointOf(file)
  const session = row === '' ? undefined : sessionIn(String(row))
  if (!artifact || !checkpoint || (row !== '' && !session)) return undefined
  return {
    id: file.id,
    copy: {
      artifact,
      device: file.device,
      person: file.person,
      revision: file.revision,
      checkpoint,
      settled: Number(settled) % GENERATIONS,
      ...(file.gone === null ? {} : { goneMs: file.gone }),
      ...(session && { session }),
      ...(project === null ? {} : { project: String(project) }),
      ...(folder === null ? {} : { folder: String(folder) }),
      cuts: cutsOf({ cuts: String(cuts) }).map(({ generation, line }) => ({
        generation: generation % GENERATIONS,
        line,
      })),
      versions: versionsOf({ versions: String(versions) }),
    },
  }
}

type ItemValues = [
  artifact: number,
  generation: number,
  line: number,
  order: number,
  offset: number,
  length: number,
  prompt: number,
  aside: number,
  record: number,
  digest: number,
  who: Who,
  at: number | null,
  text: string | null,
  tool: string | null,
  target: string | null,
  more: string | null,
]

function itemOf(values: ItemValues): CopiedItem {
  const [, generation, line, order, offset, length, prompt, aside, record, digest, who, at, ...texts] = values
  const [text, tool, target, more] = texts
  return {
    generation: generation % GENERATIONS,
    line,
    order,
    offset,
    length,
    prompt: prompt === 1,
    aside: aside === 1,
    record,
    digest,
    who,
    at,
    text,
    tool,
    target,
    more: more === null ? null : (extraIn(more) ?? null),
  }
}

function grouped<Row extends readonly [number, ...unknown[]], Item>(
  rows: readonly Row[],
  make: (row: Row) => Item,
): Map<number, Item[]> {
  const found = new Map<number, Item[]>()
  for (const row of rows) {
    const list = found.get(row[0])
    if (list) list.push(make(row))
    else found.set(row[0], [make(row)])
  }
  return found
}
