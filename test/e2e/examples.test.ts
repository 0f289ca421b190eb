import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { checkout, program, variablesOf } from '../program.ts'
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
  /^scrollback (?:follow|mcp|receive|serve|completions|setup|restore|unpack|move|store copy)\b|^(?!scrollback)|--from|--watch|--run\b|--writer|--editor|--archive|--undo|--store |https?:|otlp/

/** Runs an example on the invented data, without the commands it is piped into. */
function tried(line: string): { code: number | null; stdout: string; stderr: string } {
  const home = temporaryHome()
  // A story that somebody has written.
  copyFileSync(join(checkout, 'docs/examples/the-retry.md'), join(home, 'story.md'))
  const [own] = line.split(/ \| | > /)
  const script = `scrollback() { '${process.execPath}' '${program}' "$@"; }\n${own!.replace(/ -- |$/, (end) => ` --demo${end}`)}\n`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    cwd: home,
    env: variablesOf(home),
  })
  return { stdout, stderr, code: status }
}

/** Changes of memory, of which the invented data has none: it is indexed once. Their answers say so. */
const NOTHING: ReadonlySet<string> = new Set([
  'scrollback memory --diff',
  'scrollback memory main SOUL --diff --since 30d',
])

const all = [...(await helped()), ...['README.md', 'skills/scrollback/SKILL.md'].flatMap(shownIn)]
/** An example that occurs several times is run once. */
const examples = all.filter(
  ({ line }, index) => !NOT_RUN.test(line) && all.findIndex((each) => each.line === line) === index,
)

describe('an example', () => {
  it('is in help, in the README and in the skill', () => {
    const from = new Set(all.map((each) => each.from))
    expect([...from]).toEqual(
      expect.arrayContaining(['read --help', 'README.md', 'skills/scrollback/SKILL.md']),
    )
  })

  it.each(examples)('$line works on the invented data ($from)', ({ line }) => {
    const { stdout, stderr, code } = tried(line)
    const wanted = NOTHING.has(line) ? 1 : 0
    expect({ code, stderr: code === wanted ? '' : stderr }).toEqual({ code: wanted, stderr: '' })
    expect(stdout).toMatch(/\S/)
  })
})
