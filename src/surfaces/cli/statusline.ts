import { readFigures, scopeOf, statusFolder } from '../../commands/statusline-figures.ts'
import { clientState, statusLine } from '../../commands/statusline-line.ts'
import { startInTurn } from '../../commands/statusline-turn.ts'
import { printable } from '../../condense/printable.ts'
import type { Environment } from '../../model/artifact.ts'
import { dataFolder, environmentOf } from '../environment.ts'
import { ClosedPipe, writeOut } from './output.ts'

/** A client writes before we are there, mostly; who writes nothing is answered all the same. */
const PATIENCE_MS = 1000
const MOST_BYTES = 256 * 1024

/**
 * Answers `scrollback statusline` without loading the rest of the program. Returns the exit code, or undefined where more is asked than
 * the line and where the transcripts lie: that is for the whole program.
 */
export async function statusline(args: readonly string[]): Promise<number | undefined> {
  const environment = environmentFor(args)
  if (!environment) return undefined
  const now = Date.now()
  const folder = statusFolder(dataFolder())
  const scope = scopeOf(environment)
  const client = clientState(await standardInput())
  const line = statusLine(client, readFigures(folder, scope), { now, today: dayOf(new Date(now)) })
  try {
    writeOut(1, Buffer.from(`${await cleaned(line)}\n`))
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error
  }
  try {
    startInTurn(folder, scope, now, () => refreshBehind(args))
  } catch {
    // The line stands; where nothing can be kept, the next one tells the same.
  }
  return 0
}

/** Shorter words hold no secret; names of models are such, mostly. */
const MAY_BE_SECRET = /[^\s$/]{12}/

/** As the gate would put it out. The rules that find secrets take as long to load as all else: a line without a long word goes without. */
async function cleaned(line: string): Promise<string> {
  const flat = line.replace(/\s+/g, ' ')
  if (!MAY_BE_SECRET.test(flat)) return printable(flat)
  const { createGate } = await import('../../condense/gate.ts')
  return createGate({ redact: true, colours: false }).output(flat)
}

/** Undefined, too, for a folder that is not there: the whole program says so. */
function environmentFor(args: readonly string[]): Environment | undefined {
  const places = placesOf(args)
  try {
    return places && environmentOf(places).environment
  } catch {
    return undefined
  }
}

/** The folders that were named; undefined where anything else is asked. */
function placesOf(args: readonly string[]): { claudeDir?: string[]; openclawDir?: string[] } | undefined {
  const dirs: Record<string, string[]> = {}
  for (let at = 0; at < args.length; at++) {
    const [, flag, inline] = /^--(claude|openclaw)-dir(?:=(.*))?$/s.exec(args[at]!) ?? []
    const value = inline ?? args[++at]
    if (!flag || value === undefined) return undefined
    dirs[flag] = [...(dirs[flag] ?? []), value]
  }
  return { claudeDir: dirs.claude, openclawDir: dirs.openclaw }
}

function refreshBehind(args: readonly string[]): number | undefined {
  // Loaded once in many lines.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(process.execPath, [process.argv[1]!, 'statusline', '--refresh', ...args], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  })
  // Where the system has no process left, the next line tries again.
  child.on('error', () => {})
  child.unref()
  return child.pid
}

const pad = (value: number): string => String(value).padStart(2, '0')
const dayOf = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`

/** What is written to us until its end, and no more than a moment of waiting. */
async function standardInput(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) return ''
  return new Promise((settle) => {
    const pieces: Buffer[] = []
    let held = 0
    const finish = (): void => {
      clearTimeout(timer)
      stdin.pause()
      stdin.unref?.()
      settle(Buffer.concat(pieces).toString())
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    stdin.on('data', (piece: Buffer) => {
      pieces.push(piece)
      held += piece.length
      if (held > MOST_BYTES) finish()
    })
    stdin.once('end', finish)
    stdin.once('error', finish)
  })
}
