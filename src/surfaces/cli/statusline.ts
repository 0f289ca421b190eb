import {
  clientState,
  isForbidden,
  readFigures,
  scopeOf,
  startInTurn,
  statusFolder,
  statusLine,
} from '../../commands/statusline/line.ts'
import { dirFlags, type GivenDirs } from '../../context/dir-flags.ts'
import type { Environment } from '../../model/artifact.ts'
import { printable } from '../../render/terminal.ts'
import { dataFolder, environmentOf } from '../environment.ts'
import { ClosedPipe, type Host, processHost, standardInput } from '../host.ts'

/**
 * Answers `scrollback statusline` without loading the rest of the program. Returns the exit code, or
 * undefined if the flags request anything else. Then the whole program answers.
 */
export async function statusline(args: readonly string[]): Promise<number | undefined> {
  const host = processHost()
  const environment = environmentFor(args, host)
  if (!environment) return undefined
  const now = host.now()
  const folder = statusFolder(dataFolder(host))
  const scope = scopeOf(environment)
  const client = clientState(await standardInput(host))
  const figures = readFigures(folder, scope)
  const today = dayOf(new Date(now))
  const line = statusLine(client, figures, { now, today, forbidden: !figures && isForbidden(folder) })
  try {
    host.stdout.write(Buffer.from(`${await cleaned(line)}\n`))
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error
  }
  try {
    startInTurn(folder, scope, now, () => refreshBehind(args, host))
  } catch {
    // The line is already printed. Without an update, the next one shows the same figures.
  }
  return 0
}

/** Shorter words contain no secret. Most names of models are that short. */
const MAY_BE_SECRET = /[^\s$/]{12}/

/**
 * Redacts the line like the gate. The rules take as long to load as everything else, so a line without a long
 * word skips them.
 */
async function cleaned(line: string): Promise<string> {
  const flat = line.replace(/\s+/g, ' ')
  if (!MAY_BE_SECRET.test(flat)) return printable(flat)
  const { createGate } = await import('../../render/gate.ts')
  return createGate({ redact: true, colors: false }).output(flat)
}

/** Undefined for a missing folder too. The whole program reports it. */
function environmentFor(args: readonly string[], host: Host): Environment | undefined {
  const dirs = globalDirs(args)
  try {
    return dirs && environmentOf(dirs, host).environment
  } catch {
    return undefined
  }
}

/** The folders in the flags. Undefined if there is any other flag. */
function globalDirs(args: readonly string[]): { dirs: GivenDirs } | undefined {
  const dirs: GivenDirs = {}
  for (let at = 0; at < args.length; at++) {
    const [, name, inline] = /^(--[a-z-]+-dir)(?:=(.*))?$/s.exec(args[at]!) ?? []
    const flag = dirFlags.find((each) => each.name === name)
    const value = inline ?? args[++at]
    if (!flag || value === undefined) return undefined
    dirs[flag.platform] = [...(dirs[flag.platform] ?? []), value]
  }
  return { dirs }
}

function refreshBehind(args: readonly string[], { started }: Host): number | undefined {
  // Loaded lazily, because few lines need it.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(started.executable, [started.script!, 'statusline', '--refresh', ...args], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  })
  // If the system cannot start another process, the next line tries again.
  child.on('error', () => {})
  child.unref()
  return child.pid
}

const pad = (value: number): string => String(value).padStart(2, '0')
const dayOf = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`
