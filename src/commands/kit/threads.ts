/** For fewer bytes, starting a second thread takes longer than it saves. */
const WORTH_BYTES = 24 * 1024 * 1024
const WORTH_FILES = 1500

/** The script of worker threads, next to this one in the sources and in the bundle. */
export const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

export function threadsFor(files: readonly { bytes: number }[], available: number): number {
  let bytes = 0
  for (const file of files) bytes += file.bytes
  return bytes >= WORTH_BYTES || files.length >= WORTH_FILES ? available : 1
}
