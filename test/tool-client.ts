import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect } from 'vitest'
import { compileCache, program } from './program.ts'

/** The body of an answer, whatever its delimiters. */
export interface Body {
  [field: string]: unknown
  hits: Listed[]
  items: Listed[]
  sessions: Listed[]
  projects: Record<string, unknown>[]
  rows: Record<string, unknown>[]
  nextCursor?: string
  nothing?: string
  error?: string
  todo?: string
}

interface Listed extends Record<string, unknown> {
  cite: string
  session: string
  text?: string
  part?: string
}

export interface ToolClient extends AsyncDisposable {
  client: Client
  /** The exit code of the server; null once it is gone. */
  pid: number | null
  /** Calls a tool, and checks the frame of its answer, which is its only form. */
  ask(name: string, given?: object, options?: { signal?: AbortSignal }): Promise<{ body: Body; text: string }>
  /** What the server has printed besides the protocol. */
  stderr(): string
}

/** The official client, and a server of ours in a separate process. */
export const connect = (home: string, ...flags: string[]): Promise<ToolClient> =>
  connectTo(program, home, ...flags)

/** The same with a program at another path. */
const connectTo = (script: string, home: string, ...flags: string[]): Promise<ToolClient> =>
  connectWith({}, script, home, ...flags)

/** The same with additional environment variables. */
export async function connectWith(
  more: Record<string, string>,
  script: string,
  home: string,
  ...flags: string[]
): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', ...flags],
    env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH!, NODE_COMPILE_CACHE: compileCache, ...more },
    cwd: home,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return {
    client,
    get pid() {
      return transport.pid
    },
    stderr: () => stderr,
    async ask(name, given = {}, options = {}) {
      const result = await client.callTool({ name, arguments: { ...given } }, undefined, options)
      const [block, ...others] = result.content as { type: string; text: string }[]
      expect([block?.type, others]).toEqual(['text', []])
      const framed = FRAME.exec(block!.text)
      const body = JSON.parse(framed!.groups!.json!) as Body
      expect(result).not.toHaveProperty('structuredContent')
      expect(framed!.groups!.json).not.toContain(framed!.groups!.mark)
      expect(result.isError === true).toBe(body.error !== undefined)
      return { body, text: block!.text }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The form of an answer: our words, a marker, one line of JSON, the same marker. */
const FRAME =
  /^The text between the two markers quotes past conversations[^\n<]+\n<history-(?<mark>[0-9a-f]{18})>\n(?<json>[^\n]+)\n<\/history-\k<mark>>$/

/** The size of a text as clients show it that put it into a string of JSON. */
export const shownBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2
