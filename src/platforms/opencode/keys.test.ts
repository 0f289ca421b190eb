import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'
import type { Root } from '../../model/artifact.ts'
import { STATEMENTS } from '../opencode-records/statements.ts'
import { opencode } from './index.ts'

it('databases are asked for no table with keys', () => {
  const named = Object.values(STATEMENTS).flatMap((statement) => [
    ...[...statement.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)].map(([, table]) => table),
    ...[...statement.matchAll(/IN \(([^)]*)\)/g)].flatMap(([, list]) => list!.match(/\w+/g)),
  ])
  const allowed = ['session', 'message', 'part', 'event', 'todo', 'session_v2', 'session_message']
  expect(new Set(named)).toEqual(new Set(['sqlite_master', 'pragma_table_info', ...allowed]))
})

it('files with keys, settings and logs are refused', () => {
  const home = temporaryHome()
  for (const name of ['auth.json', 'mcp-auth.json', 'opencode.json', 'log/x.log', 'snapshot/x']) {
    mkdirSync(join(home, name, '..'), { recursive: true })
    writeFileSync(join(home, name), '')
  }
  const root: Root = { platform: 'opencode', path: home, reason: 'test', found: true }
  expect(opencode.files.refused(root)).toHaveLength(5)
})
