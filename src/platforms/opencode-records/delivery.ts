import {
  type RecordFacts,
  type RecordKind,
  type RecordOrigin,
  type TableEntry,
  TRANSCRIPT,
} from '../../model/delivery.ts'
import { asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { ANY_BUILD } from './builds.ts'
import { ask } from './database/sessions.ts'
import { STATEMENTS } from './statements.ts'
import { promptIn } from './words.ts'

/** What is collected of OpenCode and its other builds, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: '*#*', ...TRANSCRIPT, content: 'rows' },
    { pattern: 'storage/session/*/*.json', ...TRANSCRIPT, content: 'rows' },
    { pattern: 'sessions/ses_*.jsonl', ...TRANSCRIPT },
    {
      pattern: 'prompt-history.jsonl',
      kind: 'prompt-history',
      priority: 'P1',
      mode: 'incremental',
      content: 'jsonl',
    },
    { pattern: `${ANY_BUILD}*.db`, kind: 'todo', priority: 'P1', mode: 'whole', content: 'rows' },
    { pattern: 'plans/*.md', kind: 'plan', priority: 'P1', mode: 'whole', content: 'markdown' },
    { pattern: '{auth,mcp-auth}.json*', skip: 'keys of your accounts' },
    { pattern: `${ANY_BUILD}.json*`, skip: 'settings, which may contain keys' },
    { pattern: 'log', skip: 'logs that may contain tokens' },
    { pattern: 'telemetry-id', skip: 'identifies your installation' },
    {
      pattern: 'storage/{message,part,session_diff,session_share,project,todo}',
      skip: 'in the lines of a session, or no messages',
    },
    { pattern: '{snapshot,bin,repos,worktree,tool-output}', skip: 'contain no messages' },
    { pattern: '{kv,model}.json', skip: 'state of the terminal' },
  ],
  record,
  rows,
  fileOf,
  // Of a command of the shell, the session has no exclamation mark.
  typedForms: (entry) => [promptIn(entry).replace(/^!/, '')],
}

/** Ids of messages and sessions are unique. A prompt of the history has neither id nor time. */
function record(line: JsonObject, { kind }: RecordOrigin): RecordFacts {
  if (kind === 'prompt-history') return {}
  if (kind === 'todo') return { at: asTime(line.updated), session: asText(line.session) }
  const id = asText(line.id)
  const message = asObject(line.message)
  const type = asText(line.type)
  return {
    id: id && `${type} ${id}`,
    at: asTime(asObject(message?.time)?.created) ?? asTime(line.created),
    cwd: asText(line.directory) ?? asText(asObject(message?.path)?.cwd),
    session: type === 'session' ? id : undefined,
    type: message ? asText(message.role) : type,
  }
}

/** The tasks of each session. */
function rows(_: string, kind: RecordKind, path: string): TableEntry[] {
  if (kind !== 'todo') return []
  return ask(path, ({ database, tables }) =>
    tables.has('todo')
      ? database
          .prepare(STATEMENTS.todos)
          .all()
          .map((row) => ({
            key: `${row.session} ${row.position}`,
            at: asTime(row.updated),
            raw: { ...row },
          }))
      : [],
  )
}

/** Sessions and tasks are unpacked as files of their own, so that no file has the name of a database. */
function fileOf(path: string, kind: RecordKind, session: string | null): string[] | undefined {
  if (kind === 'todo') return ['todo', `${session ?? 'unknown'}.json`]
  return kind === 'transcript' && !path.endsWith('.jsonl')
    ? ['sessions', `${session ?? 'ses_unknown'}.jsonl`]
    : undefined
}
