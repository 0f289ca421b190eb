import type { Action } from '../action.ts'

export const schema: Action = {
  examples: [
    {
      command: 'scrollback store schema | clickhouse-client --database team --multiquery',
      tells: 'create the tables of a team store; the first "collect" does the same',
    },
    {
      command: 'scrollback store schema --cluster prod',
      tells: 'print the statements that create them on every server of a cluster',
    },
  ],
  takes: ['cluster'],
  async run({ cluster }) {
    const { schemaStatements } = await import('../../../store/clickhouse/schema-statements.ts')
    return { version: 1, action: 'schema', sql: `${schemaStatements(cluster).join(';\n\n')};\n` }
  },
  *render({ sql = '' }) {
    yield sql
  },
}
