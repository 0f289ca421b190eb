import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { type Answer, checkout, run, shellWords } from '../program.ts'
import { temporaryHome } from '../records.ts'

interface Example {
  from: string
  line: string
}

/** The examples in the help of every command. */
async function helped(): Promise<Example[]> {
  const found: Example[] = []
  for (const [name, load] of Object.entries(commands))
    for (const { command } of (await load()).examples) found.push({ from: `${name} --help`, line: command })
  return found
}

/** Lines of code blocks in a document that start with the program. */
function shownIn(path: string): Example[] {
  const text = readFileSync(join(checkout, path), 'utf8')
  return [...text.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block!.split('\n').flatMap((line) => {
      const bare = line.replace(/\s+#.*$/, '').replace(/^npm start -- /, 'scrollback ')
      return bare.startsWith('scrollback ') ? [{ from: path, line: bare }] : []
    }),
  )
}

/** Commands that keep running, use the network, start another program, or write where clients read. */
const NOT_RUN =
  /^scrollback (?:follow|mcp|receive|serve|completions|setup|keep|restore|unpack|move|store copy)\b|^(?!scrollback)|--from|--watch|--run\b|--writer|--editor|--archive|--undo|--vanishing|--store |https?:|clickhouse:|otlp/

/** Runs an example on the invented data, without the commands it is piped into. */
function tried(line: string): Answer {
  const home = temporaryHome()
  // A story that somebody has written.
  copyFileSync(join(checkout, 'docs/examples/the-retry.md'), join(home, 'story.md'))
  const [own] = line.split(/ \| | > /)
  return run(
    shellWords(
      own!.replace(/ -- |$/, (end) => ` --demo${end}`),
      home,
    ),
    home,
  )
}

/** Guides confirm in a second step what these ask for. */
const CONFIRMED: ReadonlySet<string> = new Set(['scrollback devlog api', 'scrollback forget 640ab4c7'])

/** Nothing was delivered or forgotten yet. */
const NOTHING: ReadonlySet<string> = new Set([
  'scrollback collect status',
  'scrollback collect status --max-lag 15m',
  'scrollback forget --list',
])

const guides = readdirSync(join(checkout, 'docs/guides')).map((name) => `docs/guides/${name}`)
const all = [...(await helped()), ...['README.md', 'skills/scrollback/SKILL.md', ...guides].flatMap(shownIn)]
/** An example that occurs several times is run once. */
const examples = all.filter(
  ({ line }, index) =>
    !NOT_RUN.test(line) && !CONFIRMED.has(line) && all.findIndex((each) => each.line === line) === index,
)

describe('an example', () => {
  it('is in help, in the README, in the skill and in guides', () => {
    const from = new Set(all.map((each) => each.from))
    expect([...from]).toEqual(
      expect.arrayContaining([
        'read --help',
        'README.md',
        'skills/scrollback/SKILL.md',
        'docs/guides/redaction.md',
      ]),
    )
  })

  it.each(examples)('$line finds something in the invented data ($from)', ({ line }) => {
    const { stdout, stderr, code } = tried(line)
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/\S/)
    if (!NOTHING.has(line)) expect(stdout).not.toMatch(/^(?:Nothing|None) \w+/)
  })
})
