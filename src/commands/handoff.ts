import * as z from 'zod/mini'
import { parseBudget } from '../condense/condense.ts'
import { defineCommand } from '../context/command.ts'
import { type Context, inTurns } from '../context/context.ts'
import { field } from '../context/flags.ts'
import { freshStore } from '../context/fresh-store.ts'
import { type Brief, BudgetTooSmall, briefsOf } from '../devlog/brief.ts'
import { namesInMarks } from '../devlog/citation.ts'
import { exchangesOf } from '../devlog/exchanges.ts'
import { gather } from '../devlog/gather.ts'
import { handoffFrame, handoffOf, type Point } from '../devlog/handoff.ts'
import type { SourceSession } from '../devlog/turns.ts'
import { ScrollbackError } from '../errors.ts'
import { isFolder } from '../io/directories.ts'
import { notStarted } from '../io/process.ts'
import type { Artifact } from '../model/artifact.ts'
import { shortName } from '../model/hidden.ts'
import type { Session } from '../model/session.ts'
import { identities, identityOf } from '../platforms/identities.ts'
import type { PlatformIdentity } from '../platforms/identity.ts'
import { unusualId } from '../platforms/resuming.ts'
import { createGate } from '../render/gate.ts'
import { codeSpan } from '../render/markdown.ts'
import { chooseOne } from '../selection/choose-sessions.ts'
import { createProjectNames, loadSessions } from '../selection/load-sessions.ts'
import { readerFor } from '../selection/read-messages.ts'
import { shortId } from '../selection/session-names.ts'

const USUAL_BUDGET = '8k'
/** Systems take so many bytes as one word of a command. Windows takes fewer. */
const MOST_BYTES = 120_000
const MOST_BYTES_WINDOWS = 30_000

const targets = identities.filter(({ begins }: PlatformIdentity) => begins !== undefined)

const input = z.object({
  session: field.text({
    description: 'session id or the beginning of one, latest, or <project>:latest',
    positional: true,
  }),
  to: field.choice(
    targets.map(({ short }) => short),
    { description: 'the agent that takes over', placeholder: 'agent' },
  ),
  budget: field.checked((text) => parseBudget(text) !== undefined, 'use a number of tokens: 4k, 1500', {
    description: 'fit the brief into this many tokens, 8k by default',
    placeholder: 'tokens',
  }),
  run: field.flag({ description: 'with --to: start a session of that agent with the brief' }),
})

type Input = z.output<typeof input>

const points = () => z.array(z.object({ text: z.string(), citation: z.string() }))

const output = () =>
  z.object({
    version: z.literal(1),
    session: z.string(),
    platform: z.string(),
    to: z.nullable(z.string()),
    directory: z.nullable(z.string()),
    /** Each point has a citation that `read` accepts: `640ab4c7:12`. */
    goal: points(),
    state: points(),
    decisions: points(),
    open: points(),
    files: z.array(z.object({ path: z.string(), text: z.string(), citation: z.string() })),
    budget: z.number(),
    tokens: z.number(),
    /** Messages in the brief: whole, cut, and left out. */
    messages: z.object({ whole: z.number(), cut: z.number(), leftOut: z.number() }),
    /** The brief in Markdown. */
    text: z.string(),
    /** With `--run`: the exit code of the client. */
    exitCode: z.nullable(z.number()),
  })

type HandedOver = z.output<ReturnType<typeof output>>

export const handoff = defineCommand({
  name: 'handoff',
  summary: 'print a brief with which another agent continues, or start that agent with it',
  details:
    'The brief has the goal, the state, the decisions, the open points, the changed files, and the conversation as far as the budget allows, each ' +
    'with a citation that "scrollback read" accepts. It is made by rules, without a model, and secrets are always redacted.\n\n' +
    '--run starts the agent of --to in the folder of the session, with the brief as its first prompt. There each @ is written as ＠, so ' +
    'that the client attaches no file that a transcript names.',
  examples: [
    { command: 'scrollback handoff 640ab4c7 --to codex', description: 'print a brief for Codex' },
    {
      command: 'scrollback handoff eastore:latest --to pi --run',
      description: 'start pi with it',
    },
    {
      command: 'scrollback handoff 640ab4c7 --budget 2k | pbcopy',
      description: 'copy a short one for any agent',
    },
    { command: 'scrollback handoff 640ab4c7 --json | jq .open', description: 'list the open points' },
  ],
  input,
  output,
  needs: 'messages',
  onlyRedacted: { because: 'another agent and its provider read the brief' },
  check: ({ run, to }, { start }) => {
    if (run && to === undefined)
      throw new ScrollbackError(
        'bad-option',
        '--run needs --to',
        `Name the agent: --to ${targets.map(({ short }) => short).join('|')}`,
      )
    if (run && !start)
      throw new ScrollbackError(
        'bad-option',
        '--run: cannot start a program here',
        'Print the brief without --run.',
      )
  },
  run: (given: Input, context: Context) => handedOver(given, context),
  isVerbatim: () => true,
  *render({ text, exitCode }) {
    if (exitCode === null) yield text
  },
})

