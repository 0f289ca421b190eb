import * as z from 'zod/mini'
import { printable } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { AGENTS, doStep, type SetupAgent, type Step, stepsFor } from './setup-steps.ts'
import { shellWord } from './shell-word.ts'
import { homely } from './table.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    agent: z.enum(AGENTS),
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
  })

export const setup = defineCommand({
  stays: true,
  name: 'setup',
  summary: 'lets Claude Code or OpenClaw recall its own history: installs the skill and the tools',
  details:
    'Shows what it is going to change, and asks. It writes the skill into the agent program’s folder, and has that program itself add the ' +
    'server of tools to its settings. --undo takes both back.',
  examples: [
    { command: 'scrollback setup claude', tells: 'skill and tools for Claude Code' },
    { command: 'scrollback setup openclaw --yes', tells: 'for OpenClaw, without a question' },
    { command: 'scrollback setup claude --undo', tells: 'as it was before' },
  ],
  input: z.object({
    agent: field.text({ description: AGENTS.join(' or '), positional: true }),
    undo: field.flag({ description: 'take back what it installed' }),
    yes: field.flag({ description: 'do it without asking' }),
  }),
  output,
  async run({ agent, undo, yes }, context): Promise<z.output<ReturnType<typeof output>>> {
    const wanted = AGENTS.find((each) => each === agent)
    if (!wanted)
      throw new ScrollbackError(
        'bad-option',
        agent === undefined
          ? 'setup: for which agent program?'
          : `setup ${agent}: there is no such agent program here`,
        AGENTS.map((each) => context.suggest('setup', each)).join('\n'),
      )
    const planned = stepsFor(wanted, undo, context)
    const steps = (await isWanted(planned, wanted, undo, yes, context))
      ? await inTurn(planned, context)
      : planned
    if (steps.some(({ state }) => state === 'failed')) context.partly?.()
    return { version: 1, agent: wanted, undo, steps }
  },
  *render({ agent, steps }, { home, suggest }) {
    for (const step of steps) yield `${stepText(step, home)}\n`
    if (steps.some(({ state }) => state === 'planned'))
      yield `\nNothing was changed. To do it without a question: ${suggest('setup', agent, '--yes')}\n`
  },
})

/** Nothing is changed that nobody agreed to. */
async function isWanted(
  steps: readonly Step[],
  agent: SetupAgent,
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

async function inTurn(steps: readonly Step[], context: Context): Promise<Step[]> {
  const done: Step[] = []
  for (const step of steps) done.push(await doStep(step, context))
  return done
}

const SIGNS = { planned: '·', unchanged: '·', done: '✓', failed: '✗' }

function stepText({ what, path, command, state, why }: Step, home: string): string {
  const target = path === undefined ? (command ?? []).map(shellWord).join(' ') : homely(path, home)
  return printable(`${SIGNS[state]} ${what} ${target}${why === undefined ? '' : ` (${why})`}`)
}
