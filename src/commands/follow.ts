import * as z from 'zod/mini'
import { itemJson } from '../condense/item-json.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { field } from '../context/flags.ts'
import { freshStore } from '../context/fresh-store.ts'
import { faultOf } from '../context/read-files.ts'
import { createLiveInventory } from '../deliver/live-inventory.ts'
import { ScrollbackError } from '../errors.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'
import { isOfAgent } from '../model/session-filter.ts'
import { agentExamples, identityOf, platformIds } from '../platforms/identities.ts'
import { agentName } from '../platforms/identity.ts'
import { projectPathOf } from '../project/group.ts'
import { printable, printableJson } from '../render/terminal.ts'
import { finishSession, renderItems, voiceOf } from '../render/text.ts'
import { chooseNamed } from '../selection/choose-sessions.ts'
import { createProjectNames, loadSessions, markOpen } from '../selection/load-sessions.ts'
import type { Store } from '../store/store.ts'
import { itemKey } from '../sync/deduplicator.ts'
import { createFollower, type FollowBase } from '../sync/follow.ts'
import { readSession } from '../sync/read/read-session.ts'
import { messageRow } from '../sync/read-increment.ts'

const input = z.object({
  target: field.text({
    description: 'project or agent, the id of a session, or latest',
    positional: true,
  }),
  platform: field.choice(platformIds(), {
    description: 'only this platform',
    placeholder: 'id',
  }),
  agent: field.text({ description: `only this agent: ${agentExamples()}`, placeholder: 'id' }),
  last: field.count({ description: 'start with the last n items', placeholder: 'n' }),
  voice: field.textOr('default', {
    description: 'names of the speakers: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  lines: field.flag({ description: 'print file:line of each item' }),
  columns: field.count({ description: 'wrap lines at this width', placeholder: 'n' }),
  jsonl: field.flag({ description: 'print one item a line, as read --format jsonl does' }),
})

type Input = z.output<typeof input>

const output = () => z.object({ version: z.literal(1), items: z.number() })

/** Short enough to seem immediate, in ms. */
const SETTLE_MS = 15
/** An unknown file that was last modified longer ago than this is not new, in ms. */
const OLD_MS = 60_000

export const follow = defineCommand({
  stays: true,
  name: 'follow',
  summary: 'print messages and tool calls of all agents as they are written',
  details:
    'Prints messages, tools with their target, and errors until Ctrl-C. Each item is printed once, even when a transcript is rewritten, ' +
    'reset or moved.',
  examples: [
    { command: 'scrollback follow', description: 'follow every session of every agent' },
    { command: 'scrollback follow eastore', description: 'one project' },
    {
      command: 'scrollback follow 640ab4c7 --last 20',
      description: 'follow a session, starting with its last 20 items',
    },
    { command: 'scrollback follow --json | jq .text', description: 'for programs' },
  ],
  input,
  output,
  async run(given: Input, context: Context): Promise<z.output<ReturnType<typeof output>>> {
    const voice = voiceOf(given.voice)
    if (!voice)
      throw new ScrollbackError(
        'bad-option',
        `--voice: unknown voice "${given.voice}"`,
        'Choose default, devlog, or two names: --voice "Ann,Bot".',
      )
    const { store } = freshStore(context)
    const isWanted = await chosen(given, context)
    const stop = context.stop ?? new AbortController().signal
    const lookout = createLiveInventory(context.environment, stop, SETTLE_MS)
    const began = Date.now()
    // Other processes of ours may store what this one has not shown yet.
    const known = store.known()
    const newest = store.newest()
    const follower = createFollower({
      baseOf: (artifact) => baseOf(artifact, { store, known, newest }),
      isStored: (record, digest) => store.holds(record, digest, newest),
      plain: !context.redact,
    })
    const style = {
      voice,
      color: context.color === true,
      lines: given.lines,
      markdown: false,
      columns: given.columns || context.columns,
    }
    const asJson = given.jsonl || context.globalFlags?.json === true
    let count = 0
    let shown = ''
    const tell = async (whole: Session, items: readonly Item[]): Promise<void> => {
      if (items.length === 0) return
      count += items.length
      const session = finishSession(whole)
      const text = asJson
        ? items.map((item) => `${printableJson(JSON.stringify(itemJson(item, session)))}\n`).join('')
        : heading(session) + renderItems(items, session, style)
      await context.print(text, asJson ? 'json' : undefined)
    }
    const projectOf = createProjectNames(store)
    /** Prints a heading whenever another session continues. */
    const heading = (session: Session): string => {
      if (shown === session.path) return '\n'
      const first = shown === ''
      shown = session.path
      const who = agentName(identityOf(session.platform), session.agent)
      const title = printable(session.title ?? '')
        .replace(/\s+/g, ' ')
        .slice(0, 60)
      const { platform, root: path } = session
      const [marked] = markOpen([session], [{ platform, path, reason: '', found: true }])
      const open = marked?.open ? 'open' : ''
      const facts = [projectOf(session) ?? '', who, context.suggest.id(session.id), open, title].filter(
        (each) => each !== '',
      )
      return `${first ? '' : '\n'}━━ ${facts.map(printable).join(' · ')}\n`
    }
    const seen = new Map<string, string>()
    try {
      if (given.last) await tellLast(given.last, store, isWanted, tell, context.redact)
      for (const { artifact } of lookout.found().sources)
        if (artifact) seen.set(artifact.path, stateOf(artifact))
      context.note('Following. Press Ctrl-C to stop.')
      let version = 1
      // Reads what was written during the preparation.
      await look()
      while (!stop.aborted) {
        version = await lookout.changed(version)
        if (stop.aborted) break
        await look()
      }
    } finally {
      // Also if the reader of the output is gone: the process would wait for files to change.
      lookout.close()
    }
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

/** The store as it was when following began: its files, and the last of its messages. */
interface Beginning {
  store: Store
  known: ReturnType<Store['known']>
  newest: number
}

function baseOf(artifact: Artifact, { store, known, newest }: Beginning): FollowBase | undefined {
  const file =
    known.get(artifact.path) ??
    // The same file was renamed.
    [...known.values()].find(
      ({ checkpoint }) => checkpoint.identity === artifact.identity && artifact.identity !== undefined,
    )
  if (!file) return undefined
  const { path, sessionId } = file.artifact
  return {
    checkpoint: file.checkpoint,
    storedKeys: () =>
      new Set(
        store
          .messages(path)
          .filter(({ message }) => message <= newest)
          .map(({ record, ...item }) => {
            const row = messageRow(item, sessionId)
            return itemKey(record === undefined ? row : { ...row, record }, sessionId)
          }),
      ),
  }
}

/** The sessions to follow: those of a project or agent, including new ones; one session by id; or all. */
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
  } = await chooseNamed(loaded, { name: target, all: false, agent, mayBeEmpty: true }, context)
  const ids = new Set(sessions.map(({ id }) => id))
  if (by === 'id' || by === 'latest') return (session) => ids.has(session.id) && isMeant(session)
  const folders = new Set(named ? [] : sessions.flatMap((session) => folderOf(session) ?? []))
  return (session) =>
    isMeant(session) &&
    (ids.has(session.id) ||
      folders.has(projectPathOf(session) ?? '') ||
      (named !== undefined && session.platform === named.platform && session.agent === named.id))
}

/** Prints the latest messages of the most recently active sessions. */
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
  const items = artifact ? readSession(artifact, { redact }).items : store.messages(path)
  await tell(latest.session, items.slice(-count))
}
