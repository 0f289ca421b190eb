import { readSession } from '../../collect/read/read-session.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item, Session } from '../../model/session.ts'
import { counted } from '../../render/table.ts'
import type { Messages } from '../../store/store.ts'
import { faultOf } from '../kit/index-job.ts'

const NAMED = 3

/** Reads a file again and compares it with the store, row by row. Returns the differences in words. */
export function compareWithFile(store: Messages, artifact: Artifact, stored: Session): string[] {
  let read: { session: Session; items: Item[] }
  try {
    read = readSession(artifact)
  } catch (error) {
    return [faultOf(error)]
  }
  const problems: string[] = []
  const rows = new Map<string, Item>(store.messages(artifact.path).map((each) => [positionKey(each), each]))
  const missing: number[] = []
  const different: number[] = []
  for (const item of read.items) {
    const row = rows.get(positionKey(item))
    if (row === undefined) missing.push(item.line)
    else if (comparable(row) !== comparable(item) || !isAsComplete(row, item)) different.push(item.line)
    rows.delete(positionKey(item))
  }
  if (missing.length > 0)
    problems.push(`not stored: ${counted(missing.length, 'message')} at ${lines(missing)}`)
  if (different.length > 0)
    problems.push(`stored differently: ${counted(different.length, 'message')} at ${lines(different)}`)
  if (rows.size > 0) problems.push(`not in the file, but stored: ${counted(rows.size, 'message')}`)
  const fields = differing(stored, read.session).filter(
    (name) => stored.cut === undefined || !EXTENDED.includes(name as keyof Session),
  )
  if (fields.length > 0) problems.push(`its index row differs: ${fields.join(', ')}`)
  return problems
}

const positionKey = ({ line, order }: Item): string => `${line}.${order}`

const lines = (all: readonly number[]): string =>
  `line ${all.slice(0, NAMED).join(', ')}${all.length > NAMED ? ', …' : ''}`

const comparable = (item: Item): string => {
  const { who, at, text, tool, line, offset, length, label, marker, sure, media, offBranch } = item
  return JSON.stringify({
    ...{ who, at, text, name: tool?.name, target: tool?.target, line, offset, length },
    ...{ label, marker, sure, media, offBranch },
  })
}

/** A copy in another file may have the end of a reply that this one lacks. */
const isAsComplete = (row: Item, item: Item): boolean =>
  (item.stopReason === undefined || row.stopReason === item.stopReason) &&
  (row.usage?.output ?? 0) >= (item.usage?.output ?? 0)

/**
 * Fields that also depend on the path of a file or on its neighbors. They may differ from what the file alone
 * yields.
 */
const FROM_ELSEWHERE: readonly (keyof Session)[] = [
  ...([
    'title',
    'state',
    'kind',
    'sessionKey',
    'entry',
    'parentSessionId',
    'bytes',
    'modifiedMs',
    'path',
  ] as const),
]

/** Fields that also count what the client has cut off the file, which the store keeps. */
const EXTENDED: readonly (keyof Session)[] = [
  ...(['human', 'agentMessages', 'toolCalls', 'errors', 'possibleErrors', 'cut'] as const),
  ...(['firstHuman', 'lastHuman', 'startedMs', 'lastActivityMs', 'usage', 'recorded'] as const),
]

function differing(stored: Session, read: Session): string[] {
  const plain = JSON.parse(JSON.stringify(read)) as Record<string, unknown>
  const rows = stored as unknown as Record<string, unknown>
  const names = new Set([...Object.keys(rows), ...Object.keys(plain)])
  return [...names].filter(
    (name) =>
      !FROM_ELSEWHERE.includes(name as keyof Session) &&
      JSON.stringify(rows[name]) !== JSON.stringify(plain[name]),
  )
}
