import type { Machine, Output } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import type { SinkContext } from '../../sinks/index.ts'
import { holdLock } from '../../store/sqlite/files.ts'

const UNITS: Record<string, number> = { '': 1, k: 1024, m: 1024 * 1024, g: 1024 ** 3 }

/** What opening a destination needs of the machine. */
export const sinkContext = (context: Machine & Output): SinkContext => ({
  home: context.environment.home,
  directory: context.here,
  variables: context.environment.variables,
  nowMs: Date.now,
  lock: holdLock,
  writeOut: context.deliverOut,
})

/** Parses the size that a flag gives. Throws a `ScrollbackError` for anything else. */
export function sizeOf(name: string, size: string | number | undefined): number | undefined {
  const found = typeof size === 'string' ? parseBytes(size) : size
  if (size !== undefined && !found)
    throw new ScrollbackError(
      'bad-option',
      `--${name}: invalid size "${size}"`,
      'Use 5MB, 512k or a number of bytes.',
    )
  return found
}

/** Parses `5MB`, `512k` or a plain number to bytes. Undefined for anything else. */
function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)i?b?$/i.exec(text.trim())
  return match ? Math.floor(Number(match[1]) * UNITS[match[2]!.toLowerCase()]!) : undefined
}
