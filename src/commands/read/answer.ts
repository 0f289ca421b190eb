import * as z from 'zod/mini'
import { filters, identities } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'
import type { LeftOut, Piece } from '../kit/pieces.ts'
import { type RunJson, runShape } from '../kit/runs.ts'
import { itemShape, sessionShape } from '../kit/session-json.ts'

const FORMATS = ['text', 'md', 'json', 'jsonl'] as const

export const input = z.object({
  target: field.texts({
    description: 'session, file, <either>:<line>, project, agent, latest, or <project>:latest',
    positional: true,
  }),
  ...filters,
  format: field.choiceOr(FORMATS, 'text', { description: 'text, md, json or jsonl', placeholder: 'format' }),
  voice: field.textOr('default', {
    description: 'names of the speakers: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  around: field.count({
    description: 'also print n entries before and after the line, or each match of --grep',
    placeholder: 'n',
  }),
  last: field.count({ description: 'only the last n entries of each session', placeholder: 'n' }),
  grep: field.text({ description: 'only entries with these words', placeholder: 'words' }),
  editor: field.flag({ description: 'open the transcript in $EDITOR, at the line' }),
  fold: field.flag({ description: 'fold consecutive calls of the same tool into one line' }),
  budget: field.text({
    description: 'fit into this many tokens, such as 20k; messages first',
    placeholder: 'tokens',
  }),
  mentioned: field.flag({ description: 'also sessions that only mention the name early on' }),
  full: field.flag({ description: 'include thinking, tool input and tool output' }),
  lines: field.flag({ description: 'print file:line of each item' }),
  subagents: field.flag({ description: 'print subagents where they were started' }),
  ...identities,
})

export type Input = z.output<typeof input>

export const output = () =>
  z.object({
    version: z.literal(1),
    items: z.array(itemShape()),
    sessions: z.array(sessionShape()),
    omitted: z.object({
      tools: z.number(),
      messages: z.number(),
      characters: z.number(),
      places: z.array(z.object({ path: z.string(), line: z.number(), what: z.string() })),
      repeated: z.number(),
      subagents: z.number(),
    }),
    /** Only with `--subagents`. */
    runs: z.optional(z.array(runShape())),
  })

/** An answer that is created lazily while it is written, because it may be larger than memory. */
export interface Reading {
  format: Input['format']
  /** Can be consumed once. */
  pieces(format: Input['format'], look: { color: boolean; columns?: number }): Generator<Piece>
  omitted: LeftOut
  /** Set when the pieces are written: there was none. */
  isNothing?: boolean
  /** The subagents that are inserted among the items. */
  runs?: RunJson[]
}
