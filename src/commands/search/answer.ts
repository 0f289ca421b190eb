import * as z from 'zod/mini'
import { platformIds } from '../../platforms/identities.ts'
import { filters } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'
import { incompleteShape } from '../kit/scanned.ts'

export const input = z.object({
  query: field.texts({
    description: 'words, "phrases", name:value filters; see above',
    positional: true,
    words: true,
  }),
  platform: field.choice(platformIds(), { description: 'only this agent program', placeholder: 'id' }),
  agent: filters.agent,
  tag: filters.tag,
  since: field.time('since', { description: 'only since: 7d, 2026-01-31, yesterday' }),
  until: field.time('until', { description: 'only until the end of: 2026-01-31, today' }),
  limit: field.count({ description: 'at most n matches (20); 0 = all', placeholder: 'n' }),
  context: field.count({
    description: 'also print n messages before and after each match',
    placeholder: 'n',
  }),
  sort: field.choiceOr(['relevance', 'newest'], 'relevance', {
    description: 'relevance or newest first',
    placeholder: 'order',
  }),
  flat: field.flag({ description: 'print one line per match, not grouped by session' }),
  pick: field.flag({ description: 'choose a match and read it' }),
  raw: field.flag({ description: 'also search tool output, which reads the transcripts themselves' }),
})

export type SearchInput = z.output<typeof input>

const positionShape = () => ({ path: z.string(), line: z.number(), offset: z.number() })

const toolShape = () => z.nullable(z.object({ name: z.string(), target: z.nullable(z.string()) }))

const neighborShape = () =>
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
    ...positionShape(),
    score: z.number(),
    platform: z.string(),
    agent: z.string(),
    tool: toolShape(),
    marks: z.array(z.tuple([z.number(), z.number()])),
    label: z.optional(z.string()),
    offBranch: z.optional(z.boolean()),
    copies: z.optional(z.array(z.object({ path: z.string(), line: z.number() }))),
    goneSince: z.optional(z.string()),
    context: z.optional(z.object({ before: z.array(neighborShape()), after: z.array(neighborShape()) })),
    raw: z.optional(z.boolean()),
    /** The title of the session, and the name that the user gave it. */
    title: z.optional(z.string()),
    name: z.optional(z.string()),
  })

export const output = () =>
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
    incomplete: z.optional(incompleteShape()),
    searched: z.optional(z.object({ sessions: z.number(), messages: z.number(), calls: z.number() })),
    hits: z.array(hitShape()),
    outputs: z.optional(
      z.object({ total: z.number(), sessions: z.number(), files: z.number(), bytes: z.number() }),
    ),
  })

export type HitJson = z.output<ReturnType<typeof hitShape>>
