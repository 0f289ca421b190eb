import { DatabaseSync } from 'node:sqlite'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { ITEMS, type ItemColumns, itemOf, USAGES } from '../../src/store/sqlite/copy.ts'
import type { Store } from '../../src/store/store.ts'
import type { SpaceAddress } from '../../src/store/team.ts'

const SPACE = {
  item: `SELECT a.path, i.generation, i.line, i.place, i.record, i.digest, i.at, toString(i.who), i.prompt, i.aside, i.offset,
    i.length, i.tool, i.target, i.text FROM (SELECT * FROM item FINAL) AS i INNER JOIN (SELECT id, path FROM artifact FINAL WHERE device = '{device}') AS a
    ON a.id = i.artifact`,
  usage: `SELECT a.path, u.reply, u.at, u.model, u.input, u.output, u.cacheRead, u.cacheWrite, u.cost, u.cacheWriteHour,
    u.reasoning, u.cut FROM (SELECT * FROM usage FINAL) AS u INNER JOIN (SELECT id, path FROM artifact FINAL WHERE device = '{device}') AS a ON a.id = u.artifact`,
  file: `SELECT path, session, generation, settled, revision, gone IS NULL, row <> '', project, folder, rank FROM artifact FINAL WHERE device = '{device}'`,
}

/** The files that a space gets: those with a session, and memory documents. */
const SENT = `(a.id IN (SELECT artifact FROM session) OR a.facts ->> '$.kind' = 'memory')`

const whole = (at: unknown): unknown => (typeof at === 'number' ? Math.trunc(at) : at)

function* localRows(database: DatabaseSync): Generator<[kind: keyof typeof SPACE, row: unknown[]]> {
  const files = database
    .prepare(`SELECT a.id, a.path, a.session, a.generation, a.settled, a.revision, a.gone IS NULL AS there, s.row IS NOT NULL AS is_session,
      s.project, s.project_path AS folder, a.rank FROM artifact a LEFT JOIN session s ON s.artifact = a.id WHERE ${SENT}`)
    .all()
  const items = database.prepare(`${ITEMS} WHERE o.artifact = ?`)
  const era = Number(database.prepare('SELECT era FROM change').get()?.era)
  const usages = database.prepare(`${USAGES} WHERE u.artifact = ?`)
  for (const { id, path, ...file } of files) {
    const generations = { generation: era + Number(file.generation), settled: era + Number(file.settled) }
    yield ['file', [path, ...Object.values({ ...file, ...generations })]]
    for (const row of items.all(id!)) {
      const item = itemOf(row as unknown as ItemColumns)
      const { generation, line, order, record, digest, at, who, prompt, aside, offset, length } = item
      const { tool, target, text } = item
      const flags = [prompt ? 1 : 0, aside ? 1 : 0]
      const place = [
        path,
        era + generation,
        line,
        order,
        record,
        digest,
        whole(at),
        who,
        ...flags,
        offset,
        length,
      ]
      yield ['item', [...place, tool, target, text?.toWellFormed() ?? null]]
    }
    for (const row of usages.all(id!)) {
      const { at, ...rest } = row as Record<string, unknown>
      const { reply, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour, reasoning, cut } =
        rest
      yield [
        'usage',
        [
          path,
          reply,
          whole(at),
          model,
          ...[input, output, cacheRead, cacheWrite, cost, cacheWriteHour, reasoning, cut],
        ],
      ]
    }
  }
}

/** How the rows of a machine in a space differ from those of its store, by kind. Empty if they do not. */
export function differences(
  local: Pick<Store, 'path'>,
  address: SpaceAddress,
  device: string,
): Record<string, number> {
  const found: Record<string, number> = {}
  const count = (what: string): void => {
    found[what] = (found[what] ?? 0) + 1
  }
  const wanted = new Map<string, number>()
  const database = new DatabaseSync(local.path)
  for (const [kind, row] of localRows(database)) {
    const key = JSON.stringify([kind, ...row])
    wanted.set(key, (wanted.get(key) ?? 0) + 1)
  }
  database.close()
  const connection = connect(address)
  for (const [kind, statement] of Object.entries(SPACE))
    for (const row of connection.select(statement.replace('{device}', device))) {
      const key = JSON.stringify([kind, ...row])
      const left = (wanted.get(key) ?? 0) - 1
      if (left < 0) count(`${kind} that only the space has: ${key.slice(0, 200)}`)
      else wanted.set(key, left)
    }
  connection.close()
  for (const [key, left] of wanted) if (left > 0) count(`missing in the space: ${key.slice(0, 200)}`)
  return found
}
