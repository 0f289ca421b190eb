/** File names of transcript copies: `x.jsonl.full_backup`, `x.jsonl.bak.2026…`, `x.jsonl~`, `x.jsonl-old`. */
const COPY = /^(.+?)\.jsonl(?:~|[._-].+)$/
/** Locks, temporary files, and compressed files, which cannot be read directly. */
const NO_COPY =
  /(?:\.lock|\.part|\.sw[op]|\.gz|\.bz2|\.xz|\.zip|\.tar|\.tgz)$|[._]tmp(?:\.|$)|\.trajectory\b|\.acp-stream\b/i

/** The name of the original transcript, without `.jsonl`. Undefined if the file is not a readable copy. */
export function copiedName(name: string): string | undefined {
  if (name.startsWith('.') || NO_COPY.test(name)) return undefined
  return COPY.exec(name)?.[1]
}
