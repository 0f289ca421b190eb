import { DEVICE_SEPARATOR } from '../file-copy.ts'
import type { Connection } from './connection/connection.ts'
import { type Raw, raw, sql } from './connection/literal.ts'

/** Whose store this is, and how it reaches the server. */
export interface Scope {
  connection: Connection
  /** The name of this machine. Everything that is written belongs to it. */
  device: string
  person: string
  /** Read what every device has stored, not only this one. */
  everyone: boolean
  /** A random number of this opened store. */
  writer: number
  /** Microseconds since 1970, and more than at the last call. Orders the writes of a device. */
  stamp(): number
}

export function createStamps(): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now() * 1000)
    return last
  }
}

/** The condition for files that this store may show, as a part of a statement over `artifact`. */
export const shown = ({ everyone, device }: Scope): Raw => raw(everyone ? '1' : sql`device = ${device}`)

/** A path as this store shows it: on other devices with the name of the device before it. */
export const shownPath = (scope: Scope, device: string, path: string): string =>
  device === scope.device ? path : `${device}${DEVICE_SEPARATOR}${path}`

/** The condition for files at these shown paths. */
export function atPaths(scope: Scope, paths: readonly string[]): Raw {
  const own = sql`(device = ${scope.device} AND path IN ${paths})`
  if (!scope.everyone) return raw(own)
  const others = paths.flatMap((path) => {
    const at = path.indexOf(DEVICE_SEPARATOR)
    return at < 0 ? [] : sql`(device = ${path.slice(0, at)} AND path = ${path.slice(at + 1)})`
  })
  return raw(`(${[own, ...others].join(' OR ')})`)
}

/**
 * Orders the occurrences `i` of a message by the files `a` that have had it longest. One number, because the
 * engine compares tuples four times as slowly.
 */
export const OLDEST = raw('bitShiftLeft(toUInt128(a.since), 53) + toUInt64(i.artifact)')
