/** The tools for agents: the first response of a new process, and calls of every kind in a running one. */
import { spawn } from 'node:child_process'
import { mixedCalls } from './calls.ts'
import { runsOf } from './measure.ts'
import { type Million, millionStore } from './million.ts'
import { createReport } from './report.ts'
import { node, type Setup } from './setup.ts'

const STARTS = 15
const FIRST = { most: 3 }
const WARM = { most: 30, unit: 'ms' }

export async function measureTools(setup: Setup): Promise<void> {
  const report = createReport('tools for agents')
  const million = await millionStore(setup)
  const many = million.made.messages.toLocaleString('en')
  const times: Record<'start' | 'greeting' | 'list' | 'answer', number[]> = {
    start: [],
    greeting: [],
    list: [],
    answer: [],
  }
  // Measured in turn, so that a disturbance affects all of them.
  for (let turn = 0; turn < runsOf(STARTS); turn++) {
    times.start.push(await started())
    for (const what of ['greeting', 'list', 'answer'] as const)
      times[what].push(await firstOf(setup, million, what))
  }
  const best = (of: readonly number[]) => ({ seconds: Math.min(...of) / 1000 })
  const first = `tools over ${many} messages, time of a new process against \`node -e 0\``
  report.slower(`${first}: until it greets`, best(times.greeting), best(times.start), FIRST)
  report.slower(`${first}: until its tools are listed`, best(times.list), best(times.start), FIRST)
  report.slower(`${first}: until a search is answered`, best(times.answer), best(times.start), FIRST)

  const calls = mixedCalls(million.tree)
  const server = openServer(setup, million)
  await server.greet()
  // A rare word, to open the store and bring it up to date.
  await server.call('search', { query: 'zzqnothingqzz' })
  const took: { name: string; ms: number }[] = []
  let most = 0
  for (const { name, given } of calls) {
    const began = performance.now()
    const bytes = await server.call(name, given)
    took.push({ name, ms: performance.now() - began })
    most = Math.max(most, bytes)
  }
  await server.close()
  const all = took.map(({ ms }) => ms)
  report.add(
    `${calls.length} mixed calls over ${many} messages, asked for the first time: p95`,
    at(all, 0.95),
    WARM,
    `p50 ${at(all, 0.5).toFixed(1)} ms, most ${Math.max(...all).toFixed(0)} ms`,
  )
  for (const name of [...new Set(calls.map((call) => call.name))]) {
    const own = took.flatMap((each) => (each.name === name ? [each.ms] : []))
    report.add(
      `of these \`${name}\`, ${own.length} calls: p95`,
      at(own, 0.95),
      { unit: 'ms' },
      `p50 ${at(own, 0.5).toFixed(1)} ms`,
    )
  }
  report.add('the largest of these answers', most / 1024, { most: 16, unit: 'KiB' }, 'text of an answer')
  report.print()
}

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1]!

/** How long Node takes to start and to exit, in ms. */
async function started(): Promise<number> {
  const began = performance.now()
  const child = spawn(node, ['-e', '0'], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  return performance.now() - began
}

async function firstOf(
  setup: Setup,
  million: Million,
  what: 'greeting' | 'list' | 'answer',
): Promise<number> {
  const began = performance.now()
  const server = openServer(setup, million)
  await server.greet()
  if (what === 'list') await server.request('tools/list', {})
  if (what === 'answer') await server.call('search', { query: 'zzqnothingqzz' })
  const took = performance.now() - began
  await server.close()
  return took
}

interface Reply {
  id: number
  error?: object
  result?: { isError?: boolean; content?: { text: string }[] }
}

/**
 * The server as a client starts it. The protocol is implemented here, so that only the server is measured.
 */
function openServer({ program }: Setup, { tree, home }: Million) {
  const child = spawn(node, [program, 'mcp', '--claude-dir', tree], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, SCROLLBACK_HOME: home },
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let held = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (held + chunk).split('\n')
    held = lines.pop()!
    for (const line of lines) {
      const reply = JSON.parse(line) as Reply
      waiting.get(reply.id)?.(reply)
    }
  })
  let id = 0
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object): Promise<Reply> => {
    send({ id: ++id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  return {
    request,
    async greet(): Promise<void> {
      await request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      })
      send({ method: 'notifications/initialized' })
    },
    /** Returns the size of the response text in bytes. */
    async call(name: string, given: object): Promise<number> {
      const { result, error } = await request('tools/call', { name, arguments: given })
      const text = result?.content?.[0]?.text
      if (error || result?.isError || text === undefined)
        throw new Error(`${name} ${JSON.stringify(given)}: ${text ?? JSON.stringify(error)}`)
      return Buffer.byteLength(text)
    },
    async close(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.stdin.end()
      await ended
    },
  }
}
