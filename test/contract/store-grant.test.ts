import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Account } from '../../src/store/clickhouse/access/rights.ts'
import { accountStatements, memberStatements } from '../../src/store/clickhouse/access/statements.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { emptyServer, hasServer } from './engines.ts'

/** Never a plain word, which ClickHouse would write without quotes. */
const anyName = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }),
    fc.string({
      unit: fc.constantFrom('`', "'", '\\', '"', '-', ';', '\n', '\0', 'a', ')'),
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map((name) => `${name}-`)

const anyAccount: fc.Arbitrary<Account> = fc.oneof(
  fc.record({ kind: fc.constant('device' as const), name: anyName, device: anyName }),
  fc.record({
    kind: fc.constant('reader' as const),
    name: anyName,
    persons: fc.array(anyName, { maxLength: 3 }),
    teams: fc.array(anyName, { maxLength: 1 }),
  }),
  fc.record({ kind: fc.constant('admin' as const), name: anyName }),
)

const hash = 'ab'.repeat(32)

/** The statement with plain names, as ClickHouse writes it, must be that of any names with these put back. */
const plainly = (account: Account): Account =>
  account.kind === 'device'
    ? { ...account, name: 'user', device: 'device' }
    : account.kind === 'reader'
      ? {
          ...account,
          name: 'user',
          persons: account.persons.map((_, index) => `person${index}`),
          teams: account.teams?.map(() => 'team') ?? [],
        }
      : { ...account, name: 'user' }

describe.runIf(hasServer)('the generated rights, according to ClickHouse', () => {
  const connection = hasServer ? connect(emptyServer()) : undefined
  const formatted = (statement: string): string =>
    connection!.select<[string]>(sql`SELECT formatQuery(${statement})`)[0]![0]
  /** Without names in backticks, texts, and the layout that depends on their length. */
  const structure = (statement: string): string =>
    formatted(statement)
      .replaceAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*'/gs, '?')
      .replaceAll(/\b(?:user|team|prod|scrollback user)\b/g, '?')
      .replaceAll(/\s+/g, ' ')

  it('are one statement each, with the same structure for any names', () => {
    fc.assert(
      fc.property(
        anyAccount,
        anyName,
        fc.option(anyName, { nil: undefined }),
        (account, database, cluster) => {
          const hostile = accountStatements({ ...account, hash }, { database, cluster })
          const plain = accountStatements(
            { ...plainly(account), hash },
            { database: 'team', cluster: cluster && 'prod' },
          )
          expect(hostile.map(structure)).toEqual(plain.map(structure))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('make statements of a user reach all shards of a cluster, and wait for most replicas', () => {
    const kinds: Account[] = [
      { kind: 'device', name: 'device_oak', device: 'oak' },
      { kind: 'reader', name: 'ann', persons: [] },
      { kind: 'admin', name: 'root' },
    ]
    for (const account of kinds) {
      const [create, alter] = accountStatements({ ...account, hash }, { database: 'team', cluster: 'prod' })
      for (const statement of [create!, alter!])
        expect(formatted(statement)).toContain(
          "distributed_product_mode = 'global', distributed_foreground_insert = 1, insert_quorum = 'auto'",
        )
      expect(accountStatements({ ...account, hash }, { database: 'team' }).join()).not.toContain(
        'distributed',
      )
    }
  })

  it('say who is in a team, whatever the names contain', () => {
    fc.assert(
      fc.property(
        anyName,
        fc.array(anyName, { minLength: 1, maxLength: 3 }),
        anyName,
        (team, persons, database) => {
          const plain = { team: 'web', persons: persons.map((_, index) => `person${index}`) }
          expect(memberStatements({ team, persons }, { database }).map(structure)).toEqual(
            memberStatements(plain, { database: 'team' }).map(structure),
          )
        },
      ),
      { numRuns: 20 },
    )
  })

  it('let an administrator measure the store', () => {
    const granted = accountStatements({ kind: 'admin', name: 'root', hash }, { database: 'team' })
    expect(granted.map(formatted)).toContain(
      'GRANT SELECT(database, active, bytes_on_disk) ON system.parts TO root',
    )
  })

  it('are understood as they are meant', () => {
    const shown = accountStatements(
      { kind: 'reader', name: "o'hara", persons: ['ann'], hash },
      { database: 'team' },
    )
    expect(`${shown.map(formatted).join(';\n')}\n`).toMatchSnapshot()
  })
})
