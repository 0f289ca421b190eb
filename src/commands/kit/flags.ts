import * as z from 'zod/mini'
import { type FieldNote, noteOf } from './fields.ts'

/** A field as a flag of the command line. A field with an on and an off switch yields two flags. */
export interface Flag extends Pick<FieldNote, 'path' | 'repeated'> {
  field: string
  /** The name without dashes: `no-redact`. */
  name: string
  kind: 'switch' | 'value' | 'list'
  /** The value that a switch sets. */
  sets: boolean
  positional: boolean
  words: boolean
  placeholder: string
  description: string
  choices?: readonly string[]
}

/** Derives the flags and arguments of an input from its schema. */
export function flagsOf(input: z.ZodMiniObject): Flag[] {
  return Object.entries(input.shape).flatMap(([field, schema]) => {
    const note = noteOf(schema)
    const inner = unwrapped(schema)
    const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const isOffOnly = schema instanceof z.ZodMiniDefault && schema.def.defaultValue === true
    const flag: Flag = {
      field,
      name: isOffOnly ? `no-${name}` : name,
      kind: inner instanceof z.ZodMiniBoolean ? 'switch' : inner instanceof z.ZodMiniArray ? 'list' : 'value',
      sets: !isOffOnly,
      positional: note?.positional === true,
      words: note?.words === true,
      placeholder: note?.placeholder ?? field,
      description: note?.description ?? '',
      choices: inner instanceof z.ZodMiniEnum ? (inner.options as string[]) : undefined,
      path: note?.path,
      repeated: note?.repeated,
    }
    return note?.off === undefined
      ? [flag]
      : [flag, { ...flag, name: `no-${name}`, sets: false, description: note.off }]
  })
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniDefault) inner = inner.def.innerType
  return inner
}

/** Formats a flag for help and messages: `--claude-dir <dir>`. */
export function flagTerm({ kind, name, placeholder }: Flag): string {
  if (kind === 'switch') return `--${name}`
  return `--${name} ${placeholder.includes('<') ? placeholder : `<${placeholder}>`}`
}

/** The words of a command line that yields these values again, arguments first. `pathOf` rewrites paths. */
export function wordsOf(
  flags: readonly Flag[],
  values: Readonly<Record<string, unknown>>,
  pathOf: (path: string) => string = (path) => path,
): string[] {
  const textOf = (flag: Flag, value: unknown): string =>
    flag.path === undefined ? String(value) : pathOf(String(value))
  const inOrder = [
    ...flags.filter(({ positional }) => positional),
    ...flags.filter((flag) => !flag.positional),
  ]
  return inOrder.flatMap((flag) => {
    const value = values[flag.field]
    if (value === undefined) return []
    if (flag.kind === 'switch') return value === flag.sets ? [`--${flag.name}`] : []
    const texts = (Array.isArray(value) ? value : [value]).map((each) => textOf(flag, each))
    return flag.positional ? texts : texts.flatMap((text) => [`--${flag.name}`, text])
  })
}
