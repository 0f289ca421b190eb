import * as z from 'zod/mini'
import { type Context, defineCommand, PLATFORM_IDS } from './command.ts'
import { field } from './fields.ts'
import { filters } from './options.ts'
import { ask, type Found } from './search-ask.ts'
import { jsonPieces } from './search-json.ts'
import { openHit } from './search-open.ts'
import { textPieces } from './search-text.ts'

const input = z.object({
  query: field.texts({
    description: 'words, "phrases", name:value filters; see above',
    positional: true,
    words: true,
  }),
  platform: field.choice(PLATFORM_IDS, { description: 'only this agent program', placeholder: 'id' }),
  agent: filters.agent,
  since: field.text({ description: 'said since: 7d, 2026-01-31, yesterday', placeholder: 'time' }),
  until: field.text({ description: 'said before the end of: 2026-01-31, today', placeholder: 'time' }),
  limit: field.count({ description: 'at most n matches (20); 0 = all', placeholder: 'n' }),
  context: field.count({ description: 'n messages before and after each match', placeholder: 'n' }),
  sort: field.choiceOr(['relevance', 'newest'], 'relevance', {
    description: 'relevance or newest first',
    placeholder: 'order',
  }),
  flat: field.flag({ description: 'one line a match, not grouped by session' }),
  pick: field.flag({ description: 'choose one of the matches, and read it in place' }),
  raw: field.flag({ description: 'also what tools gave back: reads the transcripts themselves' }),
})

export type SearchInput = z.output<typeof input>

const placeShape = () => ({ path: z.string(), line: z.number(), offset: z.number() })

const toolShape = () => z.nullable(z.object({ name: z.string(), target: z.nullable(z.string()) }))

const neighbourShape = () =>
  z.object({
    who: z.string(),
    at: z.nullable(z.string()),
    text: z.nullable(z.string()),
    tool: toolShape(),
    line: z.number(),
  })

const hitShape = () =>
  z.object({
    session: z.string(),
    project: z.nullable(z.string()),
    who: z.enum(['human', 'agent', 'program', 'tool', 'error', 'marker', 'memory', 'output']),
    at: z.nullable(z.string()),
    snippet: z.string(),
    text: z.nullable(z.string()),
    ...placeShape(),
    score: z.number(),
    platform: z.string(),
    agent: z.string(),
    tool: toolShape(),
    marks: z.array(z.tuple([z.number(), z.number()])),
    label: z.optional(z.string()),
    offBranch: z.optional(z.boolean()),
    copies: z.optional(z.array(z.object({ path: z.string(), line: z.number() }))),
    goneSince: z.optional(z.string()),
    context: z.optional(z.object({ before: z.array(neighbourShape()), after: z.array(neighbourShape()) })),
    raw: z.optional(z.boolean()),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    query: z.string(),
    total: z.number(),
    more: z.boolean(),
    widened: z.boolean(),
    relaxed: z.boolean(),
    corrections: z.optional(z.array(z.object({ word: z.string(), instead: z.string() }))),
    corrected: z.optional(z.boolean()),
    remarks: z.array(z.string()),
    searched: z.optional(z.object({ sessions: z.number(), messages: z.number(), calls: z.number() })),
    hits: z.array(hitShape()),
    outputs: z.optional(
      z.object({ total: z.number(), sessions: z.number(), files: z.number(), bytes: z.number() }),
    ),
  })

export type HitJson = z.output<ReturnType<typeof hitShape>>

export const search = defineCommand({
  name: 'search',
  summary: 'ranked matches in everything said, and in what tools were used on',
  details: `In a query:
  login page        both words, in any order
  "login page"      exactly this
  log*              words that begin so
  login OR signup   one of the two
  -test             without this word; -"a phrase", -(a group), -who:tool
  name:value        project: agent: platform: session: branch: tool: file: before: after:,
                    who:human|agent|program|tool|error|memory, is:error, has:question
Capitals and accents do not matter, nor whether Chinese is simplified or traditional, or a name camelCase, snake_case or kebab-case.
Of Chinese, Japanese and Korean any part is found. Titles of sessions are searched too. Where few messages have all words, parts of
words are searched too, and then most of the words; where none has them, words that are nowhere are taken for slips. The shell eats quotes: put the query into single ones, and -- before words that begin with two minuses.`,
  examples: [
    { command: 'scrollback search postgres backup', tells: 'both words, every project' },
    { command: `scrollback search '"round the tax" project:api'`, tells: 'a phrase, in one project' },
    { command: 'scrollback search who:human after:7d', tells: 'all you said in a week, without words' },
    {
      command: 'scrollback search file:src/auth.ts --context 2',
      tells: 'who touched a file, and what was said around it',
    },
    { command: 'scrollback search login --pick', tells: 'choose a match and read it' },
    { command: 'scrollback search ECONNREFUSED --raw', tells: 'also in what tools gave back' },
    { command: "scrollback search login --json | jq '.hits[].path'", tells: 'for programs' },
  ],
  input,
  output,
  run: (given: SearchInput, context: Context): Promise<Found> => ask(given, context),
  render: textPieces,
  json: jsonPieces,
  follow: openHit,
})
