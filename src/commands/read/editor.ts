import { basename } from 'node:path'
import { nothingOmitted } from '../../condense/budget.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Context } from '../kit/context.ts'
import type { ReadTask } from '../kit/read-messages.ts'
import type { Reading } from './answer.ts'

/** Opens the requested transcript in the user's editor, at the line. Prints nothing else. */
export async function openInEditor(tasks: readonly ReadTask[], context: Context): Promise<Reading> {
  const [task] = tasks
  if (!task || tasks.length > 1)
    throw new ScrollbackError(
      'bad-option',
      `--editor opens one transcript, and ${tasks.length} are meant`,
      `Name one: ${context.suggest('read', 'latest', '--editor')}`,
    )
  const { path, database } = task.artifact
  if (database !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `${path} is a session in a database, and no file that an editor can show`,
      'Read it without --editor; --lines names each line.',
    )
  const { VISUAL, EDITOR } = context.environment.variables
  const words = (VISUAL || EDITOR || '').split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 || !context.start)
    throw new ScrollbackError(
      'bad-option',
      '--editor: no editor is named',
      'Set EDITOR, for example: export EDITOR=vi',
    )
  const code = await context.start(
    [...words, ...at(basename(words[0]!), path, task.line ?? 1)],
    context.here,
    {},
  )
  if (code === undefined)
    throw new ScrollbackError(
      'bad-option',
      `--editor: ${words[0]} could not be started`,
      'Set EDITOR to another one.',
    )
  if (code !== 0) context.partly?.()
  return {
    format: 'jsonl',
    isNothing: false,
    omitted: { ...nothingOmitted(), repeated: 0, subagents: 0 },
    *pieces() {},
  }
}

/** How each editor expects a line number. */
function at(editor: string, path: string, line: number): string[] {
  if (/^(?:code|code-insiders|codium|cursor|windsurf)$/.test(editor)) return ['--goto', `${path}:${line}`]
  if (/^(?:subl|zed|hx|helix|micro)$/.test(editor)) return [`${path}:${line}`]
  if (/^(?:idea|webstorm|pycharm|goland|clion|rider)$/.test(editor)) return ['--line', String(line), path]
  return [`+${line}`, path]
}
