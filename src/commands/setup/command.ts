import { join } from 'node:path'
import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { clients, joined } from '../../platforms/identities.ts'
import { printable } from '../../render/printable.ts'
import { homely } from '../../render/table.ts'
import { defineCommand } from '../kit/command.ts'
import { shellWord } from '../kit/command-line.ts'
import type { Context } from '../kit/context.ts'
import { field } from '../kit/flags.ts'
import { doStep, ownWords, type Step, stateFolder, stepsFor } from './steps.ts'

const known = clients()
const names = [...known.keys()]
const examples = [...known].map(([short, { name }]) => ({ short, name }))
const [first, second = first] = examples

const output = () =>
  z.object({
    version: z.literal(1),
    agent: z.enum(names),
    undo: z.boolean(),
    steps: z.array(
      z.object({
        what: z.enum(['write', 'delete', 'run']),
        path: z.optional(z.string()),
        command: z.optional(z.array(z.string())),
        state: z.enum(['planned', 'unchanged', 'done', 'failed']),
        why: z.optional(z.string()),
      }),
    ),
    /** What the status line of the client needs, which the user adds. */
    statusLine: z.optional(z.object({ path: z.string(), setting: z.string() })),
  })

export const setup = defineCommand({
  stays: true,
  name: 'setup',
  summary: `install the skill and the MCP tools for ${joined(
    examples.map(({ name }) => name),
    'or',
  )}`,
  details:
    'Shows what it would change, and asks first. It writes the skill into the folder of the client, and runs the client to add the MCP ' +
    'server to its settings. --undo removes both. It also prints the setting for the status line, which you add yourself.',
  examples: [
    { command: `scrollback setup ${first!.short}`, tells: `install both for ${first!.name}` },
    {
      command: `scrollback setup ${second!.short} --yes`,
      tells: `install both for ${second!.name} without asking`,
    },
    { command: `scrollback setup ${first!.short} --undo`, tells: 'remove both again' },
  ],
  input: z.object({
    agent: field.text({ description: joined(names, 'or'), positional: true }),
    undo: field.flag({ description: 'remove what it installed' }),
    yes: field.flag({ description: 'do not ask' }),
  }),
  output,
  async run({ agent, undo, yes }, context): Promise<z.output<ReturnType<typeof output>>> {
    const wanted = names.find((each) => each === agent)
    if (!wanted)
      throw new ScrollbackError(
        'bad-option',
        agent === undefined
          ? 'setup: for which agent program?'
          : `setup ${agent}: there is no such agent program here`,
        names.map((each) => context.suggest('setup', each)).join('\n'),
      )
    const planned = stepsFor(wanted, undo, context)
    const steps = (await isWanted(planned, wanted, undo, yes, context))
      ? await inTurn(planned, wanted, context)
      : planned
    if (steps.some(({ state }) => state === 'failed')) context.partly?.()
    return { version: 1, agent: wanted, undo, steps, ...statusLineOf(wanted, context) }
  },
  isVerbatim: () => true,
  *render({ undo, steps, statusLine }, { home, suggest }) {
    for (const step of steps) yield `${stepText(step, home)}\n`
    if (steps.some(({ state }) => state === 'planned'))
      yield `\nNothing was changed. To do it without a question: ${suggest.again({ flags: ['--yes'] })}\n`
    if (statusLine)
      yield undo
        ? `\nThe status line stays. To remove it, delete "statusLine" from ${homely(statusLine.path, home)}.\n`
        : `\nFor the status line, add this to ${homely(statusLine.path, home)}:\n  ${statusLine.setting}\n`
  },
})

/** Asks before it changes anything. */
async function isWanted(
  steps: readonly Step[],
  agent: string,
  undo: boolean,
  yes: boolean,
  context: Context,
): Promise<boolean> {
  if (steps.every(({ state }) => state !== 'planned')) return false
  if (yes || !context.choose) return yes
  for (const step of steps) context.note(stepText(step, context.environment.home))
  const picked = await context.choose(undo ? `Take this back from ${agent}?` : `Do this for ${agent}?`, [
    { label: 'Yes' },
    { label: 'No' },
  ])
  return picked === 0
}

/** The setting that shows our status line. Setup does not change it, because there may be another one. */
function statusLineOf(agent: string, context: Context): { statusLine?: { path: string; setting: string } } {
  const { id, statusLine: file } = known.get(agent)!
  if (file === undefined) return {}
  const command = [...ownWords(context), 'statusline'].map((word) => shellWord(word)).join(' ')
  const setting = `"statusLine": ${JSON.stringify({ type: 'command', command })}`
  return { statusLine: { path: join(stateFolder(id, context), file), setting } }
}

async function inTurn(steps: readonly Step[], agent: string, context: Context): Promise<Step[]> {
  const { client } = known.get(agent)!
  const done: Step[] = []
  for (const step of steps) done.push(await doStep(step, client, context))
  return done
}

const SIGNS = { planned: '·', unchanged: '·', done: '✓', failed: '✗' }

function stepText({ what, path, command, state, why }: Step, home: string): string {
  const target =
    path === undefined ? (command ?? []).map((word) => shellWord(word)).join(' ') : homely(path, home)
  return printable(`${SIGNS[state]} ${what} ${target}${why === undefined ? '' : ` (${why})`}`)
}
