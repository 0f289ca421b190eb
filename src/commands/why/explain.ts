import type { FreshStore } from '../../context/context.ts'
import type { Who } from '../../model/session.ts'
import type { SearchHit } from '../../store/search.ts'
import type { StoredMessage } from '../../store/stored.ts'
import type { FileChange } from './changes-of.ts'
import { isOf, type TranscriptEdits } from './transcript-edits.ts'

/** A message that explains a change. */
export interface Statement {
  who: Who
  at?: number
  text: string
  line: number
}

/** A change of a file, and what led to it. */
export interface ExplainedChange extends FileChange {
  /** The person's sentence before it, or what a clock sent since. For a subagent, its task. */
  asked: Statement | undefined
  /** What the agent said last before it. */
  reason: Statement | undefined
  /** The subject of the commit that the session made next, if it did. */
  committed: string | undefined
  /** No result of the call is recorded. */
  unfinished: boolean
}

/** Messages before a change, and then all that follow the last prompt of a person; and messages after it. */
const BEFORE = [30, 400]
const AFTER = 200
/** Labels of prompts that a clock sends, without a person: what follows is not an answer to what one said. */
const CLOCKS: ReadonlySet<string> = new Set(['cron', 'heartbeat', 'reminder', 'scheduled task', 'wakeup'])
const COMMIT = /\bgit\b[^\n|;&]{0,200}?\bcommit\b(?:[^\n]*?(?:-m|--message)[= ]?(["'])(?<subject>[^\n]*?)\1)?/

/** What led to a change. Undefined if the call failed, or a person declined it. */
export function explain(
  { hit, file }: FileChange,
  edits: TranscriptEdits,
  { store }: FreshStore,
): ExplainedChange | undefined {
  const later = around(hit, store, { before: 0, count: AFTER })
  const made = edits.of(hit.path)?.get(hit.line)
  const own = made?.filter((edit) => isOf(edit, file))
  if (own ? own.length === 0 : hasFailed(hit, later)) return undefined
  let before: StoredMessage[] = []
  for (const count of BEFORE) {
    before = around(hit, store, { before: count, count: hit.order + 1 })
    if (before.some(isAsking)) break
  }
  const at = before.findIndex(({ message }) => message === hit.message)
  const earlier = at < 0 ? before : before.slice(0, at)
  const prompt =
    earlier.findLast((each) => each.text && isAsking(each)) ??
    earlier.find(({ who, text }) => who === 'program' && text)
  const since = prompt ? earlier.slice(earlier.indexOf(prompt) + 1) : earlier
  const reason = since.findLast(({ who, text }) => who === 'agent' && text)
  const commit = later.map(({ tool }) => COMMIT.exec(tool?.target ?? '')).find((match) => match !== null)
  return {
    hit,
    file,
    asked: prompt && statementOf(prompt),
    reason: reason && statementOf(reason),
    committed: commit && (commit.groups?.subject ?? commit[0]),
    unfinished: own?.every((edit) => edit.unfinished) === true,
  }
}

const isAsking = ({ who, label }: StoredMessage): boolean =>
  who === 'human' || (who === 'program' && CLOCKS.has(label?.split(',')[0] ?? ''))

/** Whether an error follows a call, or that a person declined it, before the next call on the same file. */
function hasFailed({ message, tool }: SearchHit, later: readonly StoredMessage[]): boolean {
  const isOfSame = (each: StoredMessage): boolean =>
    (each.marker === 'denial' && each.text === tool?.name) ||
    (each.tool?.name === tool?.name && (each.tool?.target ?? tool?.target) === tool?.target)
  const next = later.slice(later.findIndex((each) => each.message === message) + 1).find(isOfSame)
  return next?.who === 'error' || next?.marker === 'denial'
}

const around = (
  { path, line }: SearchHit,
  store: FreshStore['store'],
  { before, count }: { before: number; count: number },
): StoredMessage[] => store.messages(path, { line, count, before }, { usage: false })

const statementOf = ({ who, at, text = '', line }: StoredMessage): Statement => ({
  who,
  line,
  text,
  ...(at === undefined ? {} : { at }),
})
