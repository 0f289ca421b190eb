import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ScrollbackError } from '../../errors.ts'
import { isOnPath } from '../../io/on-path.ts'
import { readOwn } from '../../io/own-files.ts'
import { writePrivateFile } from '../../io/private-file.ts'
import type { PlatformId } from '../../model/platform-id.ts'
import { clients } from '../../platforms/identities.ts'
import type { ClientSetup } from '../../platforms/identity.ts'
import { platformOf } from '../../platforms/index.ts'
import type { Context, Machine, Piped, Programs } from '../kit/context.ts'
import { inPackage } from '../kit/package-folder.ts'

/** One change to the setup of a client, or its reversal. */
export interface Step {
  what: 'write' | 'delete' | 'run'
  /** The path of the file to write or delete. */
  path?: string
  /** The command to run, word by word. */
  command?: string[]
  state: 'planned' | 'unchanged' | 'done' | 'failed'
  /** Why it cannot be done, or why there is nothing to do. */
  why?: string
}

/** The steps that add this program to a client, or remove it. Only checks, changes nothing. */
export function stepsFor(agent: string, undo: boolean, context: Context): Step[] {
  const { id, client } = clients().get(agent)!
  const path = join(stateFolder(id, context), 'skills', 'scrollback', 'SKILL.md')
  return [undo ? deleteStep(path) : writeStep(path), runStep(client, undo, context)]
}

function writeStep(path: string): Step {
  const there = readOwn(path, MOST)
  if (there?.equals(skill())) return { what: 'write', path, state: 'unchanged', why: 'is there already' }
  return { what: 'write', path, state: 'planned', ...(there ? { why: 'replaces another version' } : {}) }
}

function deleteStep(path: string): Step {
  const there = readOwn(path, MOST)
  if (!there) return { what: 'delete', path, state: 'unchanged', why: 'it does not exist' }
  if (!there.toString().includes('\nname: scrollback\n'))
    return { what: 'delete', path, state: 'unchanged', why: 'is no skill of ours' }
  return { what: 'delete', path, state: 'planned' }
}

/** The client changes its own settings, because only it knows their format. */
function runStep(client: ClientSetup, undo: boolean, context: Context): Step {
  const [program, ...args] = ownWords(context)
  const command = undo ? [...client.remove] : client.add([program, ...args, 'mcp'])
  if (isOnPath(command[0]!, context.environment.variables)) return { what: 'run', command, state: 'planned' }
  return {
    what: 'run',
    command,
    state: 'unchanged',
    why: `${command[0]} is not installed, or not on your PATH`,
  }
}

/** Executes one step. */
export async function doStep(step: Step, client: ClientSetup, context: Context): Promise<Step> {
  if (step.state !== 'planned') return step
  try {
    if (step.what === 'run') return { ...step, ...(await changed(step.command!, client, context)) }
    if (step.what === 'write') {
      writePrivateFile(step.path!, skill().toString())
    } else {
      rmSync(step.path!)
      removeEmpty(dirname(step.path!))
    }
    return { ...step, state: 'done' }
  } catch (error) {
    return { ...step, state: 'failed', why: (error as Error).message }
  }
}

/**
 * Lets the client add or remove the server. An earlier one is replaced, as it may start another version. One
 * that is not there needs no removal.
 */
async function changed(
  command: readonly string[],
  { remove, show }: ClientSetup,
  context: Programs,
): Promise<Pick<Step, 'state' | 'why'>> {
  const run = (words: readonly string[]): Promise<Piped> =>
    context.pipe?.(words, '', LIMITS) ?? Promise.resolve(NOT_STARTED)
  const isRemoval = command.join(' ') === remove.join(' ')
  const first = await run(command)
  if (first.code === 0) return { state: 'done' }
  if (isRemoval && (await run(show)).code !== 0) return { state: 'unchanged', why: 'it is not there' }
  const isReplaced = !isRemoval && (await run(remove)).code === 0
  const second = isReplaced ? await run(command) : first
  return second.code === 0
    ? { state: 'done', why: 'replaces the earlier one' }
    : { state: 'failed', why: failureOf(second) }
}

/** Clients start slowly, and some try the server first. */
const LIMITS = { milliseconds: 120_000, bytes: 1024 * 1024 }
const NOT_STARTED: Piped = { ended: 'missing', code: null, output: '', errors: '' }

function failureOf({ code, errors, output }: Piped): string {
  const lastLine = `${output}\n${errors}`.trim().split('\n').at(-1)!
  return `it ended with ${code ?? 'nothing'}${lastLine === '' ? '' : `: ${lastLine}`}`
}

/** Removes the folder unless it contains other files. */
function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

const MOST = 1024 * 1024

/**
 * The command line that starts this program: by name if it is on the path, otherwise as it was started now.
 */
export function ownWords(context: Machine & Programs): [program: string, ...args: string[]] {
  const { executable, script } = context.started
  return isOnPath('scrollback', context.environment.variables) ? ['scrollback'] : [executable, script]
}

/** The folder that the client itself uses: the first of those that we read. */
export const stateFolder = (platform: PlatformId, { environment }: Machine): string =>
  platformOf(platform).files.roots(environment)[0]!.path

/** The skill in our package. */
function skill(): Buffer {
  const path = inPackage('skills/scrollback/SKILL.md')
  const text = path && readOwn(path, MOST)
  if (text) return text
  throw new ScrollbackError('unreadable', 'The skill of this package is missing.', 'Reinstall Scrollback.')
}
