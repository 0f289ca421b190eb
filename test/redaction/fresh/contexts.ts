import type { Random } from '../../random.ts'
import type { Noun } from './kinds.ts'

export interface Place {
  value: string
  /** In capitals, as in environments. */
  name: string
  noun: Noun
  random: Random
}

/** A text with a secret in it. */
export interface Context {
  /** Its sort, in words. */
  where: string
  /** The nouns with which it is natural. */
  nouns: readonly Noun[]
  write: (place: Place) => string
}

const named: readonly Noun[] = ['password', 'key', 'token', 'phrase', 'code']
const stored: readonly Noun[] = ['password', 'key', 'token']
export const sets = {
  named,
  stored,
  plain: ['phrase'],
  passwords: ['password'],
  codes: ['code'],
  cookies: ['cookie'],
  spoken: ['password', 'key', 'token'],
} as const satisfies Record<string, readonly Noun[]>

export const contextsOf = (
  nouns: readonly Noun[],
  rows: Readonly<Record<string, (place: Place) => string>>,
): Context[] => Object.entries(rows).map(([where, write]) => ({ where, nouns, write }))

export const camel = (name: string): string =>
  name.toLowerCase().replace(/[_.]([a-z])/g, (_, letter: string) => letter.toUpperCase())
export const kebab = (name: string): string => name.toLowerCase().replaceAll('_', '-')
export const json = (value: unknown): string => JSON.stringify(value)

const entities = { quot: '&quot;', escaped: '\\u0022' }
/** An object of JSON with other quotes. */
export const quoted = (how: keyof typeof entities, value: unknown): string =>
  json(value).replaceAll('"', entities[how])

/** Names of columns, in the terms of a noun. */
export const column = (noun: Noun): string =>
  ({
    password: 'password',
    key: 'api_key',
    token: 'token',
    code: 'otp',
    phrase: 'mnemonic',
    cookie: 'session',
  })[noun]

/** A table as clients of databases draw it. */
export function box(rows: readonly (readonly string[])[], edge: '|' | ''): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  const line = edge
    ? `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`
    : widths.map((width) => '-'.repeat(width + 2)).join('+')
  const drawn = rows.map((row) =>
    `${edge} ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} ${edge}`.trimEnd(),
  )
  const [head, ...rest] = drawn
  return edge
    ? [line, head, line, ...rest, line].join('\n')
    : [head, line, ...rest, `(${rest.length} row)`].join('\n')
}
