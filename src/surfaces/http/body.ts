import type { IncomingMessage } from 'node:http'

/** A request that cannot be read, with the status of the response. */
export class Unreadable extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Reads a request to its end, so that its sender receives the response. Discards a body that is too large,
 * and stops after four times the limit, or if the client is silent for longer than `silenceMs`. Throws
 * `Unreadable`.
 */
export async function readBody(request: IncomingMessage, limit: number, silenceMs: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  let silent = false
  const timer = setTimeout(() => {
    silent = true
    request.destroy()
  }, silenceMs)
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      timer.refresh()
      bytes += piece.length
      if (bytes <= limit) pieces.push(piece)
      else pieces.length = 0
      if (bytes > 4 * limit) break
    }
  } catch (error) {
    if (silent) throw new Unreadable(408, `nothing came for ${silenceMs / 1000} s`)
    throw error
  } finally {
    clearTimeout(timer)
  }
  if (bytes > limit) throw new Unreadable(413, `more than ${limit} bytes`)
  return Buffer.concat(pieces)
}
