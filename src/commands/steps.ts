import * as z from 'zod/mini'
import type { Context } from '../context/context.ts'
import { shownName } from '../model/hidden.ts'
import { shellWord } from '../model/shell-word.ts'
import { homely } from '../render/table.ts'

/** One change to this machine, as JSON: what a command would do, or has done. */
export const stepShape = <What extends string>(what: readonly What[]) =>
  z.object({
    what: z.enum(what),
    /** The file or directory that it is about. */
    path: z.optional(z.string()),
    /** The command to run, word by word. */
    command: z.optional(z.array(z.string())),
    state: z.enum(['planned', 'unchanged', 'done', 'failed']),
    /** Why it cannot be done, or why there is nothing to do. */
    why: z.optional(z.string()),
  })

/** One change to this machine. */
export interface Step<What extends string = string> {
  what: What
  path?: string | undefined
  command?: string[] | undefined
  state: 'planned' | 'unchanged' | 'done' | 'failed'
  why?: string | undefined
}

/** Whether the user wants the planned steps: they said so, or answer the question in a terminal. */
export async function areWanted(
  steps: readonly Step[],
  question: string,
  yes: boolean,
  { choose, note, environment }: Pick<Context, 'choose' | 'note' | 'environment'>,
): Promise<boolean> {
  if (steps.every(({ state }) => state !== 'planned')) return false
  if (yes || !choose) return yes
  for (const step of steps) note(stepText(step, environment.home))
  return (await choose(question, [{ label: 'Yes' }, { label: 'No' }])) === 0
}

const SIGNS = { planned: '·', unchanged: '·', done: '✓', failed: '✗' }

/** One step in a line. */
export function stepText({ what, path, command, state, why }: Step, home: string): string {
  const target =
    path === undefined ? (command ?? []).map((word) => shellWord(word)).join(' ') : homely(path, home)
  return shownName(`${SIGNS[state]} ${what} ${target}${why === undefined ? '' : ` (${why})`}`)
}
