import { styleText } from 'node:util'
import * as z from 'zod/mini'
import { printable } from '../condense/printable.ts'
import { dated } from '../condense/render-text.ts'
import { ScrollbackError } from '../errors.ts'
import { type ParseTime, parseQuery } from '../search/query.ts'
import { snippetOf } from '../search/snippet.ts'
import type { SearchHit } from '../store/store.ts'
import { defineCommand, PLATFORM_IDS, type Screen } from './command.ts'
import { field } from './fields.ts'
import { freshStore } from './fresh-store.ts'
import { noteUnreadable } from './load.ts'
import { counted } from './table.ts'
import { parseTime } from './time.ts'

const hitShape = () =>
  z.object({
    session: z.string(),
    project: z.nullable(z.string()),
    who: z.string(),
    at: z.nullable(z.string()),
    snippet: z.string(),
    text: z.nullable(z.string()),
    path: z.string(),
    line: z.number(),
    offset: z.number(),
    score: z.number(),
    platform: z.string(),
    agent: z.string(),
    tool: z.nullable(z.object({ name: z.string(), target: z.nullable(z.string()) })),
    marks: z.array(z.array(z.number())),
    copies: z.array(z.object({ path: z.string(), line: z.number() })),
    goneSince: z.optional(z.string()),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    query: z.string(),
    total: z.number(),
    more: z.boolean(),
    widened: z.boolean(),
    remarks: z.array(z.string()),
    searched: z.object({ messages: z.number(), sessions: z.number() }),
    hits: z.array(hitShape()),
  })

type Answer = z.output<ReturnType<typeof output>>
type Hit = Answer['hits'][number]

const HITS = 20
/** Of one session, unless they are wanted flat. */
const SHOWN = 3

/** The commands' own reader of times, without its faults. */
const timeOf: ParseTime = (text, edge, now) => {
  try {
    return parseTime(text, edge, now)
  } catch {
    return undefined
  }
}

export const search = defineCommand({
  name: 'search',
  summary: 'ranked hits over everything that was said and every tool target',
  details: `Words, "exact phrases", prefix*, one OR other, -not, and filters: project: agent: platform: who:human|agent|tool
before: after: tool: file: session: is:error has:question. Parts of words are searched when whole words are not
enough. A query that begins with a minus is written behind --.`,
  examples: [
    { command: 'scrollback search stock reservation', tells: 'both words, the best hits first' },
    {
      command: `scrollback search '"last teapot" who:human after:7d'`,
      tells: 'a phrase that you said last week',
    },
    { command: 'scrollback search tool:Edit file:auth.ts', tells: 'every edit of a file' },
    { command: 'scrollback search 登录 --json', tells: 'for programs' },
  ],
  input: z.object({
    query: field.texts({ description: 'words, phrases and filters', positional: true }),
    platform: field.choice(PLATFORM_IDS, { description: 'only this agent program', placeholder: 'id' }),
    limit: field.count({ description: `at most n hits (${HITS}); 0 = a thousand`, placeholder: 'n' }),
    flat: field.flag({ description: 'hit by hit, not grouped by session' }),
  }),
  output,
  run(input, context): Answer & { flat: boolean } {
    const text = input.query.join(' ').trim()
    if (text === '')
      throw new ScrollbackError(
        'bad-option',
        'search for what?',
        `Give words: scrollback search stock "last teapot" who:human. See: scrollback search --help`,
      )
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: the store that is searched holds no secrets',
        'Leave --no-redact away; scrollback read --no-redact shows a session as it stands.',
      )
    noteUnreadable(fresh.found, context)
    const query = parseQuery(text, context.now, timeOf)
    for (const remark of query.remarks) context.note(remark)
    if (input.platform) query.filters.platform.push(input.platform)
    const { hits, total, more, widened } = fresh.store.search({
      query,
      roots: fresh.found.roots.map((root) => root.path),
      limit: input.limit === undefined ? HITS : input.limit || 1000,
      now: context.now,
    })
    const { messages, artifacts } = fresh.store.statistics()
    return {
      version: 1,
      query: text,
      total,
      more,
      widened,
      remarks: query.remarks,
      searched: { messages, sessions: artifacts },
      hits: hits.map((hit) => hitJson(hit, snippetOf(said(hit), query))),
      flat: input.flat,
    } as Answer & { flat: boolean }
  },
  *render(answer, screen) {
    const { hits, total, more, widened, searched } = answer
    if (hits.length === 0) {
      yield searched.messages === 0
        ? 'Nothing is indexed: no transcripts were found. scrollback index says where was looked.\n'
        : `Nothing matches ${printable(answer.query)} in ${counted(searched.messages, 'message')} of ${counted(searched.sessions, 'session')}.\nTry fewer words or filters, or the beginning of a word: ${screen.program} search 'sto*'\n`
      return
    }
    for (const [session, group] of groups(hits, answer.flat)) {
      yield header(session, screen)
      for (const hit of group.slice(0, SHOWN)) yield line(hit, screen)
      if (group.length > SHOWN) yield `    + ${counted(group.length - SHOWN, 'more hit')} in this session\n`
      yield `    ${screen.program} read ${session.session.replace(/^agent-/, '').slice(0, 8)}\n\n`
    }
    yield `${more ? `more than ${counted(total, 'match')}` : counted(total, 'match')}`.replace(
      /matchs$/,
      'matches',
    )
    yield `, ${hits.length} shown${hits.length < total ? ' (--limit 0 shows more)' : ''}`
    yield widened ? '; parts of words were searched too, for whole words were few.\n' : '.\n'
  },
  json: ({ flat: _, ...answer }: Answer & { flat?: boolean }) => [`${JSON.stringify(answer, null, 2)}\n`],
})

