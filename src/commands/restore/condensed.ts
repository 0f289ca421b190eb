import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { digestOf, pathBelow } from '../../io/agent-folder/paths.ts'
import type { Item, Session } from '../../model/session.ts'
import { shortTarget } from '../../model/written-files.ts'
import { condensedNote } from '../../platforms/condensed.ts'
import { platformOf } from '../../platforms/index.ts'
import type { CondensedMessage } from '../../platforms/platform.ts'
import { uuidOf } from '../../platforms/rewriting.ts'
import { counted } from '../../render/table.ts'
import { readerFor } from '../../selection/read-messages.ts'
import { resolveTargets } from '../../selection/read-targets.ts'
import {
  addToIndex,
  baseOf,
  emptyPlan,
  type IndexPlans,
  impossible,
  planIndexes,
  type RestorePlan,
  restoringOf,
  targetOf,
  withKey,
} from './files.ts'

/**
 * Plans a transcript for each session, made from its messages in the store. It has an id of its own, because
 * it is not the original. The same messages always make the same file.
 */
export async function condensedPlan(
  name: string,
  to: string | undefined,
  context: Context,
): Promise<RestorePlan> {
  const plan = emptyPlan()
  const indexes: IndexPlans = new Map()
  const { tasks } = await resolveTargets([name], { all: false, starred: false }, context)
  const read = readerFor({ fresh: context.fresh, redact: true })
  const here = new Set(context.fresh?.found.artifacts.map(({ path }) => path))
  const there = tasks.filter(({ artifact: { path } }) => here.has(path) || existsSync(path))
  if (there.length > 0 && there.length === tasks.length)
    throw new ScrollbackError(
      'bad-option',
      `The transcript is still there, in full: ${there[0]!.artifact.path}`,
      `Resume it: ${context.suggest('resume', [there[0]!.artifact.sessionId])}`,
    )
  if (there.length > 0)
    context.note(`${counted(there.length, 'session')} left out, whose transcripts are still there, in full.`)
  for (const task of tasks) {
    if (there.includes(task)) continue
    const { session, items } = read(task, { redact: true, usage: false })
    addCondensed(session, items, to, { plan, indexes }, context)
  }
  planIndexes(indexes, plan)
  return plan
}

function addCondensed(
  session: Session,
  items: readonly Item[],
  to: string | undefined,
  { plan, indexes }: { plan: RestorePlan; indexes: IndexPlans },
  context: Context,
): void {
  const platform = platformOf(session.platform)
  const restoring = restoringOf(platform)
  if (typeof restoring === 'string' || !restoring.condensed) {
    const reason =
      typeof restoring === 'string'
        ? restoring
        : `${platform.identity.name} resumes no transcript without what the store does not have`
    plan.impossible.push(impossible(session, reason, context))
    return
  }
  const directory = session.cwds[0]?.[0] ?? session.origins[0] ?? context.environment.home
  const id = uuidOf(`condensed ${session.platform} ${session.id}`)
  const target = targetOf(
    platform,
    session.root,
    to === undefined ? undefined : resolve(context.here, to),
    context.environment,
  )
  const messages = [noteOf(session, items), ...messagesOf(items)]
  const own = { id, agent: session.agent, directory, model: session.model }
  const { below, lines } = restoring.condensed(own, messages)
  const content = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { base, prefix } = baseOf(target)
  const path = pathBelow(base, prefix + below)
  const before = digestOf(path)
  const digest = createHash('sha256').update(content).digest('hex')
  const action = before === null ? 'create' : before === digest ? 'same' : 'different'
  plan.files.push({ path, to: null, action, bytes: content.length })
  plan.redacted += content.toString('latin1').split('[REDACTED:').length - 1
  if (action === 'create')
    plan.changes.push({ type: 'write', root: base, below: prefix + below, before, content: () => [content] })
  const isWritten = action !== 'different'
  const key = addToIndex(indexes, restoring, { ...session, id, target, below, isForeign: false, isWritten })
  plan.restored.push({
    ...withKey(session, restoring, key),
    id,
    root: target,
    path: join(target, below),
    state: 'live',
  })
  if (restoring.afterward && !plan.afterward.includes(restoring.afterward))
    plan.afterward.push(restoring.afterward)
}

/** The first message, which says what the transcript is. */
const noteOf = ({ id, title }: Session, items: readonly Item[]): CondensedMessage => ({
  who: 'human',
  at: timeOf(items.find(({ at }) => at !== undefined)?.at),
  text: condensedNote(
    id,
    title,
    items.reduce((last, { at = 0 }) => Math.max(last, at), 0),
  ),
})

/** Neighbors of one speaker become one message, because a model expects speakers to take turns. */
function messagesOf(items: readonly Item[]): CondensedMessage[] {
  const messages: CondensedMessage[] = []
  let at = 0
  for (const item of items) {
    if (item.offBranch || item.who === 'memory') continue
    at = item.at ?? at
    const who = item.who === 'human' || item.who === 'program' ? 'human' : 'agent'
    const text = textOf(item)
    if (text === '') continue
    const last = messages.at(-1)
    if (last?.who === who) last.text += `\n${text}`
    else messages.push({ who, at: timeOf(at), text })
  }
  return messages
}

function textOf({ who, text = '', tool, folded = [] }: Item): string {
  if (who === 'tool') return [tool, ...folded.map((each) => each.tool)].map(callOf).join('\n')
  if (who === 'error') return `[error: ${text}]`
  return who === 'marker' ? '' : text
}

const callOf = (tool: Item['tool']): string =>
  tool ? `[${tool.name}${tool.target === undefined ? '' : `: ${shortTarget(tool.target)}`}]` : ''

const timeOf = (ms = 0): string => new Date(ms).toISOString()
