import * as z from 'zod/mini'
import { ENVELOPE_VERSION, RECORD_KINDS } from '../../model/delivery.ts'

const told = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema => {
  z.globalRegistry.add(schema, { description })
  return schema
}

/** The envelope as a schema; `collect --schema` prints it as JSON Schema. */
export const envelopeSchema = z.strictObject({
  v: told(z.literal(ENVELOPE_VERSION), 'version of this envelope'),
  id: told(
    z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    'derived from the session and the record: the same in every run and on every machine that holds the same bytes',
  ),
  at: told(
    z.string().check(z.iso.datetime()),
    'when it was recorded; for files without a time, when they changed',
  ),
  platform: told(z.enum(['claude-code', 'openclaw']), 'whose record it is'),
  kind: told(z.enum(RECORD_KINDS), 'what it is'),
  device: told(z.string(), 'what the machine is called that it was collected on'),
  deviceId: told(
    z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
    'random, made once for each home: tells devices of one name apart; absent in older records',
  ),
  agent: told(z.string(), 'the agent of OpenClaw; "claude" for Claude Code'),
  session: told(z.nullable(z.string()), 'the session it belongs to'),
  project: told(z.nullable(z.string()), 'the folder the session worked in, as last named before it'),
  path: told(z.string(), 'the file, home as ~; behind # the session of a database'),
  line: told(z.int().check(z.gte(1)), 'line of the file, from 1; row of a database, from 1'),
  offset: told(z.int().check(z.gte(0)), 'where the line begins, in bytes'),
  generation: told(z.int().check(z.gte(1)), 'grows when the file was read again from its first byte'),
  state: told(
    z.optional(z.enum(['live', 'reset', 'deleted', 'archived', 'purged', 'gone'])),
    'what the name of the file says of it; absent for live ones',
  ),
  malformed: told(z.optional(z.literal(true)), 'the line is no JSON: raw is its text'),
  part: told(z.optional(z.int().check(z.gte(0))), 'which of several records of one line'),
  stub: told(
    z.optional(z.strictObject({ bytes: z.int(), sha256: z.string(), reason: z.string() })),
    'the record was too large: its size, its hash and why; raw is null',
  ),
  raw: told(z.unknown(), 'the record as it stands, secrets taken out; texts as {content}'),
  redactions: told(z.int().check(z.gte(0)), 'how many secrets were taken out'),
  normalized: told(z.optional(z.unknown()), 'how scrollback reads it'),
})

/** As JSON Schema, draft 2020-12. */
export const envelopeJsonSchema = (): unknown => ({
  title: 'A record delivered by scrollback collect',
  ...z.toJSONSchema(envelopeSchema, { io: 'input' }),
})
