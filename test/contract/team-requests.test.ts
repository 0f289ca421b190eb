import { describe, expect, it } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { schemaStatements } from '../../src/store/clickhouse/migrate.ts'
import { TABLES } from '../../src/store/clickhouse/schema.ts'
import { type Asked, createProxy, type Fate, type Instead } from '../clickhouse/kills/proxy.ts'
import { hasServer } from './engines.ts'
import { machine } from './machine.ts'
import { CHOSEN } from './team.ts'

const portOf = (url: string): number => Number(new URL(url).port)
const tokenIn = ({ statement }: Asked): string | undefined =>
  /^INSERT .* SETTINGS insert_deduplication_token = '([0-9a-f-]{36})' FORMAT /.exec(statement)?.[1]

/** What `collect` asks a server for. */
async function collected(fate: (insert: number) => Fate = () => 'none') {
  const { server, ask, at } = machine()
  const seen: Asked[] = []
  let inserts = 0
  const proxy = await createProxy({
    server: server.url,
    fate: ({ isInsert }) => (isInsert ? fate(inserts++) : 'none'),
    saw: (asked) => void seen.push(asked),
  })
  try {
    const answer = await ask(['collect', `${at(portOf(proxy.url))}?tls=off`, '--device', 'oak', ...CHOSEN])
    expect(answer).toMatchObject({ code: 0, stderr: '' })
  } finally {
    await proxy.close()
  }
  return { server, seen }
}

describe.runIf(hasServer)('every request of a collector', () => {
  it('asks that nothing is acknowledged before it is stored, on most replicas of a cluster', async () => {
    const { seen } = await collected()
    const written = seen.filter(({ statement }) => /^INSERT /.test(statement))
    expect(written.map(({ statement }) => /^INSERT INTO (\w+)/.exec(statement)![1])).toEqual([
      'arrival',
      'item',
      'artifact',
      'delivery',
    ])
    for (const { settings } of written)
      expect(settings).toMatchObject({
        async_insert: '0',
        insert_quorum: 'auto',
        distributed_foreground_insert: '1',
        distributed_product_mode: 'global',
        deduplicate_insert_select: 'disable',
      })
  })

  it('has a token of its own if it brings rows, and the same one when it is sent again', async () => {
    const { seen } = await collected((insert) => (insert === 1 ? 'answer lost' : 'none'))
    const brought = seen.filter(({ statement }) => /^INSERT .* FORMAT /.test(statement))
    const tokens = brought.map(tokenIn)
    expect(tokens).not.toContain(undefined)
    const twice = tokens.filter((token, index) => tokens.indexOf(token) < index)
    expect(twice).toHaveLength(1)
    const [first, again] = brought.filter((asked) => tokenIn(asked) === twice[0])
    expect(again!.statement).toBe(first!.statement)
  })

  it('reaches tables that flush an insert to the disk, also on each shard of a cluster', async () => {
    const { server } = await collected()
    const connection = connect(server)
    const flushed = connection.select<[string]>(`SELECT name FROM system.tables
      WHERE database = '${server.database}' AND engine_full LIKE '%fsync_after_insert = 1%'
        AND engine_full LIKE '%fsync_part_directory = 1%' ORDER BY name`)
    connection.close()
    const names = TABLES.toSorted()
    expect(flushed.flat()).toEqual(names)
    const set = schemaStatements('prod').filter((each) => each.includes('fsync_after_insert = 1'))
    expect(
      set
        .map((each) => /^CREATE TABLE IF NOT EXISTS (\w+?)(?:_local)? ON CLUSTER `prod` /.exec(each)?.[1])
        .sort(),
    ).toEqual(names)
  })
})

describe.runIf(hasServer)('a server that is too old', () => {
  const refusedBy = async (instead: (asked: Asked) => Instead | undefined): Promise<string> => {
    const { server, ask, at } = machine()
    const proxy = await createProxy({ server: server.url, fate: () => 'none', instead })
    try {
      const { code, stdout, stderr } = await ask([
        'sessions',
        '--all',
        '--store',
        `${at(portOf(proxy.url))}?tls=off`,
      ])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      return stderr
    } finally {
      await proxy.close()
    }
  }
  const WORDS = /has ClickHouse 25\.8\.2\.29, and a team store needs 26\.7 or later/

  it('is refused with its version and that which is needed', async () => {
    const said = await refusedBy(({ statement }) =>
      statement.includes('version()') ? { body: '[0, "25.8.2.29"]\n' } : undefined,
    )
    expect(said).toMatch(WORDS)
    expect(said).toContain('update ClickHouse')
  })

  it('is refused so, too, if it does not know a setting of ours', async () => {
    const said = await refusedBy(({ statement, settings }) => {
      if (settings.text_index_like_min_pattern_length !== undefined)
        return { body: 'Code: 115. DB::Exception: Unknown setting. (UNKNOWN_SETTING)', code: 115 }
      return statement.includes('version()') ? { body: '["25.8.2.29"]\n' } : undefined
    })
    expect(said).toMatch(WORDS)
  })

  it.each(['26.7.2.1', '26.10.1.1', '27.1.1.1'])('is not a server with version %s', async (version) => {
    const said = await refusedBy(({ statement }) =>
      statement.includes('version()')
        ? { body: `[0, "${version}"]\n` }
        : { body: 'Code: 516. DB::Exception: no. (AUTHENTICATION_FAILED)', code: 516 },
    )
    expect(said).toContain('does not accept this user')
  })
})
