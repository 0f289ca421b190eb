import { rmSync, statSync } from 'node:fs'
import type { Gate } from '../condense/gate.ts'
import { sessionJson } from '../condense/item-json.ts'
import { printableJson } from '../condense/printable.ts'
import { createOutputFile, type OutputFile, partsOfFile } from '../io/output-file.ts'
import { draftOf } from '../io/own-files.ts'
import type { Session } from '../model/session.ts'
import type { Piece } from './read-pieces.ts'

export interface Written {
  files: { path: string; bytes: number }[]
  sessions: number
}

/** A session that was told, and what its project is called. */
export interface Told {
  session: Session
  project?: string
}

/** What stands before and after the sessions of a page, once they are known. */
export interface Frame {
  head(told: readonly Told[]): string
  foot: string
}

/** Whatever goes into a file that is handed on passes the gate. */
export function createGatedFile(path: string, gate: Gate): OutputFile {
  const file = createOutputFile(path)
  return {
    ...file,
    write: (piece) =>
      file.write(gate.output(typeof piece === 'string' ? piece : Buffer.from(piece).toString())),
  }
}

/** One file with everything. What fails in its midst leaves nothing behind. */
export function toFile(path: string, pieces: Iterable<string | Uint8Array>, gate: Gate): void {
  const file = createGatedFile(path, gate)
  try {
    for (const piece of pieces) file.write(piece)
    file.done()
  } catch (error) {
    file.drop()
    throw error
  }
}

/** The same with a frame that tells of the sessions: they are laid out first, in a file beside. */
export function toFramedFile(path: string, pieces: Iterable<Piece>, frame: Frame, gate: Gate): Told[] {
  const told: Told[] = []
  const body = draftOf(path)
  try {
    toFile(body, textOf(pieces, told), gate)
    const file = createOutputFile(path)
    try {
      file.write(gate.output(frame.head(told)))
      for (const part of partsOfFile(body)) file.write(part)
      file.write(frame.foot)
      file.done()
    } catch (error) {
      file.drop()
      throw error
    }
  } finally {
    rmSync(body, { force: true })
  }
  return told
}

/** What is written of the pieces; `told` holds their sessions when it is done. */
export function* textOf(pieces: Iterable<Piece>, told: Told[]): Generator<string | Uint8Array> {
  for (const { session, project, text, last } of pieces) {
    if (text.length > 0) yield text
    if (last) told.push({ session, project })
  }
}

/** One document of JSON. */
export function* jsonOf(pieces: Iterable<Piece>, told: Told[]): Generator<string | Uint8Array> {
  yield '{"version":1,"items":[\n'
  let any = false
  for (const text of textOf(pieces, told)) {
    if (any) yield ',\n'
    any = true
    yield text
  }
  const rows = told.map(({ session, project }) =>
    printableJson(JSON.stringify(sessionJson(session, project))),
  )
  yield `\n],"sessions":[\n${rows.join(',\n')}\n]}\n`
}

export const sizeOf = (path: string): { path: string; bytes: number } => ({
  path,
  bytes: statSync(path).size,
})
