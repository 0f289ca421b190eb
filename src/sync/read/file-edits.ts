import { posix, win32 } from 'node:path'
import { type Line, readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import { createCopies } from '../../model/fold/copies.ts'
import { WRITING_TOOLS } from '../../model/fold/tool-arguments.ts'
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
  /** What the client says that the call did to the file, or a patch that has whole lines. */
  hunks?: LineChange[]
  /** No result of the call is recorded, so it may not have been done. */
  unfinished?: true
}

interface Call {
  name: string
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
  /** Calls without a result so far. */
  const pending = new Set<string>()
  const source = openArtifact(artifact)
  try {
    readLines(source, visit)
  } finally {
    source.close()
  }
  for (const id of pending) for (const edit of byId.get(id)!.edits) edit.unfinished = true
  return calls.flatMap(({ edits, failed }) => (failed ? [] : edits))

  function visit(shape: Line): void {
    if (shape.oversized) return
    const bytes = shape.bytes.subarray(shape.start, shape.end)
    // The header says whether copies follow. The next lines have the result of a call.
    const isWanted =
      shape.number === 1 || copies.isOpen() || pending.size > 0 || WORDS.some((word) => bytes.includes(word))
    if (!isWanted) return
    for (const entry of parseLine(shape.bytes, shape.start, shape.end).entries) take(entry, shape.number)
  }

  function take(entry: unknown, line: number): void {
    const answered = new Set<string>()
    for (const draft of platform.records.normalize(entry, artifact)) {
      const { at, payload, cwd } = draft
      if (copies.isCopy(draft) || payload.type !== 'message') continue
      for (const part of payload.parts) {
        if (part.type === 'tool-result' && part.callId !== undefined) {
          const call = byId.get(part.callId)
          if (call && (part.error === 'sure' || part.denied)) call.failed = true
          pending.delete(part.callId)
          // A patch has whole lines itself.
          if (call && call.name !== PATCH) answered.add(part.callId)
        }
        if (part.type !== 'tool-call' || !WRITING_TOOLS.includes(part.name)) continue
        const facts = {
          line,
          ...(at === undefined ? {} : { at }),
          ...(cwd === undefined ? {} : { cwd }),
        }
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
    for (const change of platform.records.recordedChanges?.(entry) ?? []) record(change)
    if (answered.size === 0) return
    for (const [id, hunks] of diffsIn(entry, answered))
      for (const edit of byId.get(id)!.edits) edit.hunks = hunks
  }

  function record({ callId, original, hunks, input }: RecordedChange): void {
    const call = byId.get(callId)
    const [first] = call?.edits ?? []
    if (!call || !first) return
    const { line, at, cwd } = first
    const facts = { line, ...(at === undefined ? {} : { at }), ...(cwd === undefined ? {} : { cwd }) }
    const made = input === undefined ? [] : editsIn(input)
    if (made.length > 0) call.edits = made.map((edit) => ({ ...edit, ...facts }))
    if (original !== undefined) call.edits[0]!.original = original
    if (hunks) for (const edit of call.edits) edit.hunks = hunks
  }
}

/** The tool whose input is a patch. */
const PATCH = 'apply_patch'

/** The lines of a part of a patch. */
const hunksOf = ({ before, after }: StatedEdit): Pick<FileEdit, 'hunks'> =>
  before === undefined ? {} : { hunks: [{ before: linesOf(before), after: linesOf(after) }] }

/** The text between marks has no line end of its own. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** The paths of the system that a session ran on, which need not be this one. */
export const pathsOf = (path: string): typeof posix => (/^(?:[a-z]:|\\\\)/i.test(path) ? win32 : posix)

/** A path that a call states, from the folder that the agent was in. */
export const absolutePath = (path: string, folder: string | undefined): string =>
  folder === undefined || /^(?:[~/\\]|[a-z]:)/i.test(path) ? path : pathsOf(folder).resolve(folder, path)

/** Lines without any of these call no writing tool. In code mode, a script calls it. */
const WORDS = [...WRITING_TOOLS.map((name) => `"${name}"`), 'tools.apply_patch']
