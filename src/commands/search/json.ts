import type { Printed } from '../../render/gate.ts'
import { printableJson } from '../../render/printable.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { SearchHit } from '../../store/search.ts'
import type { StoredMessage, StoredSession } from '../../store/stored.ts'
import { finishSession } from '../kit/read-messages.ts'
import type { Found, HitJson } from './ask.ts'
import type { OutputsOfOne } from './outputs.ts'

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())

/** Yields one hit after another. Hits in tool output are yielded as they are found. */
export function* jsonPieces(found: Found): Generator<Printed> {
  const { query, limit, outputs } = found
  const head = { version: 1, query: query.text, ...headOf(found) }
  yield `${printableJson(JSON.stringify(head, null, 2)).slice(0, -2)},\n  "hits": [`
  let first = true
  const piece = (hit: HitJson): string => {
    const text = `${first ? '' : ','}\n    ${printableJson(JSON.stringify(hit))}`
    first = false
    return text
  }
  for (const hit of hitsOf(found)) yield piece(hit)
  if (outputs) {
    let left = limit
    for (const one of outputs.found(limit)) {
      const hits = outputHits(one, found).slice(0, left)
      left -= hits.length
      // Bytes are written immediately.
      yield Buffer.from(hits.map(piece).join(''))
    }
  }
  yield first ? ']' : '\n  ]'
  yield outputs ? `,\n  "outputs": ${JSON.stringify(outputs.sums)}\n}\n` : '\n}\n'
}

/** What applies to all matches. */
export function headOf(found: Found) {
  const { total, more, widened, relaxed = false, corrected = false, corrections = [] } = found.answer
  return {
    total,
    more,
    widened,
    relaxed,
    remarks: found.query.remarks,
    ...(found.incomplete && { incomplete: found.incomplete }),
    ...(corrections.length > 0 ? { corrections, corrected } : {}),
    // Distinguishes no matches from nothing to search.
    ...(total === 0 ? { searched: found.searched() } : {}),
  }
}

/** The shown matches, without those in tool output. Loaded lazily. */
export function hitsOf(found: Found): IteratorObject<HitJson> {
  const titles = new Map<string, Titled>()
  const titled = (hit: SearchHit): Titled => {
    let known = titles.get(hit.path)
    if (!known) {
      known = titleOf(found.rowsOf([hit]).get(hit.path), found)
      titles.set(hit.path, known)
    }
    return known
  }
  return Iterator.from(found.answer.hits)
    .take(found.limit)
    .map((hit) => ({ ...storedHit(hit, found), ...titled(hit) }))
}

type Titled = Pick<HitJson, 'title' | 'name'>

/** The title of a session, and the name that the user gave it. */
function titleOf(row: StoredSession | undefined, found: Found): Titled {
  if (!row) return {}
  const { id, title, subagent } = finishSession(row.session)
  const shown = title ?? subagent?.description
  const name = found.ownName(id)
  return { ...(shown === undefined ? {} : { title: shown }), ...(name === undefined ? {} : { name }) }
}

function storedHit(hit: SearchHit, found: Found): HitJson {
  const snippet = snippetOf(shownText(hit), found.query)
  const around = found.around?.(hit)
  return {
    session: hit.session,
    project: hit.project ?? null,
    who: hit.who,
    at: iso(hit.at),
    snippet: snippet.text,
    text: hit.text || null,
    path: hit.path,
    line: hit.line,
    offset: hit.offset,
    score: hit.score,
    platform: hit.platform,
    agent: hit.agent,
    tool: toolOf(hit),
    marks: snippet.marks,
    ...(hit.label === undefined ? {} : { label: hit.label }),
    ...(hit.offBranch ? { offBranch: true } : {}),
    ...(hit.copies.length === 0 ? {} : { copies: hit.copies }),
    ...(hit.goneMs === undefined ? {} : { goneSince: iso(hit.goneMs)! }),
    ...(around
      ? { context: { before: around.before.map(neighbor), after: around.after.map(neighbor) } }
      : {}),
  }
}

const neighbor = (message: StoredMessage): NonNullable<HitJson['context']>['before'][number] => ({
  who: message.who,
  at: iso(message.at),
  text: message.text || null,
  tool: toolOf(message),
  line: message.line,
})

const toolOf = ({ tool }: Pick<StoredMessage, 'tool'>): HitJson['tool'] =>
  tool ? { name: tool.name, target: tool.target ?? null } : null

/** The text that represents a match: the message, or the target of a tool call. */
export const shownText = ({ text, tool }: Pick<StoredMessage, 'text' | 'tool'>): string =>
  text || tool?.target || tool?.name || ''

const outputHits = ({ artifact, stored, hits }: OutputsOfOne, found: Found): HitJson[] =>
  hits.map(({ line, offset, at, tool, snippet }) => ({
    session: artifact.sessionId,
    project: stored?.project ?? null,
    who: 'output',
    at: iso(at),
    snippet: snippet?.text ?? '',
    text: null,
    path: artifact.path,
    line,
    offset,
    score: 0,
    platform: artifact.platform,
    agent: artifact.agent,
    tool: toolOf({ tool }),
    marks: snippet?.marks ?? [],
    raw: true,
    ...titleOf(stored, found),
  }))