const said = (hit: SearchHit): string => hit.text ?? hit.tool?.target ?? ''

const hitJson = (hit: SearchHit, { text: snippet, marks }: ReturnType<typeof snippetOf>): Hit => ({
  session: hit.session,
  project: hit.project ?? null,
  who: hit.who,
  at: hit.at === undefined ? null : new Date(hit.at).toISOString(),
  snippet,
  text: hit.text ?? null,
  path: hit.path,
  line: hit.line,
  offset: hit.offset,
  score: hit.score,
  platform: hit.platform,
  agent: hit.agent,
  tool: hit.tool ? { name: hit.tool.name, target: hit.tool.target ?? null } : null,
  marks,
  copies: hit.copies,
  ...(hit.goneMs === undefined ? {} : { goneSince: new Date(hit.goneMs).toISOString() }),
})

/** Hits by session, in the order of the best of each; flat, each stands alone. */
function groups(hits: readonly Hit[], flat: boolean | undefined): [Hit, Hit[]][] {
  if (flat) return hits.map((hit) => [hit, [hit]])
  const found = new Map<string, Hit[]>()
  for (const hit of hits) found.set(hit.path, [...(found.get(hit.path) ?? []), hit])
  return [...found.values()].map((group) => [group[0]!, group])
}

function header(hit: Hit, screen: Screen): string {
  const agent = hit.platform === 'claude-code' ? 'Claude Code' : `OpenClaw ${hit.agent}`
  const gone = hit.goneSince ? ' · file gone' : ''
  const text = `${printable(hit.project ?? '(no project)')} · ${agent} · ${printable(hit.session)}${gone}`
  return `${screen.color ? styleText('bold', text, { validateStream: false }) : text}\n`
}

function line(hit: Hit, screen: Screen): string {
  const when = hit.at === null ? '' : `${dated(Date.parse(hit.at))} `
  const tool = hit.tool ? `${printable(hit.tool.name)} ` : ''
  return `  ${when}${hit.who}: ${tool}${marked(hit, screen)}\n`
}

/** The snippet with its matches in colour; without colours they stand as they are. */
function marked({ snippet, marks }: Hit, screen: Screen): string {
  if (!screen.color) return printable(snippet)
  let text = ''
  let at = 0
  for (const [start = 0, end = 0] of marks) {
    text += printable(snippet.slice(at, start))
    text += styleText(['bold', 'yellow'], printable(snippet.slice(start, end)), { validateStream: false })
    at = end
  }
  return text + printable(snippet.slice(at))
}
