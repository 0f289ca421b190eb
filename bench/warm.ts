/** Search in a running process: the command's own code, with the store opened and updated once. */
import { join } from 'node:path'
import { recall } from '../src/commands/recall.ts'
import type { Found } from '../src/commands/search/ask.ts'
import { search } from '../src/commands/search/command.ts'
import type { Context } from '../src/context/context.ts'
import { suggesting } from '../src/context/flags.ts'
import { freshStore } from '../src/context/fresh-store.ts'
import type { Screen } from '../src/render/terminal.ts'

/** The duration of one search, in ms. */
export interface Search {
  /** Until the result is available. */
  answered: number
  /** Until it is formatted as text. */
  shown: number
  total: number
}

export interface WarmProgram {
  search(query: string): Promise<Search>
  /** The result itself, and the ms until its first hits are read. */
  ask(query: string): Promise<{ found: Found; answered: number }>
  /** The session that the hook for prompts tells about. */
  recall(prompt: string): Promise<string | null>
  close(): void
}

export function openWarm(tree: string, home: string, now = Date.now()): WarmProgram {
  const endings: (() => void)[] = []
  const context: Context = {
    environment: { home: '/nowhere', variables: {}, dirs: { 'claude-code': [tree], openclaw: [] } },
    now,
    directory: '/nowhere',
    threads: 1,
    redact: true,
    dataFolder: home,
    here: '',
    machine: { device: '', user: '' },
    started: { executable: 'node', script: 'scrollback.js' },
    print: async () => {},
    deliverOut: async () => {},
    storePath: join(home, 'store.sqlite'),
    atEnd: (done) => void endings.push(done),
    suggest: suggesting('scrollback', () => []),
    note: () => {},
  }
  const screen: Screen = {
    columns: Number.POSITIVE_INFINITY,
    color: false,
    terminal: false,
    home: '/nowhere',
    suggest: suggesting('scrollback', () => []),
    now,
  }
  context.fresh = freshStore(context)
  return {
    async search(query) {
      const started = performance.now()
      const { found, answered } = await this.ask(query)
      for (const _ of search.render(found, screen));
      return { answered, shown: performance.now() - started, total: found.answer.total }
    },
    async ask(query) {
      const started = performance.now()
      const found = await search.run(
        { query: [query], sort: 'relevance', flat: false, raw: false } as never,
        context,
      )
      return { found, answered: performance.now() - started }
    },
    async recall(prompt) {
      const standardInput = async (): Promise<string> => JSON.stringify({ prompt })
      return (await recall.run({}, { ...context, standardInput })).session
    },
    close: () => {
      for (const end of endings) end()
    },
  }
}
