import * as z from 'zod/mini'
import { ENVELOPE_VERSION, RECORD_KINDS } from '../../model/delivery.ts'
import { asObject } from '../../model/json.ts'
import { identities, platformIds } from '../../platforms/identities.ts'
import type { PlatformIdentity } from '../../platforms/identity.ts'

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema => {
  z.globalRegistry.add(schema, { description })
  return schema
}

/** What the id of an agent is on a platform. */
const agentWords = ({ name, manyAgents, defaultAgent }: PlatformIdentity): string =>
  manyAgents ? `agent id in ${name}` : `"${defaultAgent}" for ${name}`

/** The schema of an envelope. `collect --schema` prints it as JSON Schema. */
export const envelopeSchema = z.strictObject({
  v: described(z.literal(ENVELOPE_VERSION), 'version of the envelope format'),
  id: described(
    z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    'derived from the session and the record: the same in every run and on every machine with the same bytes',
  ),
  at: described(
    z.string().check(z.iso.datetime()),
    'time of the record; for files without times, when they changed',
  ),
  platform: described(z.enum(platformIds()), 'platform that wrote the record'),
  kind: described(z.enum(RECORD_KINDS), 'kind of record'),
  device: described(z.string(), 'host name of the machine that collected it'),
  deviceId: described(
    z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
    'random id, created once per home: distinguishes devices with the same name; absent in older records',
  ),
  agent: described(z.string(), identities.map(agentWords).join('; ')),
  session: described(z.nullable(z.string()), 'id of the session'),
  project: described(
    z.nullable(z.string()),
    'working directory of the session, as last recorded before this record',
  ),
  path: described(z.string(), 'the file, home as ~; a session in a database follows after #'),
  line: described(z.int().check(z.gte(1)), 'line of the file, from 1; row of a database, from 1'),
  offset: described(z.int().check(z.gte(0)), 'offset of the line in bytes'),
  generation: described(
    z.int().check(z.gte(1)),
    'incremented when the file is read again from its first byte',
  ),
  state: described(
    z.optional(z.enum(['live', 'reset', 'deleted', 'archived', 'purged', 'gone'])),
    'state of the session according to its file name; absent if live',
  ),
  malformed: described(z.optional(z.literal(true)), 'the line is not JSON; raw is its text'),
  part: described(z.optional(z.int().check(z.gte(0))), 'position among several records of one line'),
  stub: described(
    z.optional(z.strictObject({ bytes: z.int(), sha256: z.string(), reason: z.string() })),
    'set if the record was too large: its size, hash and the reason; raw is null',
  ),
  raw: described(z.unknown(), 'the record with secrets redacted; text files as {content}'),
  redactions: described(z.int().check(z.gte(0)), 'number of redactions'),
  normalized: described(z.optional(z.unknown()), 'normalized form of the record'),
})

/** The envelope as JSON Schema, draft 2020-12. */
export const envelopeJsonSchema = (): unknown => ({
  title: 'A record delivered by scrollback collect',
  ...z.toJSONSchema(envelopeSchema, { io: 'input' }),
})

/** Senders of newer versions may add fields. */
const shape = z.looseObject(envelopeSchema.shape)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type CheckedLine =
  | { id: string; stub: boolean; platform: string; session: string | null }
  | { id: string | null; reason: string }

/** Checks whether a line of a request is a valid record, and otherwise says what is wrong. */
export function checkEnvelope(line: Uint8Array): CheckedLine {
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(line))
  } catch {
    return { id: null, reason: 'not JSON in UTF-8' }
  }
  const fields = asObject(value)
  if (!fields) return { id: null, reason: 'not a JSON object' }
  const id = typeof fields.id === 'string' ? fields.id.slice(0, 64) : null
  const checked = shape.safeParse(fields)
  if (!checked.success) {
    const [issue] = checked.error.issues
    return { id, reason: `${issue?.path.join('.') ?? ''}: ${issue?.message}` }
  }
  const stub = checked.data.stub !== undefined
  if (!Object.hasOwn(fields, 'raw')) return { id, reason: 'raw: contains no record' }
  if (stub && fields.raw !== null) return { id, reason: 'raw: a stub contains no record' }
  const { platform, session } = checked.data
  return { id: checked.data.id, stub, platform, session }
}
