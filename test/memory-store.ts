import type { Session } from '../src/model/session.ts'
import type { Increment, Known, MessageRow, Store, StoredMessage, Written } from '../src/store/store.ts'

interface Shelf {
  known: Known
  session: Session
  state: Uint8Array
  /** By line and order. */
  rows: Map<string, { row: MessageRow; prompt: boolean }>
  left: Set<string>
}

const NOT_HERE = (): never => {
  throw new Error('not part of this store')
}

const placeOf = (line: number, order: number): string => `${line}.${order}`

/**
 * A store without an engine, for tests that write hundreds of thousands of times: plain maps, which hold what the contract of
 * `Store` says in the plainest way. The tests of cuts hold it to what the engine does: short files go through both.
 */
export function createMemoryStore(): Store {
  const shelves = new Map<string, Shelf>()
  let files = 0

  function writeOne({ increment, state }: Written): string[] {
    const { artifact, base, checkpoint, session } = increment
    const { path } = artifact
    const before = shelves.get(path)
    if (before?.known.revision !== base?.revision) return [path]
    const known = {
      id: before?.known.id ?? ++files,
      revision: (base?.revision ?? 0) + 1,
      artifact,
      checkpoint,
    }
    const rows = increment.fresh || !before ? new Map() : before.rows
    tell(rows, increment)
    const left = new Set<string>()
    for (let at = 0; at < increment.left.length; at += 2)
      left.add(placeOf(increment.left[at]!, increment.left[at + 1]!))
    shelves.set(path, { known, session: session!, state, rows, left })
    return []
  }

  /** What is told anew goes, and so does everything that was said to the agent: it comes whole each time. */
  function tell(rows: Shelf['rows'], { fromLine, messages, prompts }: Increment): void {
    for (const [place, { row, prompt }] of rows)
      if (row[5] >= fromLine || (prompt && prompts)) rows.delete(place)
    for (const row of messages) rows.set(placeOf(row[5], row[8]), { row, prompt: false })
    for (const row of prompts ?? []) rows.set(placeOf(row[5], row[8]), { row, prompt: true })
  }

  return {
    place: 'memory',
    readOnly: false,
    isThere: () => true,
    checkPages: () => {},
    othersWrote: () => 0,
    unlinked: () => [],
    links: () => undefined,
    linked: () => {},
    known: () => new Map([...shelves].map(([path, { known }]) => [path, known])),
    state: (id) => [...shelves.values()].find(({ known }) => known.id === id)?.state,
    write: (batch) => batch.flatMap(writeOne),
    sessions: () => [...shelves.values()].map(({ session }) => ({ session })),
    placed: () => [...shelves.values()].map(({ session }, id) => ({ id, session })),
    messages(path) {
      const shelf = shelves.get(path)
      if (!shelf) return []
      return [...shelf.rows.values()]
        .map(({ row }) => storedMessage(row, shelf.left.has(placeOf(row[5], row[8]))))
        .sort((a, b) => a.line - b.line || a.order - b.order)
    },
    asWriter: (work) => work(),
    close: () => {},
    settled: () => undefined,
    settle: () => {},
    markGone: NOT_HERE,
    forget: NOT_HERE,
    holds: NOT_HERE,
    countMessages: NOT_HERE,
    documents: NOT_HERE,
    documentText: NOT_HERE,
    searchable: NOT_HERE,
    assignProjects: NOT_HERE,
    search: NOT_HERE,
    searchInSteps: NOT_HERE,
    statistics: NOT_HERE,
    figures: NOT_HERE,
    minutes: NOT_HERE,
  }
}

function storedMessage(row: MessageRow, offBranch: boolean): StoredMessage {
  const [who, at, text, tool, target, line, offset, length, order, , , more] = row
  return {
    message: 0,
    who,
    at: at ?? undefined,
    text: text ?? undefined,
    ...(tool === null ? {} : { tool: { name: tool, target: target ?? undefined } }),
    ...{ line, offset, length, order, ...more },
    ...(offBranch ? { offBranch } : {}),
  }
}
