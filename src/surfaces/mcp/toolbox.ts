import type { Context } from '../../commands/kit/command.ts'
import { type ErrorCode, ScrollbackError } from '../../errors.ts'
import type { Steps } from '../../model/steps.ts'
import { createKeeper } from '../keeper.ts'
import { inTurns } from '../turns.ts'
import { argumentsOf, checkArguments } from './arguments.ts'
import { offsetOf } from './cursor.ts'
import { cut } from './cut.ts'
import { framed, LEAD_ALONE, marked, presentable, WARNING } from './frame.ts'
import { nothing } from './nothing.ts'
import { pageOf } from './page.ts'
import { USUAL_BYTES } from './sizes.ts'
import { tools } from './tools.ts'

const LONGEST = 2000

/** The result of a call: the same answer as text between markers and as an object. */
interface Result {
  [field: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface Toolbox {
  has(name: string): boolean
  /**
   * Runs one call after another. Rejects with the reason of `stop` if that aborts. Errors are returned as
   * answers.
   */
  call(name: string, given: object, stop?: AbortSignal): Promise<Result>
  /** Resolves when all calls are answered. */
  idle(): Promise<void>
  close(): void
}

/**
 * The reading commands as tools for agents, with bounded answers. `showsStructured` says whether the client
 * shows the structured form to its agent, so that the text need not repeat it.
 */
export function createToolbox(base: Context, showsStructured: () => boolean): Toolbox {
  const keeper = createKeeper(base)
  const known = new Map(tools.map((tool) => [tool.name, tool]))
  let last: Promise<unknown> = Promise.resolve()
  return {
    has: (name) => known.has(name),
    call(name, given, stop) {
      const answer = last.then(() => answered(name, given, stop))
      last = answer.catch(() => {})
      return answer
    },
    async idle() {
      await last
    },
    close: () => keeper.close(),
  }

  async function answered(name: string, given: object, stop: AbortSignal | undefined): Promise<Result> {
    stop?.throwIfAborted()
    try {
      return resultOf(await ask(name, given, stop), showsStructured())
    } catch (error) {
      if (stop?.aborted) throw error
      // Open a damaged store again.
      if (!(error instanceof ScrollbackError) || error.code === 'store-unreadable') keeper.close()
      return { ...resultOf(faultOf(error), showsStructured()), isError: true }
    }
  }

  async function ask(name: string, given: object, stop: AbortSignal | undefined): Promise<object> {
    const tool = known.get(name)!
    const command = await tool.command()
    const checked = checkArguments(given, argumentsOf(tool, command))
    const { maxBytes = USUAL_BYTES, cursor, ...wanted } = checked
    // The size of an answer is not part of the question.
    const { limit, ...asked } = wanted
    const question = JSON.stringify([name, tool.usual === undefined ? wanted : asked])
    const offset = cursor === undefined ? 0 : offsetOf(String(cursor), question)
    const most = tool.usual === undefined ? Number.POSITIVE_INFINITY : Number(limit ?? tool.usual)
    const notes: string[] = []
    const context = {
      ...keeper.context(notes),
      inTurns: <Result>(steps: Steps<Result>) => inTurns(steps, stop),
    }
    const until = Math.min(offset + most + 1, Number.MAX_SAFE_INTEGER)
    try {
      const listing = await tool.ask(command, wanted, context, until)
      const bounds = { question, offset, limit: most, maxBytes: Number(maxBytes) }
      const { body, count } = await pageOf(listing, bounds, notes, stop)
      return count === 0 && offset === 0
        ? { ...nothing(context.fresh, listing.list), ...remarked(body) }
        : body
    } catch (error) {
      const missing = error instanceof ScrollbackError && MISSING.includes(error.code)
      const answer = missing ? nothing(context.fresh, 'sessions') : undefined
      if (answer?.nothing === 'indexed') return answer
      throw error
    }
  }
}

const MISSING: readonly string[] = ['no-project', 'no-agent', 'no-session', 'nothing-found']

/** The fields that explain an empty answer. */
const remarked = ({ remarks, notes }: Record<string, unknown>): object => ({
  ...(Array.isArray(remarks) && remarks.length > 0 ? { remarks } : {}),
  ...(notes ? { notes } : {}),
})

/** For some errors, the remedy differs from that of the command line. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'several-projects': 'Use a longer part of its name, or a part of its path.',
  'no-project': 'The tools sessions and projects list the known names.',
  'no-session': 'The tools sessions and search return "session" and "cite" for read.',
}

/**
 * Our messages may contain names of projects and titles, which are foreign text, so errors are framed too.
 */
function faultOf(error: unknown): object {
  if (!(error instanceof ScrollbackError))
    return {
      about: WARNING,
      error: cut(presentable(`internal error: ${String(error)}`), LONGEST),
    }
  const advice = ADVICE[error.code] ?? error.wayOut
  return {
    about: WARNING,
    error: cut(presentable(error.message), LONGEST),
    ...(advice ? { todo: cut(presentable(advice), LONGEST) } : {}),
  }
}

/**
 * The only way to an agent: both forms are between markers. The text is sent in full unless the client shows
 * only the structured form.
 */
function resultOf(answer: object, showsStructured: boolean): Result {
  const body = presentable(answer)
  return {
    content: [{ type: 'text', text: showsStructured ? LEAD_ALONE : framed(body) }],
    structuredContent: marked(body),
  }
}
