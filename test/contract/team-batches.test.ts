import { describe, expect, it } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { collector, complete } from '../clickhouse/kills/collector.ts'
import { createProxy, type Fate } from '../clickhouse/kills/proxy.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { emptyServer, hasServer } from './engines.ts'

const MESSAGES = 40
const withoutToken = (statement: string): string =>
  statement.replace(
    /SETTINGS insert_deduplication_token = '[^']*'/,
    "SETTINGS deduplicate_insert = 'disable'",
  )

/** Rows of a table as they were written, in parts that are not merged, and as readers see them. */
async function written(fateOf: (insert: number) => Fate, rewrite?: (statement: string) => string) {
  const home = temporaryHome()
  putClaude(
    home,
    uuid(0),
    Array.from({ length: MESSAGES }, (_, index) => claude.user(index + 1, `Water the fern ${index}`)),
  )
  const server = emptyServer()
  const connection = connect(server)
  // Creates the tables.
  await complete(collector(temporaryHome(), server))
  connection.run('SYSTEM STOP MERGES item')
  let inserts = 0
  const proxy = await createProxy({
    server: server.url,
    fate: ({ isInsert }) => (isInsert ? fateOf(inserts++) : 'none'),
    ...(rewrite ? { rewrite } : {}),
  })
  try {
    await complete(collector(home, { ...server, url: proxy.url }))
    await proxy.drain()
    const count = (what: string): number => connection.select<[number]>(`SELECT count() FROM ${what}`)[0]![0]
    const answer = {
      rows: count('item'),
      parts: count(`system.parts WHERE database = '${server.database}' AND table = 'item' AND active`),
      messages: count('item FINAL'),
    }
    connection.run('SYSTEM START MERGES item')
    return { ...answer, inserts }
  } finally {
    await proxy.close()
    connection.close()
  }
}

const twice: readonly Fate[] = ['answer lost', 'half an answer', 'repeated', 'repeated late']

describe.runIf(hasServer)('a batch that arrives twice', () => {
  it.each(twice)(
    'is stored once, because its token is known: %s',
    async (fate) => {
      const once = await written(() => 'none')
      expect(once).toMatchObject({ rows: MESSAGES, messages: MESSAGES })
      const found = await written((insert) => (insert % 2 === 0 ? fate : 'none'))
      expect(found).toMatchObject({ rows: MESSAGES, parts: once.parts, messages: MESSAGES })
    },
    600_000,
  )

  it('would be written and merged twice without the token, and counted once by its keys', async () => {
    const found = await written(() => 'repeated', withoutToken)
    expect(found).toMatchObject({ rows: 2 * MESSAGES, messages: MESSAGES })
  }, 600_000)

  it('is not taken for an earlier one with the same rows, which were removed since', () => {
    const server = emptyServer()
    openClickHouseStore({ ...server, device: 'moss' }).close()
    const connection = connect(server)
    const row = (deleted: number) =>
      connection.insert('usage', ['artifact', 'reply', 'version', 'deleted'], [[1, 1, 1, deleted]])
    for (const deleted of [0, 1, 0]) row(deleted)
    expect(connection.select('SELECT artifact FROM usage FINAL')).toEqual([[1]])
    connection.close()
  })

  it('that did not arrive is sent again', async () => {
    const lost: readonly Fate[] = ['cut before', 'half a request', '503', 'late']
    const found = await written((insert) => (insert % 2 === 0 ? lost[(insert / 2) % lost.length]! : 'none'))
    expect(found).toMatchObject({ rows: MESSAGES, messages: MESSAGES })
  }, 600_000)
})
