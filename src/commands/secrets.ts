import * as z from 'zod/mini'
import { printableJson } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import { secretKinds } from '../redact/rules.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { filters } from './options.ts'
import { type FoundSecret, filesOf, findSecretsIn } from './secrets-find.ts'
import { secretPieces } from './secrets-text.ts'
import { type ShownSecrets, totalsOf } from './secrets-totals.ts'

const secretShape = () =>
  z.object({
    kind: z.string(),
    tag: z.string(),
    places: z.number(),
    sessions: z.number(),
    firstAt: z.nullable(z.string()),
    lastAt: z.nullable(z.string()),
    at: z.array(z.object({ path: z.string(), line: z.number(), offset: z.number() })),
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
  all: field.flag({ description: 'every file: transcripts, prompts, memory' }),
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
  summary: 'keys and passwords that stand in the transcripts: kind, file and line, never the value',
  details:
    'Reads the files themselves, where secrets still stand; the store and everything that is shown have them taken out. Equal ' +
    'secrets are one row: where it was seen first and last tells what to rotate.',
  examples: [
    { command: 'scrollback secrets --all', tells: 'what was ever pasted or printed, everywhere' },
    { command: 'scrollback secrets eastore --places', tells: 'with every file and line, in one project' },
    { command: 'scrollback secrets --all --kind github,aws', tells: 'only some kinds' },
    { command: "scrollback secrets --all --json | jq '.totals.kinds'", tells: 'for programs' },
  ],
  input,
  output,
  async run(given, context: Context): Promise<ShownSecrets> {
    const kinds = given.kind === undefined ? [] : kindsNamed(given.kind)
    const found = findSecretsIn(await filesOf(given, context), kinds, context)
    return { ...found, limit: given.limit || Number.POSITIVE_INFINITY, withPlaces: given.places }
  },
  render: secretPieces,
  /** Row by row: there may be very many places. */
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

/** Kinds whose names hold one of the given words, which are separated by commas. */
function kindsNamed(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  const unknown = words.find((word) => word === '' || !secretKinds.some((kind) => kind.includes(word)))
  if (unknown !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `--kind: no kind of secret is called "${unknown}"`,
      `Choose among ${secretKinds.join(', ')}; several are separated by commas.`,
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
