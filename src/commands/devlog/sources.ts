import type { Coverage } from '../../devlog/evidence.ts'
import { type Selected, select } from '../../devlog/select.ts'
import type { SourceSession } from '../../devlog/turns.ts'
import { ScrollbackError } from '../../errors.ts'
import { recordKey } from '../../model/item-key.ts'
import type { Item, Session } from '../../model/session.ts'
import { counted } from '../../render/counted.ts'
import type { Screen } from '../../render/screen.ts'
import type { Context } from '../kit/context.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { confirm } from './confirm.ts'
import type { DevlogInput } from './input.ts'
import { selectionTable } from './selection-text.ts'

/** The sessions of a devlog with their items, and the decision about every session that was looked at. */
export interface Sources {
  rows: Selected[]
  sources: SourceSession[]
  coverage: Coverage
  loaded: Candidates['loaded']
}

/** The requested time in ms, and whether sessions are chosen by time alone. */
export interface Span {
  since: number
  until: number
  routine: boolean
}

/** The width of the table if that of the terminal is unknown. */
const WIDE = 120

/** Selects the sessions, asks if there is somebody to ask, and reads their items. */
export async function loadSources(given: DevlogInput, span: Span, context: Context): Promise<Sources> {
  const found = await findCandidates(given, span.routine, context)
  const proposed = select(found.candidates, span)
  const fitting = proposed.filter(({ isIn }) => isIn)
  const ids = given.sessions
    ?.split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  const rows = ids
    ? select(found.candidates, { ...span, ids })
    : given.yes || span.routine
      ? proposed
      : await confirmed(proposed, context)
  refuseUnknown(ids, rows, given, context)
  const used = rows.filter(({ isIn }) => isIn)
  if (used.length === 0 && !span.routine) throw nothingUsed(rows, found, context)
  return { rows, loaded: found.loaded, ...read(used, fitting, rows.length, found, span) }
}

async function confirmed(rows: Selected[], context: Context): Promise<Selected[]> {
  // With nothing to choose from, the answer says so.
  if (!rows.some(({ isIn }) => isIn) && !context.choose) return rows
  const changed = context.choose && (await confirm(rows, context.choose))
  if (changed) return changed
  const { columns = WIDE, environment } = context
  const screen = { columns, color: false, terminal: false, home: environment.home } as Screen
  const again = context.suggest.again({ flags: ['--yes'] })
  throw new ScrollbackError(
    'bad-option',
    `Confirm the sessions of the devlog:\n${[...selectionTable(rows, screen)].join('').trimEnd()}`,
    `Use the sessions marked ✓: ${again}\nOr name others: --sessions <id>,<id>`,
  )
}

function refuseUnknown(
  ids: readonly string[] | undefined,
  rows: readonly Selected[],
  { project }: DevlogInput,
  context: Context,
): void {
  const unknown = ids?.filter(
    (id) => !rows.some(({ session }) => session.id.startsWith(id) || session.id.startsWith(`agent-${id}`)),
  )
  if (!unknown || unknown.length === 0) return
  throw new ScrollbackError(
    'no-session',
    `--sessions: no session of the project begins with ${unknown.join(', ')}`,
    `See its sessions: ${project === undefined ? context.suggest('sessions', '--all') : context.suggest('sessions', project)}`,
  )
}

function nothingUsed(rows: readonly Selected[], { loaded }: Candidates, context: Context): ScrollbackError {
  const why = new Map<string, number>()
  for (const row of rows) why.set(row.why, (why.get(row.why) ?? 0) + 1)
  const reasons = [...why].map(([reason, count]) => `  ${count} ${reason}`)
  const folders = loaded.roots.map(({ path, found }) => `  ${found ? '✓' : '✗'} ${path}`)
  return new ScrollbackError(
    'nothing-found',
    [
      `No session fits. Scanned ${counted(loaded.artifacts.length, 'transcript')} in:`,
      ...folders,
      ...(reasons.length > 0 ? [`Sessions of the project that are out:`, ...reasons] : []),
    ].join('\n'),
    `Change --since, --until or --topic. See all sessions: ${context.suggest('sessions', '--all')}`,
  )
}

const sizeOf = ({ human, agentMessages, toolCalls, errors }: Session): number =>
  human + agentMessages + toolCalls + errors

function read(
  used: readonly Selected[],
  fitting: readonly Selected[],
  seen: number,
  { nameOf, itemsOf }: Candidates,
  span: Span,
): Pick<Sources, 'sources' | 'coverage'> {
  const known = new Set<string>()
  const items = { read: 0, there: 0 }
  let duplicates = 0
  const sources = used.flatMap(({ session, main }): SourceSession[] => {
    const all = itemsOf(session)
    const inTime = within(all, session, span)
    const keys = inTime.map(duplicateKey)
    const own = inTime.filter((_, index) => !known.has(keys[index] ?? ''))
    for (const key of keys) if (key !== undefined) known.add(key)
    duplicates += inTime.length - own.length
    items.there += all.length
    items.read += inTime.length
    return own.length > 0 || inTime.length === 0
      ? [{ session, main, items: own, project: nameOf(session) }]
      : []
  })
  const usedPaths = new Set(used.map(({ session }) => session.path))
  for (const { session } of fitting) if (!usedPaths.has(session.path)) items.there += sizeOf(session)
  return {
    sources,
    coverage: {
      sessions: { used: used.length, fitting: Math.max(fitting.length, used.length), seen },
      ...{ items, duplicates },
    },
  }
}

/** Items without a time belong to the time of the item before them. */
function within(items: readonly Item[], session: Session, { since, until }: Span): readonly Item[] {
  if ((session.startedMs ?? since) >= since && (session.lastActivityMs ?? until) <= until) return items
  let last = session.startedMs ?? session.modifiedMs
  return items.filter(({ at }) => {
    last = at ?? last
    return last >= since && last <= until
  })
}

/** Forks begin with the records of another session. */
function duplicateKey(item: Item): string | undefined {
  const record = item.record ?? recordKey(item)
  return record === undefined || record < 0
    ? undefined
    : `${record} ${item.who} ${item.text?.length ?? 0} ${item.tool?.target?.length ?? 0} ${item.callId ?? ''}`
}
