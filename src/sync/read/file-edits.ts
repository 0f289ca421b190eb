import { type Line, readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import { createCopies } from '../../model/fold/copies.ts'
import { WRITING_TOOLS } from '../../model/fold/tool-arguments.ts'
import { platformOf } from '../../platforms/index.ts'
import type { StatedEdit } from './edits-in.ts'
import { editsIn } from './edits-in.ts'
import { openArtifact } from './read-session.ts'

/** A change of a file that a tool made. */
export interface FileEdit extends StatedEdit {
  line: number
  at?: number
  /** What the file contained before, if the record states it. `null` if it did not exist. */
  original?: string | null
}

interface Call {
  edits: FileEdit[]
  failed?: true
}

/**
 * The changes that tools made in a transcript, in order. Failed calls are left out, and so is what a fork
 * copied. Throws the system's error if the transcript cannot be read.
 */
export function fileEdits(found: Artifact): FileEdit[] {
  const platform = platformOf(found.platform)
  const artifact = platform.files.describe?.(found) ?? found
  const calls: Call[] = []
  const byId = new Map<string, Call>()
  const copies = createCopies()
  const source = openArtifact(artifact)
  try {
    readLines(source, visit)
  } finally {
    source.close()
  }
  return calls.flatMap(({ edits, failed }) => (failed ? [] : edits))

  function visit(shape: Line): void {
    if (shape.oversized) return
    const bytes = shape.bytes.subarray(shape.start, shape.end)
    // The header says whether copies follow.
    const isWanted = shape.number === 1 || copies.isOpen() || WORDS.some((word) => bytes.includes(word))
    if (!isWanted) return
    for (const entry of parseLine(shape.bytes, shape.start, shape.end).entries) take(entry, shape.number)
  }

  function take(entry: unknown, line: number): void {
    for (const { callId, text } of platform.records.originals?.(entry) ?? []) {
      const [first] = byId.get(callId)?.edits ?? []
      if (first) first.original = text
    }
    for (const draft of platform.records.normalize(entry, artifact)) {
      const { at, payload } = draft
      if (copies.isCopy(draft) || payload.type !== 'message') continue
      for (const part of payload.parts) {
        if (part.type === 'tool-result' && part.error === 'sure' && part.callId !== undefined) {
          const call = byId.get(part.callId)
          if (call) call.failed = true
        }
        if (part.type !== 'tool-call' || !WRITING_TOOLS.includes(part.name)) continue
        const edits = editsIn(part.input).map((edit) => ({
          ...edit,
          line,
          ...(at === undefined ? {} : { at }),
        }))
        if (edits.length === 0 || (part.callId !== undefined && byId.has(part.callId))) continue
        const call: Call = { edits }
        calls.push(call)
        if (part.callId !== undefined) byId.set(part.callId, call)
      }
    }
  }
}

/** Lines without any of these neither call a writing tool nor have its result. */
const WORDS = [
  ...WRITING_TOOLS.map((name) => `"${name}"`),
  'tool_result',
  'toolResult',
  'toolCallId',
  'tool_call_id',
]
