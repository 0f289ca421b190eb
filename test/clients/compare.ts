import { run } from '../program.ts'
import { PROMPTS } from './clients.ts'
import type { Served } from './model-server.ts'

interface Reading {
  items: { who: string; text: string | null; tool: { name: string; target: string | null } | null }[]
  sessions: { errors: number }[]
}

interface Totals {
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
}

/** What is told of a home differently from what was typed, called and served, a line each. */
export function differences(home: string, served: Served): string[] {
  const { items, sessions } = ask<Reading>(home, 'read', '--all')
  const { totals } = ask<{ totals: Totals }>(home, 'stats')
  const said = (...who: string[]): string[] =>
    items.flatMap((item) => (who.includes(item.who) && item.text !== null ? [item.text] : []))
  const pairs: { what: string; told: unknown; expected: unknown }[] = [
    // Whoever starts a client with a prompt in its arguments is a program as often as a human.
    { what: 'prompts', told: said('human', 'program'), expected: PROMPTS },
    { what: 'replies', told: said('agent'), expected: served.words },
    {
      what: 'tools',
      told: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.target] : [])),
      expected: served.calls,
    },
    { what: 'errors', told: sessions.reduce((sum, { errors }) => sum + errors, 0), expected: 1 },
    {
      what: 'tokens',
      told: {
        input: totals.inputTokens,
        output: totals.outputTokens,
        cacheRead: totals.cacheReadTokens,
        cacheWrite: totals.cacheCreationTokens,
      },
      expected: served.tokens,
    },
  ]
  return pairs.flatMap(({ what, told, expected }) =>
    JSON.stringify(told) === JSON.stringify(expected)
      ? []
      : [`${what}: told ${JSON.stringify(told)}, and it was ${JSON.stringify(expected)}`],
  )
}

/** Types, fields and kinds that are new to us. */
export function drift(home: string): unknown {
  return ask<{ drift?: unknown }>(home, 'doctor', '--drift').drift
}

function ask<Answer>(home: string, ...args: string[]): Answer {
  const { stdout, stderr, code } = run([...args, '--json'], home)
  if (stdout === '') throw new Error(`scrollback ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Answer
}
