/** Functions that read untrusted values. Each returns undefined if the value has another shape. */
export type JsonObject = Readonly<Record<string, unknown>>

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

export const asArray = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : undefined

/** A text without white space around it, if any is left. */
export const asTrimmed = (value: unknown): string | undefined => asText(asText(value)?.trim())

/** A number that something can be counted with: not negative, and not so large that sums lose others. */
export const asCount = (value: unknown): number | undefined => {
  const number = asNumber(value)
  return number !== undefined && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : undefined
}

/** What a function reads from the first of some fields that it can read. */
export function firstOf<Value>(
  read: (value: unknown) => Value | undefined,
  fields: JsonObject | undefined,
  ...names: readonly string[]
): Value | undefined {
  for (const name of fields ? names : []) {
    const found = read(fields![name])
    if (found !== undefined) return found
  }
  return undefined
}

/** The value of a JSON text. Undefined if it is not valid. */
export function parsedJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** The value at a path such as `payload.cwd`. */
export function valueAt(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined
  let found = value
  for (const name of path.split('.')) found = asObject(found)?.[name]
  return found
}

/** The last moment that a date can represent, in ms. */
export const LAST_MS = 8.64e15

/** As milliseconds, smaller numbers are before 1973, and as seconds, larger ones are after the year 5000. */
const SECONDS_BELOW = 1e11

/** The last moment of the year 9999. Nothing was said later, or before 1970: such a clock was never set. */
const LATEST_MS = 253_402_300_799_999

/**
 * Milliseconds since 1970 from an ISO text, milliseconds or seconds, also where a platform should write the
 * other. Undefined if the value is not a time after the first moment of 1970 and before the year 10000.
 */
export function asTime(value: unknown): number | undefined {
  const time = typeof value === 'number' ? inMilliseconds(value) : parsed(value)
  return time > 0 && time <= LATEST_MS ? time : undefined
}

const inMilliseconds = (value: number): number => (value < SECONDS_BELOW ? Math.round(value * 1000) : value)

const parsed = (value: unknown): number =>
  typeof value === 'string' && value.length >= 10 ? Date.parse(value) : Number.NaN

/**
 * Returns the value with every string in it changed, including field names and the contents of maps and sets.
 * Unchanged parts are not copied. Recursive, so only for our own values, which are shallow.
 */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return mappedList(value, change)
  if (value instanceof Map) {
    const entries = [...value]
    const changed = mappedList(entries, change)
    return changed === entries ? value : new Map(changed as [unknown, unknown][])
  }
  if (value instanceof Set) {
    const members = [...value]
    const changed = mappedList(members, change)
    return changed === members ? value : new Set(changed)
  }
  return mappedObject(value, change)
}

function mappedList(list: unknown[], change: (text: string) => string): unknown[] {
  let changed: unknown[] | undefined
  for (let at = 0; at < list.length; at++) {
    const made = mapped(list[at], change)
    if (made === list[at]) continue
    changed ??= [...list]
    changed[at] = made
  }
  return changed ?? list
}

function mappedObject(object: object, change: (text: string) => string): object {
  const members = object as Record<string, unknown>
  const names = Object.keys(members)
  // Most objects do not change: nothing is allocated for them.
  let entries: [string, unknown][] | undefined
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!
    const made: unknown = mapped(members[name], change)
    const own = change(name)
    if (!entries && own === name && made === members[name]) continue
    entries ??= names.slice(0, at).map((each) => [each, members[each]])
    entries.push([own, made])
  }
  if (!entries) return object
  const changed: Record<string, unknown> = {}
  for (const [name, member] of entries) {
    let own = name
    for (let number = 2; Object.hasOwn(changed, own); number++) own = `${name}~${number}`
    changed[own] = member
  }
  return changed
}
