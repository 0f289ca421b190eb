import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountStatements } from '../../src/store/clickhouse/access.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { idOf } from '../../src/store/clickhouse/schema.ts'
import type { Account } from '../../src/store/team.ts'
import { anyCharacter } from '../any-character.ts'
import { emptyServer, hasServer } from './engines.ts'

/** Never a plain word, which ClickHouse would write without quotes. */
const anyName = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 10 }),
    fc.string({
      unit: fc.constantFrom('`', "'", '\\', '"', '-', ';', '\n', '\0', 'a', ')'),
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map((name) => `${name}-`)

const anyAccount: fc.Arbitrary<Account> = fc.oneof(
  fc.record({
    kind: fc.constant('device' as const),
    name: anyName,
    device: anyName,
  }),
  fc.record({ kind: fc.constant('reader' as const), name: anyName }),
  fc.record({ kind: fc.constant('admin' as const), name: anyName }),
)

const proof = { hash: 'ab'.repeat(32) }
const anyProof = fc.oneof(fc.constant(proof), fc.record({ ldap: anyName }))

/** Another name with the number of `oak`. */
const TWIN = 'twin-27904268'

/** The statement with plain names, as ClickHouse writes it, must be that of any names with these put back. */
const plainly = (account: Account): Account =>
  account.kind === 'device' ? { ...account, name: 'user', device: 'device' } : { ...account, name: 'user' }

describe.runIf(hasServer)('the generated rights, according to ClickHouse', () => {
  const connection = hasServer ? connect(emptyServer()) : undefined
  const formatted = (statement: string): string =>
    connection!.select<[string]>(sql`SELECT formatQuery(${statement})`)[0]![0]
  /** Without names in backticks, texts, and the layout that depends on their length. */
  const structure = (statement: string): string =>
    formatted(statement)
      .replaceAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*'/gs, '?')
      .replaceAll(/\b(?:user|team|prod|scrollback user|directory|\d{6,})\b/g, '?')
      .replaceAll(/\s+/g, ' ')

  it('are one statement each, with the same structure for any names', () => {
    fc.assert(
      fc.property(
        anyAccount,
        anyProof,
        fc.array(anyName, { minLength: 1, maxLength: 2 }),
        fc.option(anyName, { nil: undefined }),
        (account, given, databases, cluster) => {
          const hostile = accountStatements({ ...account, proof: given }, { databases, cluster })
          const plain = accountStatements(
            { ...plainly(account), proof: 'ldap' in given ? { ldap: 'directory' } : given },
            { databases: databases.map(() => 'team'), cluster: cluster && 'prod' },
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
      { kind: 'reader', name: 'ann' },
      { kind: 'admin', name: 'root' },
    ]
    for (const account of kinds) {
      const statements = accountStatements({ ...account, proof }, { databases: ['team'], cluster: 'prod' })
      const created = statements.filter((each) => each.startsWith('CREATE USER'))
      expect(created.map(formatted)).toEqual([
        expect.stringContaining(
          "distributed_product_mode = 'global', distributed_foreground_insert = 1, insert_quorum = 'auto'",
        ),
      ])
      expect(accountStatements({ ...account, proof }, { databases: ['team'] }).join()).not.toContain(
        'distributed',
      )
    }
  })

  it('replace everything that a user of ours was allowed before', () => {
    for (const account of [
      { kind: 'device', name: 'device_oak', device: 'oak' },
      { kind: 'reader', name: 'ann' },
      { kind: 'admin', name: 'root' },
    ] as Account[]) {
      const statements = accountStatements({ ...account, proof }, { databases: ['team'] })
      const at = (start: string) => statements.findIndex((each) => each.startsWith(start))
      const order = ['SELECT throwIf', 'CREATE USER OR REPLACE', 'GRANT'].map(at)
      expect(order).toEqual(order.toSorted((one, other) => one - other))
      expect(order).not.toContain(-1)
    }
  })

  it('stop if the user exists and is none of ours, or if another machine has the same ids', () => {
    const [ids, foreign] = accountStatements(
      { kind: 'device', name: 'device_oak', device: 'oak', proof },
      { databases: ['team'] },
    )
    const answerOf = (statement: string, users: string, devices: string): string => {
      try {
        const asked = statement
          .replace('system.users', `(SELECT arrayJoin(${users}::Array(String)) AS name)`)
          .replace('`team`.artifact', `(SELECT arrayJoin(${devices}::Array(String)) AS device)`)
          .replace(
            'system.role_grants',
            "(SELECT arrayJoin(['elm', currentUser(), NULL]) AS user_name, 'scrollback' AS granted_role_name)",
          )
        return JSON.stringify(connection!.select(asked))
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(idOf(TWIN, 5)).toEqual(idOf('oak', 5))
    expect(answerOf(ids!, "['device_oak', 'device_elm', 'ann']", "['oak', 'elm']")).toBe('[[0]]')
    expect(answerOf(ids!, `['device_${TWIN}']`, '[]')).toContain('error 395')
    expect(answerOf(ids!, '[]', `['${TWIN}']`)).toContain('error 395')
    const reader = accountStatements({ kind: 'reader', name: 'elm', proof }, { databases: ['team'] })
    expect(answerOf(foreign!, "['ann', 'elm']", '[]')).toBe('[[0]]')
    expect(answerOf(foreign!, "['device_oak']", '[]')).toContain('error 395')
    expect(answerOf(reader[0]!, "['elm']", '[]')).toBe('[[0]]')
    const [[user = ''] = []] = connection!.select<[string]>('SELECT currentUser()')
    const own = accountStatements({ kind: 'admin', name: user, proof }, { databases: ['team'] })
    expect(answerOf(own[0]!, `['${user}']`, '[]')).toContain('error 395')
  })

  it('let an administrator measure the store', () => {
    const granted = accountStatements({ kind: 'admin', name: 'root', proof }, { databases: ['team'] })
    expect(granted.map(formatted)).toContain(
      'GRANT SELECT(database, active, bytes_on_disk) ON system.parts TO root',
    )
  })

  it('are understood as they are meant', () => {
    const shown = [
      { kind: 'device', name: 'device_oak', device: 'oak' },
      { kind: 'reader', name: "o'hara" },
    ].flatMap((account) => accountStatements({ ...(account as Account), proof }, { databases: ['team'] }))
    expect(`${shown.map(formatted).join(';\n')}\n`).toMatchSnapshot()
  })
})
