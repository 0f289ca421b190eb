import { rmSync, statSync } from 'node:fs'
import { sessionJson } from '../../condense/item-json.ts'
import { createOutputFile, type OutputFile, partsOfFile } from '../../io/output-file.ts'
import { draftOf } from '../../io/own-files.ts'
import type { Session } from '../../model/session.ts'
import type { Gate, Printed } from '../../render/gate.ts'
import { printableJson } from '../../render/terminal.ts'
import type { Piece } from '../read/piece.ts'

export interface Written {
  files: { path: string; bytes: number }[]
  sessions: number
}

/** A written session with the name of its project. */
export interface ExportedSession {
  session: Session
  project?: string
}

/** The start and the end of a page, once its sessions are known. */
export interface Frame {
  head(exported: readonly ExportedSession[]): string
  foot: string
}

/** A file whose content passes a gate. */
export interface GatedFile extends Omit<OutputFile, 'write'> {
  write(piece: Printed): void
}

/** Creates a file whose content passes the gate, because files are handed on. */
export function createGatedFile(path: string, gate: Gate): GatedFile {
  const file = createOutputFile(path)
  return {
    ...file,
    write: (piece) => file.write(gate.bytes(piece)),
  }
}

/** Writes one file. If writing fails, no file remains. */
export function toFile(path: string, pieces: Iterable<Printed>, gate: Gate): void {
  const file = createGatedFile(path, gate)
  try {
    for (const piece of pieces) file.write(piece)
    file.done()
  } catch (error) {
    file.drop()
    throw error
  }
}

/** The same with a frame that lists the sessions, so they are written to a temporary file first. */
export function toFramedFile(
  path: string,
  pieces: Iterable<Piece>,
  frame: Frame,
  gate: Gate,
): ExportedSession[] {
  const exported: ExportedSession[] = []
  const body = draftOf(path)
  try {
    toFile(body, textOf(pieces, exported), gate)
    const file = createOutputFile(path)
    try {
      file.write(gate.output(frame.head(exported)))
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
  return exported
}

/** Yields the text of the pieces. Afterwards, `exported` holds their sessions. */
export function* textOf(pieces: Iterable<Piece>, exported: ExportedSession[]): Generator<Printed> {
  for (const { session, project, text, last } of pieces) {
    if (text.length > 0) yield text
    if (last) exported.push({ session, project })
  }
}

/** Yields one JSON document. */
export function* jsonOf(pieces: Iterable<Piece>, exported: ExportedSession[]): Generator<Printed> {
  yield '{"version":1,"items":[\n'
  let any = false
  for (const text of textOf(pieces, exported)) {
    if (any) yield ',\n'
    any = true
    yield text
  }
  const rows = exported.map(({ session, project }) =>
    printableJson(JSON.stringify(sessionJson(session, project))),
  )
  yield `\n],"sessions":[\n${rows.join(',\n')}\n]}\n`
}

export const sizeOf = (path: string): { path: string; bytes: number } => ({
  path,
  bytes: statSync(path).size,
})
