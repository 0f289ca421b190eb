import { fitBudget } from '../../condense/condense.ts'
import { estimateTokens } from '../../condense/tokens.ts'
import type { Context } from '../../context/context.ts'
import { duration } from '../../context/time.ts'
import type { Artifact } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import type { Item, Session } from '../../model/session.ts'
import { beginOfRun } from '../../model/subagent-run.ts'
import { plainMarkdown } from '../../render/markdown.ts'
import { printable } from '../../render/terminal.ts'
import { finishSession, renderHeader } from '../../render/text.ts'
import { linked } from '../../selection/load-sessions.ts'
import {
  type Common,
  createShared,
  type Inlined,
  itemsOf,
  type LeftOut,
  type Piece,
  slicedPieces,
  withoutCommon,
} from '../../selection/pieces.ts'
import {
  cleaner,
  createStoredSlices,
  type ReadSettings,
  type ReadTask,
} from '../../selection/read-messages.ts'
import {
  type LinkedRun,
  type LoadedRuns,
  loadRuns,
  type Ran,
  type RunJson,
  runJson,
} from '../../selection/runs.ts'

interface Nesting {
  full: boolean
  /** The budget of the whole answer, in tokens. */
  tokens?: number
}

/** Sessions with their subagents inserted where they were started. */
interface Nested {
  runs: RunJson[]
  pieces(settings: ReadSettings, omitted: LeftOut): Generator<Piece>
}

