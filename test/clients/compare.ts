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

/**
 * The differences between a home as Scrollback reads it and what was typed, called and served, one per line.
 */
export function differences(home: string, served: Served): string[] {
  const { items, sessions } = ask<Reading>(home, 'read', '--all')
  const { totals } = ask<{ totals: Totals }>(home, 'stats')
  const textsOf = (...who: string[]): string[] =>
    items.flatMap((item) => (who.includes(item.who) && item.text !== null ? [item.text] : []))
  const pairs: { what: string; actual: unknown; expected: unknown }[] = [
    // A client with a prompt in its arguments was started by a program as often as by a human.
    { what: 'prompts', actual: textsOf('human', 'program'), expected: PROMPTS },
    { what: 'replies', actual: textsOf('agent'), expected: served.words },
    {
      what: 'tools',
      actual: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.target] : [])),
      expected: served.calls,
    },
    { what: 'errors', actual: sessions.reduce((sum, { errors }) => sum + errors, 0), expected: 1 },
    {
      what: 'tokens',
      actual: {
        input: totals.inputTokens,
        output: totals.outputTokens,
        cacheRead: totals.cacheReadTokens,
        cacheWrite: totals.cacheCreationTokens,
      },
      expected: served.tokens,
    },
  ]
  return pairs.flatMap(({ what, actual, expected }) =>
    JSON.stringify(actual) === JSON.stringify(expected)
      ? []
      : [`${what}: read ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`],
  )
}

/** Types, fields and kinds that are unknown. */
export function drift(home: string): unknown {
  return ask<{ drift?: unknown }>(home, 'doctor', '--drift').drift
}

function ask<Answer>(home: string, ...args: string[]): Answer {
  const { stdout, stderr, code } = run([...args, '--json'], home)
  if (stdout === '') throw new Error(`scrollback ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Answer
}
