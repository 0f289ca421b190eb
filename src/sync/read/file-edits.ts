import { type Line, readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { createCopies } from '../../model/fold/copies.ts'
import { EDITING_NAME, isEditing } from '../../model/tool-kind.ts'
import { platformOf } from '../../platforms/index.ts'
import type { LineChange, RecordedChange } from '../../platforms/platform.ts'
import { diffsIn } from './diff-lines.ts'
import type { StatedEdit } from './edits-in.ts'
import { editsIn } from './edits-in.ts'
import { openArtifact } from './read-session.ts'

/** A change of a file that a tool made. */
export interface FileEdit extends StatedEdit {
  line: number
  at?: number
  /** The folder that the agent was in, if the record states it. */
  cwd?: string
  /** What the file contained before, if the record states it. `null` if it did not exist. */
  original?: string | null
  /** What the file contained afterwards, if the record states it. */
  result?: string
  /** What the client says that the call did to the file, or a patch that has whole lines. */
  hunks?: LineChange[]
  /** No result of the call is recorded, so it may not have been done. */
  unfinished?: true
}

type CallFacts = Pick<FileEdit, 'line' | 'at' | 'cwd'>

const factsOf = (line: number, { at, cwd }: Draft): CallFacts => ({
  line,
  ...(at === undefined ? {} : { at }),
  ...(cwd === undefined ? {} : { cwd }),
})

interface Call {
  name: string
  edits: FileEdit[]
  failed?: true
  /** The client recorded what it did. */
  isRecorded?: true
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
  /** The facts of all calls, by their ids. */
  const knownFacts = new Map<string, CallFacts>()
  const copies = createCopies()
  const words = [PATCH_BEGIN, ...(platform.records.changeWords ?? [])]
  /** Calls without a result so far. */
  const pending = new Set<string>()
  const source = openArtifact(artifact)
  try {
    readLines(source, visit)
  } finally {
    source.close()
  }
  for (const id of pending) for (const edit of byId.get(id)!.edits) edit.unfinished = true
  const made = calls.flatMap(({ edits, failed }) => (failed ? [] : edits))
  // What a call did may be recorded after a later call.
  return made.sort((one, other) => one.line - other.line)

  function visit(shape: Line): void {
    if (shape.oversized) return
    const bytes = shape.bytes.subarray(shape.start, shape.end)
    // The header says whether copies follow. The next lines have the result of a call.
    const isWanted =
      shape.number === 1 ||
      copies.isOpen() ||
      pending.size > 0 ||
      EDITING_NAME.test(bytes.toString('latin1')) ||
      words.some((word) => bytes.includes(word))
    if (!isWanted) return
    for (const entry of parseLine(shape.bytes, shape.start, shape.end).entries) take(entry, shape.number)
  }

  function take(entry: unknown, line: number): void {
    const answered = new Set<string>()
    let own: Draft | undefined
    for (const draft of platform.records.normalize(entry, artifact)) {
      const { payload } = draft
      if (copies.isCopy(draft)) continue
      own ??= draft
      if (payload.type !== 'message') continue
      for (const part of payload.parts) {
        if (part.type === 'tool-result' && part.callId !== undefined) {
          const call = byId.get(part.callId)
          if (call && !call.isRecorded && (part.error === 'sure' || part.denied)) call.failed = true
          pending.delete(part.callId)
          // A patch has whole lines itself.
          if (call && call.name !== PATCH) answered.add(part.callId)
        }
        if (part.type !== 'tool-call') continue
        const facts = factsOf(line, draft)
        if (part.callId !== undefined && !knownFacts.has(part.callId)) knownFacts.set(part.callId, facts)
        if (!isEditing(part.name)) continue
        const edits = editsIn(part.input).map(
          (edit): FileEdit => ({ ...edit, ...facts, ...(part.name === PATCH && hunksOf(edit)) }),
        )
        if (edits.length === 0 || (part.callId !== undefined && byId.has(part.callId))) continue
        const call: Call = { name: part.name, edits }
        calls.push(call)
        if (part.callId === undefined) continue
        byId.set(part.callId, call)
        pending.add(part.callId)
      }
    }
    for (const change of platform.records.recordedChanges?.(entry) ?? []) if (own) record(change, own, line)
    if (answered.size === 0) return
    for (const [id, hunks] of diffsIn(entry, answered))
      for (const edit of byId.get(id)!.edits) edit.hunks = hunks
  }

  function record(
    { callId, original, result, hunks, input }: RecordedChange,
    draft: Draft,
    number: number,
  ): void {
    const known = byId.get(callId)
    // Of a call that is not in the file, the line is that of the record.
    const facts = knownFacts.get(callId) ?? factsOf(number, draft)
    const made = input === undefined ? [] : editsIn(input)
    if (!known && made.length === 0) return
    const call = known ?? { name: PATCH, edits: [] }
    if (!known) {
      calls.push(call)
      byId.set(callId, call)
    }
    if (made.length > 0) {
      call.isRecorded = true
      call.edits = made.map((edit) => ({ ...edit, ...facts, ...(call.name === PATCH && hunksOf(edit)) }))
    }
    if (original !== undefined) call.edits[0]!.original = original
    if (result !== undefined) call.edits.at(-1)!.result = result
    if (hunks) for (const edit of call.edits) edit.hunks = hunks
  }
}

/** The tool whose input is a patch. */
const PATCH = 'apply_patch'
/** A script or a command may apply one, too. */
const PATCH_BEGIN = '*** Begin Patch'

/** The lines of a part of a patch. */
const hunksOf = ({ before, after }: StatedEdit): Pick<FileEdit, 'hunks'> =>
  before === undefined ? {} : { hunks: [{ before: linesOf(before), after: linesOf(after) }] }

/** The text between marks has no line end of its own. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))
