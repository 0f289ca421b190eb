import type { Host } from '../host.ts'

/** Clients usually write before this program runs. Without input it answers after this time. */
const PATIENCE_MS = 1000
const MOST_BYTES = 256 * 1024

/** Reads standard input to its end, for a short time at most. */
export async function standardInput(host: Host): Promise<string> {
  const stdin = host.stdin.stream()
  if (stdin.isTTY) return ''
  return new Promise((settle) => {
    const pieces: Buffer[] = []
    let held = 0
    const finish = (): void => {
      clearTimeout(timer)
      stdin.pause()
      stdin.unref?.()
      settle(Buffer.concat(pieces).toString())
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    stdin.on('data', (piece: Buffer) => {
      pieces.push(piece)
      held += piece.length
      if (held > MOST_BYTES) finish()
    })
    stdin.once('end', finish)
    stdin.once('error', finish)
  })
}
