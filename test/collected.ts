import type { HostStream } from '../src/surfaces/host.ts'

/** For what needs a process of its own. */
export const noStream = (): never => {
  throw new Error('this needs a process of its own')
}

/** A stream of a command, and what was written to it. */
export const collected = (): HostStream & { text(): string } => {
  const pieces: Uint8Array[] = []
  return {
    isTTY: false,
    columns: undefined,
    rows: undefined,
    stream: noStream,
    // The bytes may be reused.
    write: (bytes) => void pieces.push(Uint8Array.from(bytes)),
    text: () => Buffer.concat(pieces).toString(),
  }
}
