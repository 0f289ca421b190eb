import { openCalls } from '../model/open-calls.ts'
import type { Item, Session } from '../model/session.ts'
import { isEditing, isRunning } from '../model/tool-kind.ts'

/**
 * A session with its items in file order. A main session was driven by a human; others ran meanwhile:
 * subagents, schedules, programs.
 */
export interface SourceSession {
  session: Session
  project: string | undefined
  main: boolean
  items: readonly Item[]
}

/** A prompt and everything up to the next one. Items before the first prompt belong to no turn. */
export interface Turn {
  source: SourceSession
  prompt: Item
  /** What followed the prompt. */
  items: Item[]
  /** In ms. Of the prompt, or of the first item with a time. */
  at: number
  /** Of the last item with a time. */
  end: number
  /** The marker of a compaction during this turn or right before it. */
  compacted: Item | undefined
}

/** The turns of the active branch of a session, in order. */
export function turnsOf(source: SourceSession): Turn[] {
  const turns: Turn[] = []
  let compacted: Item | undefined
  let last = source.session.startedMs ?? source.session.modifiedMs
  for (const item of source.items) {
    if (item.offBranch) continue
    last = item.at ?? last
    if (item.who === 'human' || item.who === 'program') {
      turns.push({ source, prompt: item, items: [], at: last, end: last, compacted })
      compacted = undefined
      continue
    }
    const turn = turns.at(-1)
    if (item.who === 'marker' && item.marker === 'compaction') compacted = item
    if (!turn) continue
    turn.items.push(item)
    turn.end = last
  }
  return turns
}

/** A tool call with its error, if it failed. */
export interface Call {
  source: SourceSession
  item: Item
  name: string
  target: string
  error: Item | undefined
  /** A person declined it. */
  denial?: Item
  /** The prompt that it followed. */
  prompt: Item | undefined
}

/** The calls of a session's active branch, in order. */
export function callsOf(source: SourceSession): Call[] {
  const prompts = new Map<Item, Item>()
  for (const { prompt, items } of turnsOf(source)) for (const item of items) prompts.set(item, prompt)
  const calls: Call[] = []
  const open = openCalls<Call>()
  for (const item of source.items) {
    if (item.offBranch || item.label === 'output') continue
    if (item.who === 'error') {
      const call = open.answered(item)
      if (call) call.error ??= item
    }
    if (item.marker === 'denial') {
      const call = open.answered(item)
      if (call) call.denial ??= item
    }
    if (item.who !== 'tool' || !item.tool) continue
    const { name, target = '' } = item.tool
    const call: Call = { source, item, name, target, error: undefined, prompt: prompts.get(item) }
    calls.push(call)
    open.made(item, call)
  }
  return calls
}

type Made = Pick<Call, 'name' | 'target' | 'denial'>

export const isCommand = ({ name, target, denial }: Made): boolean =>
  target !== '' && !denial && isRunning(name)

export const isEdit = ({ name, target, denial }: Made): boolean => target !== '' && !denial && isEditing(name)

/** The record states a failure, or its output certainly reads like one. */
export const failed = ({ error }: Pick<Call, 'error'>): boolean => error !== undefined && error.sure !== false

const HIDES_FAILURE = /(?<!\|)\|(?!\|)|\|\||;\s*\S/

/**
 * The exit code of a command line with a pipe, an alternative or a further command is not that of the first.
 */
export const hidesFailure = (call: Pick<Call, 'name' | 'target'>): boolean =>
  isCommand(call) && HIDES_FAILURE.test(call.target)

const FOLDER = /^(?:cd\s+\S+\s*(?:&&|;)\s*)+/

/**
 * What two command lines have in common if one is another attempt at the same: the program and its first
 * argument, and of a runner of scripts the name of the script. The folder does not count.
 */
export function attemptOf({ target }: Pick<Call, 'target'>): string {
  const words = target.replace(FOLDER, '').split(/\s+/)
  return words.slice(0, words[1] === 'run' ? 3 : 2).join(' ')
}

const SHOWN_PARTS = 3

/** A path as it is shown: relative to the session's folder, else its last parts. */
export function shownPath(path: string, { cwds }: Pick<Session, 'cwds'>): string {
  const folder = cwds?.[0]?.[0]
  if (folder !== undefined && path.startsWith(`${folder}/`)) return path.slice(folder.length + 1)
  const parts = path.split(/[/\\]/)
  return /^(?:[~/\\]|[a-z]:)/i.test(path) && parts.length > SHOWN_PARTS + 1
    ? parts.slice(-SHOWN_PARTS).join('/')
    : path
}
