/** File names of transcript copies: `x.jsonl.full_backup`, `x.jsonl.bak.2026…`, `x.jsonl~`, `x.jsonl-old`. */
const COPY = /^(.+?)\.jsonl(?:~|[._-].+)$/
/** Copies of programs that synchronize folders: Syncthing, Dropbox and others, iCloud and file managers. */
const CONFLICT =
  /^(.+?)(?:\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}| \([^()]*(?:conflict|konflikt|conflit)[^()]*\)| \(\d{1,3}\)| \d{1,3})\.jsonl$/i
/** The usual name of a transcript. */
const PLAIN = /^[\w-]+\.jsonl$/
/** Locks, temporary files, and compressed files, which cannot be read directly. */
const NO_COPY =
  /(?:\.lock|\.part|\.sw[op]|\.gz|\.bz2|\.xz|\.zip|\.tar|\.tgz)$|[._]tmp(?:\.|$)|\.trajectory\b|\.acp-stream\b/i

/** The name of the original transcript, without `.jsonl`. Undefined if the file is not a readable copy. */
export function copiedName(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined
  if (name.startsWith('.') || NO_COPY.test(name)) return undefined
  return CONFLICT.exec(name)?.[1] ?? COPY.exec(name)?.[1]
}
