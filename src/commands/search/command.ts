import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { spanAmong } from '../../context/time.ts'
import { type Screen, shownLine } from '../../render/terminal.ts'
import { finishSession, renderHeader, renderItems, voiceOf } from '../../render/text.ts'
import { snippetOf } from '../../search/snippet.ts'
import { speakerOf } from '../hit-line.ts'
import { groupsOf, jsonPieces, shownText, textPieces } from './answer.ts'
import { ask, type Found, input, output, queryOf, type SearchInput } from './ask.ts'

export const search = defineCommand({
  name: 'search',
  summary: 'search messages and tool targets, best matches first',
  details: `In a query:
  login page        both words, in any order
  "login page"      exactly this
  log*              words with this beginning
  login OR signup   either of them
  -test             without this word; -"a phrase", -(a group), -who:tool
  name:value        project: agent: platform: session: branch: tag: kind:
                    model: tool: file: edited: read: before: after:
                    who:human|agent|program|tool|error|memory
                    is:error is:starred has:question
                    with a team store (--store) also device: person:
Ignores capitals, accents, and whether Chinese is simplified or traditional, or a name camelCase, snake_case or kebab-case. \
Finds any part of Chinese, Japanese and Korean text, and titles of sessions. If few messages contain all words, it also \
searches for parts of words, and then for most of the words. If none does, it treats unknown words as misspelled. \
The shell removes quotes: put the query into single quotes, and -- before words that begin with two minuses.`,
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
      command: 'scrollback search file:src/pay.js --context 2',
      description: 'find who changed a file, with surrounding messages',
    },
    { command: 'scrollback search stock --pick', description: 'choose a match and read it' },
    { command: 'scrollback search order_lines --raw', description: 'search tool output as well' },
    { command: "scrollback search stock --json | jq '.hits[].path'", description: 'for programs' },
  ],
  input,
  output,
  onlyRedacted: {
    because: 'the store contains no secrets',
    instead: 'Search without it, and read the session that you find with --no-redact.',
  },
  check: (given, context) => void queryOf(given, context),
  needs: 'words',
  run(given: SearchInput, context: Context): Promise<Found> {
    if (given.pick && !context.choose)
      context.note('--pick: only a terminal offers the matches to choose from.')
    noteTime(given, context)
    return ask(given, context)
  },
  isNothing: ({ answer, outputs }) => answer.total === 0 && !outputs?.sums.total,
  render: textPieces,
  json: jsonPieces,
  follow: openHit,
})

/** Words of a query stay words. A time of two words beside others was probably meant as one. */
function noteTime({ query, since, until }: SearchInput, { note, suggest }: Context): void {
  const words = query.join(' ').split(/\s+/)
  const time = words.some((word) => word.includes('"')) ? undefined : spanAmong(words)
  if (!time || !/ |yesterday/i.test(time.span) || time.others.length === 0) return
  if (since !== undefined || until !== undefined) return
  const flags = [`--since=${time.span}`, `--until=${time.span}`] as const
  note(`“${time.span}” is searched as words. As a time: ${suggest.again({ flags, arguments: time.others })}`)
}

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
      label: shownLine(`${who}: ${snippetOf(shownText(hit), found.query, room).text}`),
      hint: shownLine(rows.get(hit.path)?.session.title ?? screen.suggest.id(hit.session)).slice(0, 60),
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
    `\nFrom there on: ${screen.suggest('read', [`${screen.suggest.id(hit.session)}:${hit.line}`])}\n`,
  ]
}
