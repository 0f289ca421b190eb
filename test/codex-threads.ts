import { join } from 'node:path'
import { codex } from '../src/platforms/codex/index.ts'
import { readSession } from '../src/sync/read/read-session.ts'
import { readableItem } from './claude-code-fixtures.ts'
import { put, temporaryHome } from './records.ts'

export type ThreadRecord = readonly [type: string, payload: object, more?: object]

const THREAD = '01a1968d-3900-7000-8000-000000000001'

/** A thread of Codex with a header and these records. */
export function codexThread(meta: object, ...records: readonly ThreadRecord[]) {
  const home = temporaryHome()
  const timestamp = '2026-11-01T10:00:00.000Z'
  put(join(home, `.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-${THREAD}.jsonl`), [
    { timestamp, type: 'session_meta', payload: { id: THREAD, ...meta } },
    ...records.map(([type, payload, more]) => ({ timestamp, type, payload, ...more })),
  ])
  const root = { platform: 'codex', path: join(home, '.codex'), reason: 'test', found: true } as const
  const artifact = codex.files.discover(root, { home, variables: {} }).artifacts[0]!
  const { session, items } = readSession(artifact, { keep: 'full' })
  return { home, artifact, session, told: items.map(readableItem) }
}