export function nested(tasks: readonly ReadTask[], { full, tokens }: Nesting, context: Context): Nested {
  const loaded = loadRuns(context)
  const byPath = new Map(loaded.sessions.map((session) => [session.path, session]))
  const chosen = tasks.flatMap(({ artifact }) => byPath.get(artifact.path) ?? [])
  const family = familyOf(chosen, loaded)
  const subagentRuns = [...family.values()].flat()
  const inside = new Set(subagentRuns.flatMap(({ session }) => session?.path ?? []))
  const roots = tasks.filter(({ artifact }) => !inside.has(artifact.path))
  const clean = cleaner(context.redact)
  // With what other sessions say about them.
  const artifacts = linked(
    subagentRuns.flatMap(({ session }) => (session && loaded.artifactOf(session)) ?? []),
    context,
  )
  const byFile = new Map(artifacts.map((artifact) => [artifact.path, artifact]))
  const artifactOf = ({ path }: Session): Artifact | undefined => byFile.get(path)
  return {
    runs: subagentRuns.map((run) => runJson(run, clean, context.fresh?.store)),
    *pieces(settings, omitted) {
      omitted.subagents = Math.max(0, omitted.subagents - inside.size)
      const fitted = tokens === undefined ? undefined : fitAll(settings, tokens, omitted)
      const storedSlices = createStoredSlices(context)
      /** Subagents of the innermost ones that are shown inside of each other. They follow the session. */
      const later: LinkedRun[] = []
      const shared = createShared(settings, context, full)
      const commonOf = (task: ReadTask): Common | undefined => {
        const common = fitted ? undefined : shared(task)
        omitted.repeated += common?.count ?? 0
        return common
      }
      for (const task of roots) {
        const { path } = task.artifact
        if (fitted && isLeftOut(path, fitted)) continue
        const stored = storedSlices(task.artifact, full)
        yield* slicedPieces(task, settings, context, {
          full: full && !stored,
          common: commonOf(task),
          slices: fitted ? [fitted.get(path)].filter((each) => each !== undefined) : stored,
          shows: isOwnLine(path),
          inlined: inlinedIn(path, settings, 1),
        })
        for (let at = 0; at < later.length; at++) yield* runPieces(later[at]!, settings, DEEPEST)
      }

      function inlinedIn(path: string, within: ReadSettings, depth: number): Inlined[] {
        const runs = family.get(path) ?? []
        if (depth > DEEPEST) {
          append(later, runs)
          return []
        }
        return runs.map((run) => ({
          callId: run.callId,
          line: run.line,
          atMs: begunAt(run),
          pieces: () => runPieces(run, within, depth),
        }))
      }

      /** Whether a line of a session is not that of a subagent that has no transcript of its own. */
      function isOwnLine(path: string): (line: number) => boolean {
        const others = new Set((family.get(path) ?? []).flatMap(({ record }) => record?.lines ?? []))
        return (line) => !others.has(line)
      }

      function* runPieces(run: LinkedRun, within: ReadSettings, depth: number): Generator<Piece> {
        const own = run.session ?? (run.record?.lines ? run.parent : undefined)
        const artifact = own && (artifactOf(own) ?? loaded.artifactOf(own))
        const common = run.session && artifact ? commonOf({ artifact }) : undefined
        const narrowed = inset(within)
        const session = finishSession(own ?? run.parent!, settings.identities)
        const project = roots[0]?.project
        const bordered = within.format === 'text' || within.format === 'md'
        const border = (text: string): string => (bordered ? framed(text, within) : text)
        // A fork has copies of the subagents of its original.
        if (common?.isWhole) {
          if (bordered) yield { session, project, text: '\n', last: false }
          return
        }
        if (bordered)
          yield { session, project, text: `\n${border(headline(run, clean, within, context))}`, last: false }
        if (!own || !artifact) {
          if (bordered) yield { session, project, text: border(recordText(run, clean)), last: false }
          return
        }
        const item = fitted?.get(own.path)
        const stored = storedSlices(artifact, full)
        const lines = new Set(run.record?.lines)
        const slices = fitted ? (item ? [item] : []) : stored
        for (const piece of slicedPieces({ artifact, project }, narrowed, context, {
          full: full && !stored,
          slices,
          common,
          headless: true,
          ...(run.session
            ? {
                shows: isOwnLine(own.path),
                inlined: inlinedIn(own.path, narrowed, depth + 1),
              }
            : { shows: (line: number) => lines.has(line) }),
        }))
          yield {
            ...piece,
            text: bordered ? border(String(piece.text)) : piece.text,
            // The parent itself ends later.
            last: piece.last && run.session !== undefined,
          }
      }
    },
  }

  /** Whether the budget leaves nothing of a session and its subagents. Of one session, the heading stays. */
  function isLeftOut(path: string, fitted: ReadonlyMap<string, { items: readonly Item[] }>): boolean {
    const runs = runsBelow(path, family)
    const paths = [path, ...runs.flatMap(({ session }) => session?.path ?? [])]
    return roots.length > 1 && paths.every((each) => (fitted.get(each)?.items ?? []).length === 0)
  }

  /** All items, cut to the budget. */
  function fitAll(settings: ReadSettings, budget: number, omitted: LeftOut) {
    const gone = new Set(loaded.sessions.filter(isGone).map(({ path }) => path))
    const all = new Map<string, { path: string; session: Session; items: Item[]; heading: number }>()
    const shared = createShared(settings, context, full)
    let { repeated } = omitted
    const add = (artifact: Artifact, headingOf: (session: Session) => string): void => {
      // Only the file contains the ids of calls.
      const from = gone.has(artifact.path) ? context : { ...context, fresh: undefined }
      const read = itemsOf({ artifact }, settings, from)
      if (!read) return
      const common = shared({ artifact }, read)
      repeated += common?.count ?? 0
      const { session } = read
      const items = common ? withoutCommon(read.items, session, common) : read.items
      const heading = roots.length > 1 ? estimateTokens(headingOf(session)) : 0
      if (!common?.isWhole) all.set(artifact.path, { path: artifact.path, session, items, heading })
    }
    for (const { artifact, project } of roots) {
      add(artifact, (session) => renderHeader(session, project, { ...settings.style, color: false }))
      for (const run of runsBelow(artifact.path, family)) {
        const own = run.session && artifactOf(run.session)
        if (own) add(own, () => headline(run, clean, settings, context))
      }
    }
    const { subagents } = omitted
    Object.assign(omitted, fitBudget([...all.values()], budget), { subagents, repeated })
    return all
  }
}

/** How many subagents are shown inside of each other. */
const DEEPEST = 20

const isGone = ({ goneMs }: Session): boolean => goneMs !== undefined

/** The columns that a frame takes. */
const FRAME = 4

const inset = (settings: ReadSettings): ReadSettings => {
  const { columns } = settings.style
  return {
    ...settings,
    style: { ...settings.style, columns: columns === undefined ? undefined : Math.max(20, columns - FRAME) },
  }
}

/** Indents lines with a bar per level. */
const framed = (text: string, { format }: ReadSettings): string =>
  text.replace(/^(.*)\n/gm, (_, line: string) =>
    format === 'md' ? `> ${line}`.trimEnd().concat('\n') : `  │ ${line}`.trimEnd().concat('\n'),
  )

