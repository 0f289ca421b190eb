import * as z from 'zod/mini'
import { createLookout } from '../collect/delivery/lookout.ts'
import { createFollower, type FollowBase } from '../collect/follow.ts'
import { messageRow } from '../collect/read-increment.ts'
import { readSession } from '../collect/read-session.ts'
import { toldKey } from '../collect/told-once.ts'
import { itemJson } from '../condense/item-json.ts'
import { printable, printableJson } from '../condense/printable.ts'
import { renderItems } from '../condense/render-text.ts'
import { voiceOf } from '../condense/voice.ts'
import { ScrollbackError } from '../errors.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'
import { isOfAgent } from '../project/agents.ts'
import { projectNameOf, projectPathOf } from '../project/group.ts'
import type { Store } from '../store/store.ts'
import { chooseNamed } from './choose-sessions.ts'
import { type Context, defineCommand, PLATFORM_IDS } from './command.ts'
import { field } from './fields.ts'
import { freshStore } from './fresh-store.ts'
import { faultOf } from './index-job.ts'
import { loadSessions } from './load.ts'
import { markOpen } from './open-now.ts'
import { finishSession } from './read-job.ts'
import { shortId } from './sessions.ts'

const input = z.object({
  target: field.text({
    description: 'project or agent, the id of a session, or latest',
    positional: true,
  }),
  platform: field.choice(PLATFORM_IDS, { description: 'only this agent program', placeholder: 'id' }),
  agent: field.text({ description: 'only this agent: main, openclaw:main', placeholder: 'id' }),
  last: field.count({ description: 'begin with the last n things that were said', placeholder: 'n' }),
  voice: field.textOr('default', {
    description: 'how the two are called: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  lines: field.flag({ description: 'name file:line of everything' }),
  columns: field.count({ description: 'break lines at this width', placeholder: 'n' }),
  jsonl: field.flag({ description: 'one item a line, as read --format jsonl has them' }),
})

type Input = z.output<typeof input>

const output = () => z.object({ version: z.literal(1), items: z.number() })

/** Whoever watches wants to see it at once, in ms. */
const SETTLE_MS = 15
/** A file that nobody knows and nobody wrote to for so long was not written now, in ms. */
const OLD_MS = 60_000

export const follow = defineCommand({
  stays: true,
  name: 'follow',
  summary: 'what is being said now, condensed, by all agents at once',
  details:
    'Prints as it is written, until Ctrl-C: words whole, tools with their target, errors. Each thing once, also where a transcript is ' +
    'rewritten, reset or moved.',
  examples: [
    { command: 'scrollback follow', tells: 'every session of every agent' },
    { command: 'scrollback follow eastore', tells: 'one project' },
    { command: 'scrollback follow 640ab4c7 --last 20', tells: 'one session, from a little before' },
    { command: 'scrollback follow --jsonl | jq .text', tells: 'for programs' },
  ],
  input,
  output,
  async run(given: Input, context: Context): Promise<z.output<ReturnType<typeof output>>> {
    const voice = voiceOf(given.voice)
    if (!voice)
      throw new ScrollbackError(
        'bad-option',
        `--voice ${given.voice}: unknown`,
        'Choose default, devlog, or two names: --voice "Ann,Bot".',
      )
    const own: Context = { ...context, redact: true, storePath: context.storePath ?? ':memory:' }
    const { store } = freshStore(own)!
    const isWanted = await chosen(given, own)
    const stop = context.stop ?? new AbortController().signal
    const lookout = createLookout(context.environment, stop, SETTLE_MS)
    const began = Date.now()
    const known = store.known()
    const follower = createFollower({
      baseOf: (artifact) => baseOf(artifact, store, known),
      isStored: store.holds,
      plain: !context.redact,
    })
    const style = {
      voice,
      color: context.color === true,
      lines: given.lines,
      markdown: false,
      columns: given.columns || context.columns,
    }
    let count = 0
    let shown = ''
    const tell = async (whole: Session, items: readonly Item[]): Promise<void> => {
      if (items.length === 0) return
      count += items.length
      const session = finishSession(whole)
      const text = given.jsonl
        ? items.map((item) => `${printableJson(JSON.stringify(itemJson(item, session)))}\n`).join('')
        : heading(session) + renderItems(items, session, style)
      await context.print(text)
    }
    /** Told whenever another session speaks. */
    const heading = (session: Session): string => {
      if (shown === session.path) return '\n'
      const first = shown === ''
      shown = session.path
      const who = session.platform === 'claude-code' ? 'Claude Code' : `OpenClaw ${session.agent}`
      const title = printable(session.title ?? '')
        .replace(/\s+/g, ' ')
        .slice(0, 60)
      const { platform, root: path } = session
      markOpen([session], [{ platform, path, reason: '', found: true }])
      const open = session.open ? 'open' : ''
      const facts = [projectNameOf(session) ?? '', who, shortId(session.id), open, title].filter(
        (each) => each !== '',
      )
      return `${first ? '' : '\n'}━━ ${facts.map(printable).join(' · ')}\n`
    }
    if (given.last) await tellLast(given.last, store, isWanted, tell, context.redact)
    const seen = new Map<string, string>()
    for (const { artifact } of lookout.found().sources)
      if (artifact) seen.set(artifact.path, stateOf(artifact))
    context.note('Following. Ctrl-C ends it.')
    let version = 1
    // What was written while everything was prepared.
    await look()
    while (!stop.aborted) {
      version = await lookout.changed(version)
      if (stop.aborted) break
      await look()
    }
    lookout.close()
    return { version: 1, items: count }

    async function look(): Promise<void> {
      for (const { artifact } of lookout.found().sources) {
        if (!artifact || seen.get(artifact.path) === stateOf(artifact)) continue
        const isNew = !seen.has(artifact.path)
        seen.set(artifact.path, stateOf(artifact))
        if (isNew && artifact.modifiedMs < began - OLD_MS && !known.has(artifact.path)) continue
        try {
          const { session, items } = follower.read(artifact)
          if (session && isWanted(session)) await tell(session, items)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw error
          context.note(`${artifact.path} ${faultOf(error)}`)
        }
      }
    }
  },
  *render() {},
  *json() {},
})

const stateOf = ({ bytes, modifiedMs, identity, besideMs }: Artifact): string =>
  `${bytes} ${modifiedMs} ${identity} ${besideMs}`

function baseOf(artifact: Artifact, store: Store, known: ReturnType<Store['known']>): FollowBase | undefined {
  const file =
    known.get(artifact.path) ??
    // The same file under another name, which it has since.
    [...known.values()].find(
      ({ checkpoint }) => checkpoint.identity === artifact.identity && artifact.identity !== undefined,
    )
  const state = file && store.state(file.id)
  if (!file || !state) return undefined
  const { path, sessionId } = file.artifact
  return {
    checkpoint: file.checkpoint,
    state,
    told: () =>
      new Set(store.messages(path).map((item) => toldKey(messageRow(item, sessionId, []), sessionId))),
  }
}

/** Which sessions are wanted: those of a project or an agent, new ones too; one by its id; or all. */
async function chosen(
  { target, platform, agent }: Input,
  context: Context,
): Promise<(session: Session) => boolean> {
  const isMeant = (session: Session): boolean =>
    (platform === undefined || session.platform === platform) &&
    (agent === undefined || isOfAgent(session, agent))
  if (target === undefined && agent === undefined) return isMeant
  const loaded = loadSessions({ platform, agent }, context)
  if (target === undefined) return isMeant
  const {
    sessions,
    by,
    folderOf,
    agent: named,
  } = await chooseNamed(loaded, { name: target, all: false, agent }, context)
  const ids = new Set(sessions.map(({ id }) => id))
  if (by === 'id' || by === 'latest') return (session) => ids.has(session.id) && isMeant(session)
  const folders = new Set(named ? [] : sessions.flatMap((session) => folderOf(session) ?? []))
  return (session) =>
    isMeant(session) &&
    (ids.has(session.id) ||
      folders.has(projectPathOf(session) ?? '') ||
      (named !== undefined && session.platform === named.platform && session.agent === named.id))
}

/** The last things that were said, of the sessions that spoke last. */
async function tellLast(
  count: number,
  store: Store,
  isWanted: (session: Session) => boolean,
  tell: (session: Session, items: readonly Item[]) => Promise<void>,
  redact: boolean,
): Promise<void> {
  const [latest] = store
    .sessions()
    .filter(({ session, goneMs }) => goneMs === undefined && isWanted(session))
    .sort((a, b) => (b.session.lastActivityMs ?? 0) - (a.session.lastActivityMs ?? 0))
  if (!latest) return
  const { path } = latest.session
  const artifact = redact ? undefined : store.known().get(path)?.artifact
  const items = artifact ? readSession(artifact, { purpose: 'read', redact }).items : store.messages(path)
  await tell(latest.session, items.slice(-count))
}
