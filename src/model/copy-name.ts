/** Copies of transcripts by their names: `x.jsonl.full_backup`, `x.jsonl.bak.2026…`, `x.jsonl~`, `x.jsonl-old`. */
const COPY = /^(.+?)\.jsonl(?:~|[._-].+)$/
/** Locks, files in the making, and what has to be unpacked before it can be read. */
const NO_COPY =
  /(?:\.lock|\.part|\.sw[op]|\.gz|\.bz2|\.xz|\.zip|\.tar|\.tgz)$|[._]tmp(?:\.|$)|\.trajectory\b|\.acp-stream\b/i

/** The transcript of which a file is a copy, by its name without `.jsonl`; undefined for what is no copy that can be read. */
export function copiedName(name: string): string | undefined {
  if (name.startsWith('.') || NO_COPY.test(name)) return undefined
  return COPY.exec(name)?.[1]
}
