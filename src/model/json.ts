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

/** The value at a path such as `payload.cwd`. */
export function valueAt(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined
  let found = value
  for (const name of path.split('.')) found = asObject(found)?.[name]
  return found
}

/**
 * Milliseconds since 1970 from an ISO text, milliseconds or seconds. Undefined if the value is not a time.
 */
export function asTime(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && value > 0 ? (value < 1e12 ? value * 1000 : value) : undefined
  if (typeof value !== 'string' || value.length < 10) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : time
}
