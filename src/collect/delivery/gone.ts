import { createRedactor } from '../../redact/redactor.ts'
import type { Part } from './batch.ts'
import { createEnvelopes } from './records/envelope-line.ts'
import { idOf, scopeOf } from './records/record-id.ts'
import { redactorOptions } from './records/redactor-options.ts'
import type { RecordSettings } from './slice.ts'
import type { Source } from './source.ts'
import type { Delivered } from './state/state.ts'

/** A part that reports a source as gone. What was delivered stays at the destination. */
export function gonePart(
  key: string,
  { facts, checkpoint }: Delivered,
  settings: RecordSettings,
  nowMs: number,
): Part {
  const source = { ...facts, bytes: 0, modifiedMs: nowMs, identity: checkpoint.identity } as Source
  const { generation, line, offset, project = null } = checkpoint
  const id = idOf(scopeOf(source), 'gone', facts.path.split(/[\\/]/).at(-1)!, generation, line)
  const write = createEnvelopes(source, settings, createRedactor(redactorOptions(settings)))
  const raw = JSON.stringify({ kind: facts.row.kind, lines: line - 1, bytes: offset })
  const [head, tail] = write({
    ...{ id, atMs: nowMs, session: facts.session, project, line, offset, generation, redactions: 0 },
    ...{ kind: 'artifact', state: 'gone' },
  })
  const bytes = Buffer.from(head + raw + tail)
  return { key, facts, next: { ...checkpoint, gone: true }, bytes, ids: [id], lengths: [bytes.length] }
}
