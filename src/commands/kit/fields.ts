import * as z from 'zod/mini'

/** Describes a field of a command's input to every surface. */
export interface FieldNote {
  description: string
  /** The placeholder of the value in help. */
  placeholder?: string
  /** A positional argument. */
  positional?: boolean
  /** The values are free text, so one that begins with a minus is not a flag. */
  words?: boolean
  /** The value is a path, relative to the current directory. */
  path?: 'dir' | 'file'
  /** The value is a time. A day means its first moment or its last. */
  time?: 'since' | 'until'
  /** Command lines that we print or write for the same machine repeat this flag. */
  repeated?: boolean
}

/** A field with two flags: `--name` and `--no-name`. */
interface EitherNote extends FieldNote {
  /** The description of `--no-name`. */
  off: string
}

type AnyNote = FieldNote & Partial<EitherNote>

const notes = z.registry<AnyNote>()

const noted = <Schema extends z.ZodMiniType>(schema: Schema, note: AnyNote): Schema => {
  notes.add(schema, note)
  return schema
}

export const noteOf = (schema: z.core.$ZodType): AnyNote | undefined => notes.get(schema)

/** The kinds of fields an input may have. Numbers may be given as text, as in command lines and addresses. */
export const field = {
  text: (note: FieldNote) => noted(z.optional(z.string()), note),
  time: (edge: 'since' | 'until', note: FieldNote) =>
    noted(z.optional(z.string()), { placeholder: 'time', time: edge, ...note }),
  textOr: (otherwise: string, note: FieldNote) => noted(z._default(z.string(), otherwise), note),
  texts: (note: FieldNote) => noted(z._default(z.array(z.string()), []), note),
  flag: (note: FieldNote) => noted(z._default(z.boolean(), false), note),
  /** A switch that is on by default and has a flag `--no-name`. */
  unless: (note: FieldNote) => noted(z._default(z.boolean(), true), note),
  /** A switch with the flags `--name` and `--no-name`. Undefined if neither is given. */
  either: (note: EitherNote) => noted(z.optional(z.boolean()), note),
  atLeast: (least: number, message: string, note: FieldNote) =>
    noted(z.optional(z.coerce.number<number>(message).check(z.gte(least, message))), note),
  count: (note: FieldNote) =>
    noted(
      z.optional(
        z.coerce
          .number<number>('must be a whole number')
          .check(z.int('must be a whole number'), z.gte(0, 'must not be negative')),
      ),
      note,
    ),
  /** A whole number, which may be negative. */
  whole: (note: FieldNote) =>
    noted(
      z.optional(z.coerce.number<number>('must be a whole number').check(z.int('must be a whole number'))),
      note,
    ),
  choice: <const Value extends string>(values: readonly Value[], note: FieldNote) =>
    noted(z.optional(z.enum(values)), note),
  choiceOr: <const Value extends string>(
    values: readonly Value[],
    otherwise: NoInfer<Value>,
    note: FieldNote,
  ) => noted(z._default(z.enum(values), otherwise as never), note),
  checked: (test: (text: string) => boolean, message: string, note: FieldNote) =>
    noted(z.optional(z.string().check(z.refine(test, message))), note),
}
