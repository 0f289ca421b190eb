import type { Context } from '../../commands/command.ts'
import { type ErrorCode, ScrollbackError } from '../../errors.ts'
import type { Steps } from '../../model/steps.ts'
import { announced } from './announced.ts'
import { checkArguments } from './arguments.ts'
import { offsetOf } from './cursor.ts'
import { cut } from './cut.ts'
import { framed, LEAD_ALONE, marked, presentable, WARNING } from './frame.ts'
import { createKeeper } from './keeper.ts'
import { nothing } from './nothing.ts'
import { pageOf } from './page.ts'
import { USUAL_BYTES } from './sizes.ts'
import { tools } from './tools.ts'
import { inTurns } from './turns.ts'

const LONGEST = 2000

/** What a call gives back: the same as text between markers and as an object. */
interface Result {
  [field: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface Toolbox {
  has(name: string): boolean
  /** Answers one call after the other. Rejects with the reason of `stop` where that is aborted; faults are answers. */
  call(name: string, given: object, stop?: AbortSignal): Promise<Result>
  /** Resolves when all calls are answered. */
  idle(): Promise<void>
  close(): void
}

/**
 * The commands that read as tools for agents, each call answered within bounds. `showsStructured` says whether the program shows its
 * agent the structured form, so that text need not carry it again.
 */
export function createToolbox(base: Context, showsStructured: () => boolean): Toolbox {
  const keeper = createKeeper(base)
  const known = new Map(
    tools.map((tool, index) => [tool.name, { tool, schema: announced[index]!.inputSchema }]),
  )
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
      // A store that is not what it should be is opened anew.
      if (!(error instanceof ScrollbackError) || error.code === 'store-unreadable') keeper.close()
      return { ...resultOf(faultOf(error), showsStructured()), isError: true }
    }
  }

  async function ask(name: string, given: object, stop: AbortSignal | undefined): Promise<object> {
    const { tool, schema } = known.get(name)!
    const { maxBytes = USUAL_BYTES, cursor, ...wanted } = checkArguments(given, schema)
    // How large an answer may be is no part of the question.
    const { limit, ...asked } = wanted
    const question = JSON.stringify([name, tool.usual === undefined ? wanted : asked])
    const offset = cursor === undefined ? 0 : offsetOf(String(cursor), question)
    const most = tool.usual === undefined ? Number.POSITIVE_INFINITY : Number(limit ?? tool.usual)
    const notes: string[] = []
    const command = await tool.command()
    const context = {
      ...keeper.context(notes),
      inTurns: <Result>(steps: Steps<Result>) => inTurns(steps, stop),
    }
    const until = Math.min(offset + most + 1, Number.MAX_SAFE_INTEGER)
    try {
      const told = await tool.ask(command, wanted, context, until)
      const bounds = { question, offset, limit: most, maxBytes: Number(maxBytes) }
      const { body, count } = await pageOf(told, bounds, notes, stop)
      return count === 0 && offset === 0 ? { ...nothing(context.fresh, told.list), ...remarked(body) } : body
    } catch (error) {
      const missing = error instanceof ScrollbackError && MISSING.includes(error.code)
      const answer = missing ? nothing(context.fresh, 'sessions') : undefined
      if (answer?.nothing === 'indexed') return answer
      throw error
    }
  }
}

const MISSING: readonly string[] = ['no-project', 'no-agent', 'no-session', 'nothing-found']

/** What of an empty answer tells why it is. */
const remarked = ({ remarks, notes }: Record<string, unknown>): object => ({
  ...(Array.isArray(remarks) && remarks.length > 0 ? { remarks } : {}),
  ...(notes ? { notes } : {}),
})

/** What to do about some faults is another thing here than on a command line. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'several-projects': 'Give more of its name, or a part of its path.',
  'no-project': 'The tools sessions and projects list what there is.',
  'no-session': 'The tools sessions and search give "session" and "cite", which read takes.',
}

/** Our own words may name projects and titles, which are others': they are framed like all else. */
function faultOf(error: unknown): object {
  if (!(error instanceof ScrollbackError))
    return {
      about: WARNING,
      error: cut(presentable(`a fault of the program itself: ${String(error)}`), LONGEST),
    }
  const advice = ADVICE[error.code] ?? error.wayOut
  return {
    about: WARNING,
    error: cut(presentable(error.message), LONGEST),
    ...(advice ? { todo: cut(presentable(advice), LONGEST) } : {}),
  }
}

/** The only way to an agent: between markers in each form, and as text alone once more where the program may show nothing else. */
function resultOf(answer: object, showsStructured: boolean): Result {
  const body = presentable(answer)
  return {
    content: [{ type: 'text', text: showsStructured ? LEAD_ALONE : framed(body) }],
    structuredContent: marked(body),
  }
}
