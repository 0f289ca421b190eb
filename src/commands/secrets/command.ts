import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { secretKinds } from '../../redact/all-rules.ts'
import { printableJson } from '../../render/printable.ts'
import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { filters } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'
import { type FoundSecret, filesOf, findSecretsIn } from './find.ts'
import { secretPieces } from './text.ts'
import { type ShownSecrets, totalsOf } from './totals.ts'

const secretShape = () =>
  z.object({
    kind: z.string(),
    tag: z.string(),
    places: z.number(),
    sessions: z.number(),
    firstAt: z.nullable(z.string()),
    lastAt: z.nullable(z.string()),
    at: z.array(
      z.object({
        ...{ path: z.string(), line: z.number(), offset: z.number() },
        /** What kind of file it is. Only a transcript can be read as a session. */
        source: z.enum(['transcript', 'prompt-history', 'memory']),
      }),
    ),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    totals: z.object({
      secrets: z.number(),
      places: z.number(),
      kinds: z.record(z.string(), z.number()),
      files: z.number(),
      lines: z.number(),
      bytes: z.number(),
    }),
    secrets: z.array(secretShape()),
  })

const input = z.object({
  project: field.text({ description: 'project, agent or session; part of a name or path', positional: true }),
  platform: filters.platform,
  agent: filters.agent,
  all: field.flag({ description: 'every file: transcripts, prompt history, memory' }),
  since: filters.since,
  until: filters.until,
  kind: field.text({
    description: 'only these kinds of secret, or parts of their names',
    placeholder: 'kinds',
  }),
  places: field.flag({ description: 'every file and line' }),
  limit: filters.limit,
})

export const secrets = defineCommand({
  name: 'secrets',
  summary: 'find keys and passwords in transcripts: kind, file and line, never the value',
  details:
    'Reads the files themselves, because the store and all output are redacted. The same secret is one row: first and last use show what ' +
    'to rotate.',
  examples: [
    { command: 'scrollback secrets --all', tells: 'find every secret that was ever pasted or printed' },
    { command: 'scrollback secrets eastore --places', tells: 'list every file and line, in one project' },
    { command: 'scrollback secrets --all --kind github,aws', tells: 'find only these kinds' },
    { command: "scrollback secrets --all --json | jq '.totals.kinds'", tells: 'for programs' },
  ],
  input,
  output,
  async run({ kind, limit, places, ...wanted }, context: Context): Promise<ShownSecrets> {
    const kinds = kind === undefined ? [] : kindsNamed(kind)
    const found = findSecretsIn(await filesOf(wanted, context), kinds, context)
    return { ...found, limit: limit || Number.POSITIVE_INFINITY, listPositions: places }
  },
  render: secretPieces,
  /** One row after another, because there may be very many. */
  *json(answer) {
    yield `${printableJson(JSON.stringify({ version: 1, totals: totalsOf(answer) }, null, 2)).slice(0, -2)},\n  "secrets": [`
    let first = true
    for (const secret of answer.secrets.slice(0, answer.limit)) {
      yield `${first ? '' : ','}\n${printableJson(JSON.stringify(secretJson(secret), null, 2)).replace(/^/gm, '    ')}`
      first = false
    }
    yield first ? ']\n}\n' : '\n  ]\n}\n'
  },
})

/** Kinds whose names contain one of the given words, which are separated by commas. */
function kindsNamed(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  const unknown = words.find((word) => word === '' || !secretKinds.some((kind) => kind.includes(word)))
  if (unknown !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `--kind: unknown kind of secret "${unknown}"`,
      `Choose from ${secretKinds.join(', ')}; separate several with commas.`,
    )
  return secretKinds.filter((kind) => words.some((word) => kind.includes(word)))
}

function secretJson({
  kind,
  tag,
  sessions,
  firstMs,
  lastMs,
  at,
}: FoundSecret): z.output<ReturnType<typeof secretShape>> {
  const time = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString()
  return { kind, tag, places: at.length, sessions, firstAt: time(firstMs), lastAt: time(lastMs), at }
}
