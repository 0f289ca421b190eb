import { describe, expect, it } from 'vitest'
import { agent, failure, human, tool } from '../../test/sessions.ts'
import type { Item } from '../model/session.ts'
import { foldTools } from './fold-tools.ts'

/** Items as readable lines. */
const itemLines = (items: readonly Item[]): string[] =>
  foldTools(items).map((item) =>
    item.tool && item.who === 'tool'
      ? `→ ${item.tool.name}${item.tool.target === undefined ? '' : ` ${item.tool.target}`}`
      : `${item.who}: ${item.text}`,
  )

describe('runs of tool calls', () => {
  it('become one line per tool, with the files it was used on', () => {
    expect(
      itemLines([
        human('look around'),
        tool('Read', '/home/ann/garden/src/a.ts'),
        tool('Read', '/home/ann/garden/src/b.ts'),
        tool('Bash', 'npm test'),
        tool('Read', '/home/ann/garden/c.ts'),
        tool('Read', '/home/ann/garden/d.ts'),
        agent('Seen.'),
      ]),
    ).toMatchInlineSnapshot(`
      [
        "human: look around",
        "→ Read ×4 a.ts, b.ts, c.ts, …",
        "→ Bash npm test",
        "agent: Seen.",
      ]
    `)
  })

  it('end where somebody speaks or something fails', () => {
    expect(
      itemLines([
        tool('Read', 'a'),
        tool('Read', 'b'),
        agent('hm'),
        tool('Read', 'c'),
        failure('gone'),
        tool('Read', 'd'),
      ]),
    ).toMatchInlineSnapshot(`
      [
        "→ Read ×2 a, b",
        "agent: hm",
        "→ Read c",
        "error: gone",
        "→ Read d",
      ]
    `)
  })

  it('name a file once, however often it was read', () => {
    expect(itemLines([tool('Read', '/x/a.ts'), tool('Read', '/x/a.ts'), tool('Read', '/x/a.ts')])).toEqual([
      '→ Read ×3 a.ts',
    ])
  })

  it('shorten commands, and show no target if no call has one', () => {
    const long = `grep -rn "fern" ${'x'.repeat(100)}`
    expect(itemLines([tool('Bash', long), tool('Bash', 'ls'), tool('Think'), tool('Think')])).toEqual([
      `→ Bash ×2 ${long.slice(0, 39)}…, ls`,
      '→ Think ×2',
    ])
  })

  it('are at the position of their first call, and leave a single call unchanged', () => {
    const [first, second, other] = [tool('Read', '/x/a.ts'), tool('Read', '/x/b.ts'), tool('Bash', 'ls')]
    const folded = foldTools([first!, second!, other!])
    expect(folded.map(({ line, offset }) => [line, offset])).toEqual([
      [first!.line, first!.offset],
      [other!.line, other!.offset],
    ])
    expect(folded[1]).toBe(other)
    expect(first!.tool).toEqual({ name: 'Read', target: '/x/a.ts' })
  })
})
