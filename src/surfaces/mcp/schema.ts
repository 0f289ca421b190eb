import * as z from 'zod/mini'
import type { Command } from '../../commands/command.ts'
import { noteOf } from '../../commands/fields.ts'
import { LEAST_BYTES, MOST_BYTES, USUAL_BYTES } from './sizes.ts'
import type { Tool } from './tool.ts'

const LONGEST_TEXT = 4000
const MOST_ENTRIES = 1000

/** What may stand for one argument, as JSON Schema. */
export type Property =
  | { type: 'string'; description: string; enum?: string[]; maxLength?: number }
  | { type: 'integer'; description: string; minimum: number; maximum: number }
  | { type: 'boolean'; description: string }

export interface InputSchema {
  type: 'object'
  properties: Record<string, Property>
  required: string[]
  additionalProperties: false
}

/** The arguments of a tool, read from the input of its command. */
export function schemaOf({ fields, required }: Tool, command: Command): InputSchema {
  const properties: Record<string, Property> = {}
  for (const [name, told] of Object.entries(fields)) {
    const schema = command.input.shape[name]!
    properties[name] = propertyOf(schema, told ?? noteOf(schema)?.description ?? '')
  }
  properties.maxBytes = {
    type: 'integer',
    description: `size of the answer in bytes (${USUAL_BYTES})`,
    minimum: LEAST_BYTES,
    maximum: MOST_BYTES,
  }
  properties.cursor = {
    type: 'string',
    description: 'nextCursor of the answer to go on from, with the same other arguments',
    maxLength: LONGEST_TEXT,
  }
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

function propertyOf(schema: z.core.$ZodType, description: string): Property {
  let inner = schema
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniDefault) inner = inner.def.innerType
  if (inner instanceof z.ZodMiniBoolean) return { type: 'boolean', description }
  if (inner instanceof z.ZodMiniNumber)
    return { type: 'integer', description, minimum: 1, maximum: MOST_ENTRIES }
  if (inner instanceof z.ZodMiniEnum) return { type: 'string', description, enum: inner.options as string[] }
  return { type: 'string', description, maxLength: LONGEST_TEXT }
}
