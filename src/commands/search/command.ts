import type { Printed } from '../../render/gate.ts'
import { printable, printableJson } from '../../render/printable.ts'
import type { Screen } from '../../render/screen.ts'
import { renderHeader, renderItems } from '../../render/text.ts'
import { voiceOf } from '../../render/voice.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { SearchHit } from '../../store/search.ts'
import type { StoredMessage, StoredSession } from '../../store/stored.ts'
import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { speakerOf } from '../kit/hit-line.ts'
import { finishSession } from '../kit/read-messages.ts'
import { shortId } from '../kit/session-names.ts'
import { ask, type Found, type HitJson, input, output, queryOf, type SearchInput } from './ask.ts'
import type { OutputsOfOne } from './outputs.ts'
import { groupsOf, textPieces } from './text.ts'

export const search = defineCommand({
  name: 'search',
  summary: 'search messages and tool targets, best matches first',
  details: `In a query:
  login page        both words, in any order
  "login page"      exactly this
  log*              words with this beginning
  login OR signup   either of them
  -test             without this word; -"a phrase", -(a group), -who:tool
  name:value        project: agent: platform: session: branch: tag: tool: file: edited: read:
                    before: after:, who:human|agent|program|tool|error|memory, is:error, is:starred, has:question;
                    in a team store (--store) also device: person:
Capitals and accents do not matter, nor whether Chinese is simplified or traditional, or a name camelCase, snake_case or kebab-case.
Any part of Chinese, Japanese and Korean text is found. Titles of sessions are searched too. If few messages have all words, parts of
words are searched too, and then most of the words. If none has them, unknown words are treated as misspelled. The shell removes quotes, so put the query into single quotes, and -- before words that begin with two minuses.`,
  examples: [
    { command: 'scrollback search postgres backup', description: 'find both words in every project' },
    {
      command: `scrollback search '"round the tax" project:api'`,
      description: 'find a phrase in one project',
    },
    {
      command: 'scrollback search who:human after:7d',
      description: 'list everything you said in the last 7 days',
    },
    {
      command: 'scrollback search file:src/auth.ts --context 2',
      description: 'find who changed a file, with surrounding messages',
    },
    { command: 'scrollback search login --pick', description: 'choose a match and read it' },
    { command: 'scrollback search ECONNREFUSED --raw', description: 'search tool output as well' },
    { command: "scrollback search login --json | jq '.hits[].path'", description: 'for programs' },
  ],
  input,
  output,
  check: (given, context) => void queryOf(given, context),
  needs: 'words',
  run: (given: SearchInput, context: Context): Promise<Found> => ask(given, context),
  isNothing: ({ answer, outputs }) => answer.total === 0 && !outputs?.sums.total,
  render: textPieces,
  json: jsonPieces,
  follow: openHit,
})

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())

/** Yields one hit after another. Hits in tool output are yielded as they are found. */
function* jsonPieces(found: Found): Generator<Printed> {
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
    ...{ total, more, widened, relaxed, remarks: found.query.remarks },
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
const shownText = ({ text, tool }: Pick<StoredMessage, 'text' | 'tool'>): string =>
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

/** How many messages are shown before and after the opened one. */
const AROUND = 8

/** Lets a human open one of the listed hits. Undefined when they decline. */
async function openHit(
  found: Found,
  screen: Screen,
  choose: NonNullable<Context['choose']>,
): Promise<Iterable<string> | undefined> {
  if (!found.pick) return undefined
  const hits = groupsOf(found).flatMap((group) => group.hits)
  if (hits.length === 0) return undefined
  const rows = found.rowsOf(hits)
  const options = hits.map((hit) => {
    const who = speakerOf(hit, hit)
    const room = Math.max(20, screen.columns - who.length - 12)
    return {
      label: printable(`${who}: ${snippetOf(shownText(hit), found.query, room).text}`),
      hint: printable(rows.get(hit.path)?.session.title ?? shortId(hit.session)).slice(0, 60),
    }
  })
  const picked = await choose('Which one? (Esc: none)', options)
  const hit = picked === undefined ? undefined : hits[picked]
  const row = hit && rows.get(hit.path)
  if (!hit || !row) return undefined
  const style = {
    voice: voiceOf('default')!,
    color: screen.color,
    columns: screen.columns,
    lines: false,
    markdown: false,
  }
  const session = finishSession({
    ...row.session,
    ...(row.goneMs === undefined ? {} : { goneMs: row.goneMs }),
  })
  return [
    '\n',
    renderHeader(session, row.project, style),
    renderItems(found.excerpt(hit, AROUND), session, style),
    `\nFrom there on: ${screen.suggest('read', `${printable(shortId(hit.session))}:${hit.line}`)}\n`,
  ]
}