async function handedOver(given: Input, context: Context): Promise<HandedOver> {
  const { session: name, budget: wanted = USUAL_BUDGET, run } = given
  if (name === undefined)
    throw new ScrollbackError(
      'bad-option',
      'The session is missing.',
      `Use its id or a prefix of it, or hand over the last one: ${context.suggest('handoff', ['latest'])}`,
    )
  const loaded = loadSessions({}, context)
  const session = await chooseOne(loaded, { name }, context)
  const unusual = unusualId(session)
  if (unusual !== undefined)
    throw new ScrollbackError('no-session', `This session cannot be handed over: ${unusual}.`)
  const sources = sourcesOf(session, loaded.all, context)
  const items = sources.reduce((sum, source) => sum + source.items.length, 0)
  const subject = {
    project: createProjectNames(freshStore(context).store)(session) ?? null,
    topic: null,
    coverage: {
      sessions: { used: sources.length, fitting: sources.length, seen: sources.length },
      items: { read: items, there: items },
      duplicates: 0,
    },
  }
  const evidence = await inTurns(gather(sources, subject), context)
  const budget = parseBudget(wanted)!
  const to = targets.find(({ short }) => short === given.to)
  const directory = session.cwds[0]?.[0]
  const frame = handoffFrame({
    session: session.id,
    from: authorOf(session),
    to: to?.name,
    directory,
    branch: session.branches?.at(-1),
  })
  const nameOf = namesInMarks(context.suggest)
  const options = { style: 'story', voice: 'agent', budget, frame, nameOf } as const
  const brief = await fittingBrief(inTurns(briefsOf(sources, evidence, options), context), wanted)
  const lists = handoffOf(evidence, exchangesOf(sources), budget)
  const cited = <Row extends Point>(all: readonly Row[]) =>
    all.map((point) => ({ ...point, citation: `${nameOf(point.citation.session)}:${point.citation.line}` }))
  const text = createGate({ redact: true, colors: false }).output(brief.text)
  return {
    version: 1,
    session: session.id,
    platform: session.platform,
    to: to?.id ?? null,
    directory: directory ?? null,
    goal: cited(lists.goal),
    state: cited(lists.state),
    decisions: cited(lists.decisions),
    open: cited(lists.open),
    files: cited(lists.files),
    budget,
    tokens: brief.tokens,
    messages: brief.messages,
    text,
    exitCode: run && to ? await begin(to, { session, text: text.replaceAll('@', '＠') }, context) : null,
  }
}

/** The agent and its model. What a record says of them is quoted. */
function authorOf({ platform, agent, model }: Session): string {
  const { name, manyAgents, programs } = identityOf(platform)
  const own = programs?.[agent] ?? (manyAgents ? `${name} ${codeSpan(shortName(agent))}` : name)
  return model === undefined ? own : `${own} with ${codeSpan(shortName(model))}`
}

/** The first of the briefs. `wanted` is the budget as it was given. */
async function fittingBrief(briefs: Promise<Brief[]>, wanted: string): Promise<Brief> {
  try {
    return (await briefs)[0]!
  } catch (error) {
    if (!(error instanceof BudgetTooSmall)) throw error
    throw new ScrollbackError(
      'bad-option',
      `--budget: ${wanted} tokens are too few for this session`,
      'Allow more: --budget 8k',
    )
  }
}

/** The session and its subagents. Where no human spoke, whoever prompted it is the one to listen to. */
function sourcesOf(session: Session, all: readonly Session[], context: Context): SourceSession[] {
  const fresh = freshStore(context)
  const read = readerFor({ fresh, redact: true })
  const artifacts = new Map(fresh.found.artifacts.map((artifact) => [artifact.path, artifact]))
  const project = createProjectNames(fresh.store)(session)
  const sourceOf = (each: Session, main: boolean): SourceSession => {
    const artifact = artifacts.get(each.path) ?? ({ path: each.path } as Artifact)
    const { items } = read({ artifact }, { redact: true, usage: false })
    const isPrompted = main && each.human === 0
    return {
      session: each,
      project,
      main,
      items: isPrompted
        ? items.map((item) => (item.who === 'program' ? { ...item, who: 'human' } : item))
        : items,
    }
  }
  const subagents = all.filter(
    ({ platform, root, parentSessionId, kind }) =>
      platform === session.platform &&
      root === session.root &&
      parentSessionId === session.id &&
      kind === 'subagent',
  )
  return [sourceOf(session, true), ...subagents.map((each) => sourceOf(each, false))]
}

/** Starts the client where the session ran, if that folder is still there. */
async function begin(
  { begins = [], name, sessionFlag }: PlatformIdentity,
  { session, text }: { session: Session; text: string },
  context: Context,
): Promise<number> {
  const most = process.platform === 'win32' ? MOST_BYTES_WINDOWS : MOST_BYTES
  if (Buffer.byteLength(text) > most)
    throw new ScrollbackError(
      'bad-option',
      `--budget: ${name} cannot be started with a prompt of this length`,
      'Use a smaller --budget, or print the brief into a file and tell the agent to read it.',
    )
  const directory = session.cwds[0]?.[0]
  const isThere = directory !== undefined && isFolder(directory)
  if (directory !== undefined && !isThere)
    context.note(`${directory} no longer exists: ${name} is started in the current folder.`)
  const own = `handoff-${shortId(session.id)}-${context.now.toString(36)}`
  const named = sessionFlag === undefined ? [] : [sessionFlag, own]
  const code = await context.start!([...begins, text, ...named], isThere ? directory : context.here, {})
  if (code === undefined)
    throw new ScrollbackError(
      'no-session',
      `${begins[0]} ${notStarted()}.`,
      'Install it, or print the brief without --run.',
    )
  if (code !== 0) context.partly?.()
  return code
}