/** The agent and task of a subagent, its duration and its status. */
function headline(
  { record, session, outside }: LinkedRun,
  clean: (text: string) => string,
  { format }: ReadSettings,
  { suggest }: Pick<Context, 'suggest'>,
): string {
  const { type, description } = session?.subagent ?? {}
  const name = description ?? record?.label ?? ''
  const run = runJson({ record, session }, clean)
  const facts = [
    `subagent${type ? ` ${type}` : ''}${name ? `: ${clean(name)}` : ''}`,
    session ? suggest.id(session.id) : record?.lines ? '' : 'its transcript is gone',
    run.durationMs === null ? '' : duration(run.durationMs),
    run.status && run.status !== 'ok' ? run.status : '',
    run.error ?? '',
    outside ? 'outside the time of its parent' : '',
  ]
  const line = printable(facts.filter((fact) => fact !== '').join(' · ')).replace(/\s+/g, ' ')
  return format === 'md' ? `*${plainMarkdown(line)}*\n\n` : `${line}\n`
}

/** The record of a subagent whose transcript is missing. */
function recordText({ record }: LinkedRun, clean: (text: string) => string): string {
  const lines = [record?.task && `Task: ${record.task}`, record?.result && `Result: ${record.result}`]
  return printable(clean(lines.filter(Boolean).join('\n'))).replace(/(?<!\n)$/, '\n')
}

/** The subagents of some sessions, recursively: by the path of the transcript that started them, in order. */
type Family = ReadonlyMap<string, readonly LinkedRun[]>

function familyOf(sessions: readonly Session[], loaded: LoadedRuns): Family {
  const { begin, end } = spanOf(sessions)
  const roots = new Set(sessions.map(({ root }) => root))
  const ids = new Set(sessions.map(({ id }) => id))
  // A direct subagent ran during these sessions or names its parent. Its own subagents may have run longer.
  const maybe = loaded.runs.filter((run) => {
    const at = begunAt(run)
    const isNamed = ids.has(run.record?.parentSessionId ?? run.session?.parentSessionId ?? '')
    return (
      roots.has((run.session ?? run.record)!.root) &&
      (isNamed || at === undefined || (at >= begin && at <= end))
    )
  })
  const children = Map.groupBy(loaded.link(maybe), ({ parent }) => parent?.path ?? '')
  const family = new Map<string, LinkedRun[]>()
  const seen = new Set(sessions.map(({ path }) => path))
  const waiting = [...seen]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const own = (children.get(path) ?? []).filter(
      ({ session }) => session === undefined || !seen.has(session.path),
    )
    const runs: LinkedRun[] = []
    for (const run of own.sort(inOrder)) {
      // A resumed subagent has the same transcript.
      if (run.session && seen.has(run.session.path)) continue
      runs.push(run)
      if (!run.session) continue
      seen.add(run.session.path)
      waiting.push(run.session.path)
    }
    if (runs.length > 0) family.set(path, runs)
  }
  return family
}

/** The subagents of a session and those below them, each before the ones that it started. */
function runsBelow(path: string, family: Family): LinkedRun[] {
  const found: LinkedRun[] = []
  const waiting = [...(family.get(path) ?? [])].reverse()
  for (let run = waiting.pop(); run; run = waiting.pop()) {
    found.push(run)
    if (run.session) append(waiting, (family.get(run.session.path) ?? []).toReversed())
  }
  return found
}

const begunAt = ({ record, session }: Ran): number | undefined =>
  session?.startedMs ?? (record && beginOfRun(record))

/** How long a subagent may continue after its parent's last message, in ms. */
const LATER_MS = 86_400_000
const SLACK_MS = 60_000

const spanOf = (sessions: readonly Session[]): { begin: number; end: number } => ({
  begin:
    sessions.reduce((first, { startedMs }) => Math.min(first, startedMs ?? 0), Number.MAX_VALUE) - SLACK_MS,
  end:
    sessions.reduce(
      (last, { lastActivityMs, modifiedMs }) => Math.max(last, lastActivityMs ?? modifiedMs),
      0,
    ) + LATER_MS,
})

const inOrder = (one: LinkedRun, other: LinkedRun): number =>
  (one.line ?? 0) - (other.line ?? 0) || (begunAt(one) ?? 0) - (begunAt(other) ?? 0)
