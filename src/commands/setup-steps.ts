import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ScrollbackError } from '../errors.ts'
import { readOwn } from '../io/own-files.ts'
import { writePrivateFile } from '../io/private-file.ts'
import type { Context } from './command.ts'

export const AGENTS = ['claude', 'openclaw'] as const
export type SetupAgent = (typeof AGENTS)[number]

/** One change of the setup of an agent program, or the taking back of one. */
export interface Step {
  what: 'write' | 'delete' | 'run'
  /** Of the file that is written or deleted. */
  path?: string
  /** Of the program that is run, word by word. */
  command?: string[]
  state: 'planned' | 'unchanged' | 'done' | 'failed'
  /** What keeps it from being done, or why nothing is to do. */
  why?: string
}

/** What has to be done so that an agent program knows us, or no longer does. Looks, and changes nothing. */
export function stepsFor(agent: SetupAgent, undo: boolean, context: Context): Step[] {
  const path = join(stateFolder(agent, context), 'skills', 'scrollback', 'SKILL.md')
  return [undo ? deleteStep(path) : writeStep(path), runStep(agent, undo, context)]
}

function writeStep(path: string): Step {
  const there = readOwn(path, MOST)
  if (there?.equals(skill())) return { what: 'write', path, state: 'unchanged', why: 'is there already' }
  return { what: 'write', path, state: 'planned', ...(there ? { why: 'replaces another version' } : {}) }
}

function deleteStep(path: string): Step {
  const there = readOwn(path, MOST)
  if (!there) return { what: 'delete', path, state: 'unchanged', why: 'is not there' }
  if (!there.toString().includes('\nname: scrollback\n'))
    return { what: 'delete', path, state: 'unchanged', why: 'is no skill of ours' }
  return { what: 'delete', path, state: 'planned' }
}

/** The agent program changes its own settings: it alone knows their form. */
function runStep(agent: SetupAgent, undo: boolean, context: Context): Step {
  const own = ownWords(context)
  const command = {
    claude: undo
      ? ['claude', 'mcp', 'remove', '--scope', 'user', 'scrollback']
      : ['claude', 'mcp', 'add', '--scope', 'user', 'scrollback', '--', ...own, 'mcp'],
    openclaw: undo
      ? ['openclaw', 'mcp', 'unset', 'scrollback']
      : [
          ...['openclaw', 'mcp', 'add', 'scrollback', '--command', own[0]!],
          ...[...own.slice(1), 'mcp'].flatMap((word) => ['--arg', word]),
        ],
  }[agent]
  if (onPath(command[0]!, context)) return { what: 'run', command, state: 'planned' }
  return {
    what: 'run',
    command,
    state: 'unchanged',
    why: `${command[0]} is not installed, or not on your PATH`,
  }
}

/** Does one step. */
export async function doStep(step: Step, context: Context): Promise<Step> {
  if (step.state !== 'planned') return step
  try {
    if (step.what === 'write') {
      writePrivateFile(step.path!, skill().toString())
    } else if (step.what === 'delete') {
      rmSync(step.path!)
      removeEmpty(dirname(step.path!))
    } else {
      const code = await context.start?.(step.command!, context.here, {})
      if (code !== 0) return { ...step, state: 'failed', why: `it ended with ${code ?? 'nothing'}` }
    }
    return { ...step, state: 'done' }
  } catch (error) {
    return { ...step, state: 'failed', why: (error as Error).message }
  }
}

/** What somebody put beside our file stays. */
function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

const MOST = 1024 * 1024

/** How we are started by others: by name where that is found, or else as we were started now. */
function ownWords(context: Context): string[] {
  const { executable, script } = context.started
  return onPath('scrollback', context) ? ['scrollback'] : [executable, script]
}

const onPath = (name: string, { environment }: Context): boolean =>
  (environment.variables.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())

function stateFolder(agent: SetupAgent, { environment }: Context): string {
  const { home, variables, claudeDirs, openclawDirs } = environment
  return agent === 'claude'
    ? (claudeDirs?.[0] ?? (variables.CLAUDE_CONFIG_DIR || join(home, '.claude')))
    : (openclawDirs?.[0] ?? (variables.OPENCLAW_STATE_DIR || join(home, '.openclaw')))
}

/** The skill that travels with the package. */
function skill(): Buffer {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const text = readOwn(join(folder, 'skills/scrollback/SKILL.md'), MOST)
    if (text) return text
    if (dirname(folder) === folder)
      throw new ScrollbackError(
        'unreadable',
        'The skill that comes with the package is not there.',
        'Install it anew.',
      )
    folder = dirname(folder)
  }
}
