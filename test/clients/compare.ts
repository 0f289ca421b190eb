import { run } from '../program.ts'
import type { Client } from './clients.ts'
import type { Served } from './model-server.ts'

interface Reading {
  items: { who: string; text: string | null; tool: { name: string; target: string | null } | null }[]
}

interface Totals {
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
}

/**
 * The differences between a home as Scrollback reads it and what was typed, called and served, one per line.
 * Sessions and subagents run next to each other, so lists are compared in alphabetical order.
 */
export function differences(
  home: string,
  { prompts, tasks, isMarked, failsSilently, writesAreInput }: Client,
  served: Served,
): string[] {
  const { items } = ask<Reading>(home, 'read', '--all', '--kind', 'all')
  const { totals } = ask<{ totals: Totals }>(home, 'stats')
  const textsOf = (...who: string[]): string[] =>
    items.flatMap((item) => (who.includes(item.who) && item.text !== null ? [item.text] : []))
  const typed = prompts.filter((prompt) => prompt.in === 'terminal')
  const pairs: { what: string; actual: unknown; expected: unknown }[] = [
    // A client with a prompt in its arguments was started by a program as often as by a human.
    {
      what: 'prompts',
      actual: textsOf('human', 'program').sort(),
      expected: [...prompts.map(({ text }) => text), ...tasks].sort(),
    },
    ...(isMarked
      ? [{ what: 'typed', actual: textsOf('human').sort(), expected: typed.map(({ text }) => text).sort() }]
      : []),
    { what: 'replies', actual: textsOf('agent').sort(), expected: [...served.words].sort() },
    {
      what: 'tools',
      actual: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.target] : [])).sort(),
      expected: [...served.calls].sort(),
    },
    // A prompt in capitals asks for a call, which needs a tool that the client offers.
    {
      what: 'calls',
      actual: served.calls.length,
      expected: prompts.filter(({ text }) => /^[A-Z]+-[A-Z]+: /.test(text)).length,
    },
    {
      what: 'errors',
      // A session counts what it inherited, and an item is in one session only.
      actual: items.filter(({ who }) => who === 'error').length,
      expected: failsSilently ? 0 : 1,
    },
    {
      what: 'tokens',
      actual: {
        input: totals.inputTokens,
        output: totals.outputTokens,
        cacheRead: totals.cacheReadTokens,
        cacheWrite: totals.cacheCreationTokens,
      },
      expected: writesAreInput
        ? { ...served.tokens, input: served.tokens.input + served.tokens.cacheWrite, cacheWrite: 0 }
        : served.tokens,
    },
  ]
  return pairs.flatMap(({ what, actual, expected }) =>
    JSON.stringify(actual) === JSON.stringify(expected)
      ? []
      : [`${what}: read ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`],
  )
}

interface Drift {
  name: string
  damaged: number
  unknownTypes: Record<string, unknown>
  unknownFields: Record<string, unknown>
}

/** Types and fields that are unknown, and lines that could not be read, one line per platform. */
export function unknowns(home: string): string[] {
  const { drift = [] } = ask<{ drift?: Drift[] }>(home, 'doctor', '--drift')
  return drift.flatMap(({ name, damaged, unknownTypes, unknownFields }) =>
    damaged === 0 && Object.keys({ ...unknownTypes, ...unknownFields }).length === 0
      ? []
      : [`unknown in the files of ${name}: ${JSON.stringify({ damaged, unknownTypes, unknownFields })}`],
  )
}

function ask<Answer>(home: string, ...args: string[]): Answer {
  const { stdout, stderr, code } = run([...args, '--json'], home)
  if (stdout === '') throw new Error(`scrollback ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Answer
}
