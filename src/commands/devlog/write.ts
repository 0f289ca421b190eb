import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createGate } from '../../render/gate.ts'
import type { Context } from '../kit/context.ts'
import { refuseToReplace, toFile, unwritable } from '../kit/output-file.ts'

/** The path of the file, which must be free before anything is read. */
export function outputPath(out: string, force: boolean, { here }: Context): string {
  const path = resolve(here, out)
  refuseToReplace(path, false, force)
  return path
}

/** Writes the text and returns its path and size. */
export function writeText(path: string, text: string, { redact }: Context): { path: string; bytes: number } {
  try {
    toFile(path, [text], createGate({ redact, colors: false }))
  } catch (error) {
    throw unwritable(path, error)
  }
  return { path, bytes: statSync(path).size }
}
