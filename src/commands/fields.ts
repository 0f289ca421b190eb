import * as z from 'zod/mini'

/** What a field of a command's input says about itself, for whichever surface asks for it. */
export interface FieldNote {
  description: string
  /** What stands for the value in a help text. */
  placeholder?: string
  /** Given by its place rather than by name. */
  positional?: boolean
  /** What stands there are words of people: one that begins with a minus is no flag. */
  words?: boolean
}

const notes = z.registry<FieldNote>()

const noted = <Schema extends z.ZodMiniType>(schema: Schema, note: FieldNote): Schema => {
  notes.add(schema, note)
  return schema
}

export const noteOf = (schema: z.core.$ZodType): FieldNote | undefined => notes.get(schema)

/** The kinds of field an input may have. */
export const field = {
  text: (note: FieldNote) => noted(z.optional(z.string()), note),
  textOr: (otherwise: string, note: FieldNote) => noted(z._default(z.string(), otherwise), note),
  texts: (note: FieldNote) => noted(z._default(z.array(z.string()), []), note),
  flag: (note: FieldNote) => noted(z._default(z.boolean(), false), note),
  count: (note: FieldNote) =>
    noted(
      z.optional(
        z.coerce
          .number('a whole number is wanted')
          .check(z.int('a whole number is wanted'), z.gte(0, 'must not be negative')),
      ),
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
