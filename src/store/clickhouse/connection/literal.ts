/** A value in a statement. A list becomes the right side of `IN`. */
type Value = string | number | boolean | null | Raw | readonly (string | number)[]

/** A part of a statement that is not a value. */
export interface Raw {
  sql: string
}

/** Marks a text as a part of a statement. Never pass what comes from a transcript or a user. */
export const raw = (sql: string): Raw => ({ sql })

/**
 * A statement with its values, as a template: each value becomes a literal, so no value can change the
 * statement.
 *
 * @example
 * sql`SELECT id FROM artifact WHERE path = ${path} AND id IN ${ids}`
 */
export function sql(texts: TemplateStringsArray, ...values: readonly Value[]): string {
  let statement = texts[0]!
  for (const [index, value] of values.entries()) statement += literal(value) + texts[index + 1]!
  return statement
}

function literal(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return list(value as readonly (string | number)[])
  return (value as Raw).sql
}

const list = (values: readonly (string | number)[]): string =>
  values.length === 0 ? '(NULL)' : `(${values.map(literal).join(', ')})`

function number(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '9007199254740991' : '-9007199254740991'
}

const quoted = (text: string): string =>
  `'${text.toWellFormed().replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`

/** A name in a statement, in backticks. Any text is a name. */
export const identifier = (name: string): string =>
  `\`${name.toWellFormed().replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\\0')}\``
