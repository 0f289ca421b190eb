import type { Command } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Steps } from '../../model/iteration.ts'
import { framed, WARNING } from '../../render/frame.ts'
import { createServerStore, inTurns } from '../server-store.ts'
import { cut, nothing, offsetOf, pageOf, presentable } from './answer.ts'
import { argumentsOf, checkArguments, type Tool, toolWords, usualBytes } from './tool.ts'
import { tools } from './tools.ts'

const LONGEST = 2000
const CHOICES = 20
const shortChoice = (name: string): string => cut(presentable(name), 160)

/**
 * The result of a call, as text alone. All clients show it to their agent as it is, errors too. A structured
 * form besides would be shown a second time by some, with its fields in another order.
 */
interface Result {
  [field: string]: unknown
  content: [{ type: 'text'; text: string }]
  isError?: true
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

/** The reading commands as tools for agents, with bounded answers. */
export function createToolbox(base: Context): Toolbox {
  const serverStore = createServerStore(base)
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
    close: () => serverStore.close(),
  }

  async function answered(name: string, given: object, stop: AbortSignal | undefined): Promise<Result> {
    stop?.throwIfAborted()
    const tool = known.get(name)!
    const command = await tool.command()
    const inWords = toolWords(tool, command)
    try {
      return resultOf(await ask(tool, command, given, inWords, stop))
    } catch (error) {
      if (stop?.aborted) throw error
      // Open a damaged store again.
      if (!(error instanceof ScrollbackError) || error.code === 'store-unreadable') serverStore.close()
      return { ...resultOf(faultOf(error, inWords)), isError: true }
    }
  }

  /** Agents have the tools, and perhaps no shell. */
  function suggesting({ fields }: Tool, { id }: Context['suggest']): Context['suggest'] {
    const suggest: (...words: Parameters<Context['suggest']>) => string = (name, ...words) => {
      const tool = known.get(name)
      if (!tool) return base.suggest(name, ...words)
      const values = words.flatMap((each) => {
        if (typeof each === 'string') return []
        if (!('flag' in each)) return each.map((value) => JSON.stringify(value))
        const field = each.flag.replace(/^--/, '')
        return field in tool.fields ? each.values.map((value) => `${field}: ${JSON.stringify(value)}`) : []
      })
      return values.length === 0 ? `the tool ${name}` : `the tool ${name} with ${values.join(' and ')}`
    }
    return Object.assign(suggest, {
      takes: (field: string) => field in fields,
      id,
      again: ({ arguments: names = [], flags = [] }: Parameters<Context['suggest']['again']>[0]) =>
        [...names, ...flags].join(' '),
    })
  }

  async function ask(
    tool: Tool,
    command: Command,
    given: object,
    inWords: (text: string) => string,
    stop: AbortSignal | undefined,
  ): Promise<object> {
    const checked = checkArguments(given, argumentsOf(tool, command))
    const { maxBytes = usualBytes(tool), cursor, ...wanted } = checked
    // The size of an answer is not part of the question.
    const { limit, ...asked } = wanted
    const question = JSON.stringify([tool.name, tool.usual === undefined ? wanted : asked])
    const offset = cursor === undefined ? 0 : offsetOf(String(cursor), question)
    const most = tool.usual === undefined ? Number.POSITIVE_INFINITY : Number(limit ?? tool.usual)
    const notes: string[] = []
    const opened = serverStore.context(notes)
    const context = {
      ...opened,
      suggest: suggesting(tool, opened.suggest),
      inTurns: <Result>(steps: Steps<Result>) => inTurns(steps, stop),
    }
    const until = Math.min(offset + most + 1, Number.MAX_SAFE_INTEGER)
    try {
      const listing = await tool.ask(command, wanted, context, until)
      const bounds = { question, offset, limit: most, maxBytes: Number(maxBytes) }
      const { body, count } = await pageOf(listing, bounds, () => notes.map(inWords).filter(Boolean), stop)
      return count === 0 && offset === 0
        ? { ...nothing(context.fresh, listing.list), ...remarked(body) }
        : body
    } catch (error) {
      const missing = error instanceof ScrollbackError && MISSING.includes(error.code)
      const answer = missing ? nothing(context.fresh, 'sessions') : undefined
      if (answer && answer.nothing !== 'found') return answer
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

/**
 * Our messages may contain names of projects and titles, which are foreign text, so errors are framed too.
 */
function faultOf(error: unknown, inWords: (text: string) => string): object {
  if (!(error instanceof ScrollbackError))
    return {
      about: WARNING,
      error: cut(presentable(`internal error: ${String(error)}`), LONGEST),
    }
  const advice = error.wayOut && inWords(error.wayOut)
  return {
    about: WARNING,
    error: cut(presentable(inWords(error.message) || error.message), LONGEST),
    ...(advice ? { todo: cut(presentable(advice), LONGEST) } : {}),
    ...(error.matches ? { choices: error.matches.slice(0, CHOICES).map(shortChoice) } : {}),
  }
}

/** The only way to an agent: between markers. */
const resultOf = (answer: object): Result => ({
  content: [{ type: 'text', text: framed(presentable(answer)) }],
})
