import { chmodSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import type { Context, Machine, Piped, Programs } from '../context/context.ts'
import { field } from '../context/flags.ts'
import { ScrollbackError } from '../errors.ts'
import { readOwn, writePrivateFile } from '../io/own-files.ts'
import { inPackage, isOnPath, notStarted } from '../io/process.ts'
import type { PlatformId } from '../model/artifact.ts'
import { shellWord } from '../model/shell-word.ts'
import { clients, joined } from '../platforms/identities.ts'
import type { ClientSetup } from '../platforms/identity.ts'
import { platformOf } from '../platforms/index.ts'
import { homely } from '../render/table.ts'
import { changeHooks } from './hooks.ts'
import { areWanted, type Step as Steps, stepShape, stepText } from './steps.ts'

const known = clients()
const names = [...known.keys()]
const examples = [...known].map(([short, { name }]) => ({ short, name }))
const [first, second = first] = examples

const KINDS = ['write', 'delete', 'run'] as const

const output = () =>
  z.object({
    version: z.literal(1),
    agent: z.enum(names),
    undo: z.boolean(),
    steps: z.array(stepShape(KINDS)),
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
    'server to its settings, if it supports MCP. --recall also adds a hook that tells the client, with a prompt, what an earlier session says ' +
    'about it (see `scrollback recall`). --undo removes all of it. It also prints the setting for the status line, which you add yourself.',
  examples: [
    { command: `scrollback setup ${first!.short}`, description: `install both for ${first!.name}` },
    {
      command: `scrollback setup ${second!.short} --yes`,
      description: `install both for ${second!.name} without asking`,
    },
    { command: `scrollback setup ${first!.short} --undo`, description: 'remove both again' },
  ],
  input: z.object({
    agent: field.text({ description: joined(names, 'or'), positional: true }),
    recall: field.flag({ description: 'also add the hook that recalls earlier sessions, off by default' }),
    undo: field.flag({ description: 'remove what it installed' }),
    dryRun: field.flag({ description: 'show what would be changed, and change nothing' }),
    yes: field.flag({ description: 'do not ask' }),
  }),
  output,
  async run({ agent, recall, undo, dryRun, yes }, context): Promise<z.output<ReturnType<typeof output>>> {
    const wanted = names.find((each) => each === agent)
    if (!wanted)
      throw new ScrollbackError(
        'bad-option',
        agent === undefined ? 'setup: for which client?' : `setup ${agent}: there is no such client here`,
        names.map((each) => context.suggest.again({ arguments: [each] })).join('\n'),
      )
    const planned = [...stepsFor(wanted, undo, context), ...hookSteps(wanted, { recall, undo }, context)]
    const question = undo ? `Take this back from ${wanted}?` : `Do this for ${wanted}?`
    const isWanted = !dryRun && (await areWanted(planned, question, yes, context))
    const steps = isWanted ? await inTurn(planned, wanted, context) : planned
    if (steps.some(({ state }) => state === 'failed')) context.partly?.()
    return {
      version: 1,
      agent: wanted,
      undo,
      steps: steps.map(({ text: _, ...step }) => step),
      ...statusLineOf(wanted, context),
    }
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

/** A step; `text` is what it writes, unless that is the skill. */
type Step = Steps<(typeof KINDS)[number]> & { text?: string }

/** The steps that add this program to a client, or remove it. Only checks, changes nothing. */
function stepsFor(agent: string, undo: boolean, context: Context): Step[] {
  const { id, client, skills } = clients().get(agent)!
  const folder =
    typeof skills === 'string'
      ? join(context.environment.home, skills)
      : join(stateFolder(id, context), 'skills')
  const path = join(folder, 'scrollback', 'SKILL.md')
  const skillStep = undo ? deleteStep(path) : writeStep(path)
  return client ? [skillStep, runStep(client, undo, context)] : [skillStep]
}

/** The step that adds the hook to the settings of a client, or removes it if it is there. */
function hookSteps(
  agent: string,
  { recall, undo }: { recall: boolean; undo: boolean },
  context: Context,
): Step[] {
  const { id, name, recallHook: event, statusLine: file } = known.get(agent)!
  if (event === undefined || file === undefined) {
    if (!recall) return []
    throw new ScrollbackError('bad-option', `setup ${agent} --recall: ${name} has no hook for prompts`)
  }
  const path = target(join(stateFolder(id, context), file))
  const changed = changeHooks(
    readOwn(path, MOST)?.toString(),
    event,
    undo ? undefined : recallCommand(context),
  )
  if ('problem' in changed)
    return recall || undo ? [{ what: 'write', path, state: 'failed', why: changed.problem }] : []
  if (undo)
    return changed.text === undefined
      ? []
      : [{ what: 'write', path, state: 'planned', why: 'removes the hook', text: changed.text }]
  if (!recall) return []
  return changed.text === undefined
    ? [{ what: 'write', path, state: 'unchanged', why: 'has the hook already' }]
    : [
        {
          what: 'write',
          path,
          state: 'planned',
          why: `adds a hook for prompts: ${recallCommand(context)}`,
          text: changed.text,
        },
      ]
}

/** The file that a link leads to, so that the link stays. */
function target(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const recallCommand = (context: Machine & Programs): string =>
  [...ownWords(context), 'recall'].map((word) => shellWord(word)).join(' ')

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
  return { what: 'run', command, state: 'unchanged', why: `${command[0]} ${notStarted()}` }
}

/** Executes one step. */
async function doStep(step: Step, client: ClientSetup | undefined, context: Context): Promise<Step> {
  if (step.state !== 'planned') return step
  try {
    if (step.what === 'run') return { ...step, ...(await changed(step.command!, client!, context)) }
    if (step.what === 'write') {
      const mode = step.text === undefined ? undefined : statSync(step.path!, { throwIfNoEntry: false })?.mode
      writePrivateFile(step.path!, step.text ?? skill().toString())
      // Settings stay as open as the client has them.
      if (mode !== undefined) chmodSync(step.path!, mode & 0o777)
    } else {
      rmSync(step.path!)
      removeEmpty(dirname(step.path!), context.environment.home)
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
    : {
        state: 'failed',
        why: second.ended === 'missing' ? `${command[0]} ${notStarted()}` : failureOf(second),
      }
}

/** Clients start slowly, and some try the server first. */
const LIMITS = { milliseconds: 120_000, bytes: 1024 * 1024 }
const NOT_STARTED: Piped = { ended: 'missing', code: null, output: '', errors: '' }

function failureOf({ code, errors, output }: Piped): string {
  const lastLine = `${output}\n${errors}`.trim().split('\n').at(-1)!
  return `it ended with ${code ?? 'nothing'}${lastLine === '' ? '' : `: ${lastLine}`}`
}

/** Removes the folder of the skill and, in the home, those around it, as long as they have no other files. */
function removeEmpty(folder: string, home: string): void {
  if (readdirSync(folder).length > 0) return
  rmdirSync(folder)
  const around = dirname(folder)
  if (basename(folder) === 'scrollback' || around.startsWith(home + sep)) removeEmpty(around, home)
}

const MOST = 1024 * 1024

/**
 * The command line that starts this program: by name if it is on the path, otherwise as it was started now.
 */
function ownWords(context: Machine & Programs): [program: string, ...args: string[]] {
  const { executable, script } = context.started
  return isOnPath('scrollback', context.environment.variables) ? ['scrollback'] : [executable, script]
}

/** The folder that the client itself uses: the first of those that we read. */
function stateFolder(platform: PlatformId, { environment }: Machine): string {
  const { roots } = platformOf(platform).files
  // Where only folders of other platforms are given, it is the default one.
  const [root] = [...roots(environment), ...roots({ ...environment, dirs: undefined })]
  return root!.path
}

/** The skill in our package. */
function skill(): Buffer {
  const path = inPackage('skills/scrollback/SKILL.md')
  const text = path && readOwn(path, MOST)
  if (text) return text
  throw new ScrollbackError('unreadable', 'The skill is missing from this package.', 'Reinstall Scrollback.')
}
