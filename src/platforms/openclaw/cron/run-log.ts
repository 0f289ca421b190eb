import { parseLine } from '../../../io/parse-line.ts'
import { openSource, type SeekableSource } from '../../../io/source.ts'
import type { CronReach, CronRun } from '../../../model/cron.ts'
import { runOf } from './run.ts'

/** Bytes at the end of a log that contain the latest runs of a job. */
const TAIL = 64 * 1024
/** The scheduler prunes its logs at 2 MB. Of a longer log only the newest runs are read. */
const LIMIT = 64 * 1024 * 1024

/**
 * The runs of a log, and the number of lines that could not be used. An unfinished last line is not counted.
 */
export function readRunLog(
  path: string,
  jobId: string,
  reach: CronReach,
): { runs: CronRun[]; damaged: number; cut: boolean } {
  const { content, cut } = readEnd(path, reach === 'last' ? TAIL : LIMIT)
  const runs: CronRun[] = []
  let damaged = 0
  let start = cut ? content.indexOf(10) + 1 : 0
  while (start < content.length) {
    const newline = content.indexOf(10, start)
    const end = newline < 0 ? content.length : newline
    const line = parseLine(content, start, end)
    let known = 0
    for (const entry of line.entries) {
      const run = runOf(entry, { path, jobId })
      if (run !== undefined) known++
      if (run !== undefined && run !== 'skipped') runs.push(run)
    }
    const blank = !content.subarray(start, end).some((byte) => byte > 32)
    if (!blank && newline >= 0 && (line.damaged || known < line.entries.length)) damaged++
    start = end + 1
  }
  return { runs, damaged, cut: cut && reach === 'all' }
}

function readEnd(path: string, most: number): { content: Buffer; cut: boolean } {
  const source = openSource(path)
  try {
    const { size } = source.state()
    const from = Math.max(0, size - most)
    source.seek(from)
    return { content: readFully(source, size - from), cut: from > 0 }
  } finally {
    source.close()
  }
}

function readFully(source: SeekableSource, length: number): Buffer {
  const content = Buffer.alloc(length)
  let held = 0
  while (held < length) {
    const count = source.read(content, held, length - held)
    if (count === 0) break
    held += count
  }
  return content.subarray(0, held)
}
