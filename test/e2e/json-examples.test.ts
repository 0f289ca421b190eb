import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

const document = readFileSync(join(checkout, 'docs/json.md'), 'utf8')
const sections = document.split(/^(?=## `scrollback)/m).slice(1)
const examples = [
  ...document.matchAll(/^An excerpt of `scrollback ([^`]+)`:\n\n```json\n(.*?)\n```$/gms),
].map(([, command, json]) => ({ command: command!, excerpt: JSON.parse(json!) as unknown }))

/** Whether an answer contains an excerpt: some of the fields, and some of the rows in their order. */
function contains(answer: unknown, excerpt: unknown): boolean {
  if (Array.isArray(excerpt)) {
    const rows = Array.isArray(answer) ? answer.values() : [].values()
    return excerpt.every((wanted) => rows.some((row) => contains(row, wanted)))
  }
  if (typeof excerpt === 'object' && excerpt !== null)
    return (
      typeof answer === 'object' &&
      answer !== null &&
      Object.entries(excerpt).every(([name, value]) => contains(answer[name as keyof typeof answer], value))
    )
  return Object.is(answer, excerpt)
}

describe('the excerpts in docs/json.md', () => {
  it.each(examples)('are what the command prints: $command', ({ command, excerpt }) => {
    const { stdout, code } = run(command.split(' '), temporaryHome())
    expect(code).toBe(0)
    const answer: unknown = JSON.parse(stdout)
    expect(contains(answer, excerpt), `${stdout}\ndoes not contain\n${JSON.stringify(excerpt)}`).toBe(true)
  })

  it('are there for every command that answers from the demo', () => {
    const without = sections.filter((section) => !section.includes('An excerpt of `scrollback '))
    // These configure the machine, deliver, read standard input, or do not end by themselves.
    expect(without.map((section) => section.split('\n', 1)[0])).toEqual(
      ['statusline', 'follow', 'restore', 'keep', 'recall', 'setup', 'collect', 'receive', 'serve'].map(
        (name) => `## \`scrollback ${name} --json\``,
      ),
    )
  })
})

const skill = readFileSync(join(checkout, 'skills/scrollback/SKILL.md'), 'utf8')
const lines = [...skill.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  block!.trim().split('\n'),
)

/** Splits a line into words as a shell does, as far as the skill needs it. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

describe('the skill', () => {
  it('begins with its name and when to use it', () => {
    const [, front] = /^---\n([\s\S]*?)\n---\n/.exec(skill)!
    expect(front).toMatch(/^name: scrollback\ndescription: Recall .{100,900}$/)
  })

  it('shows every command that an agent needs', () => {
    const named = new Set(lines.map((line) => wordsOf(line)[1]))
    expect([...named].sort()).toEqual(['devlog', 'projects', 'read', 'search', 'sessions', 'stats', 'why'])
  })

  it('names fields that the output has', () => {
    const hit = JSON.parse(run(['search', 'tax', '--json', '--demo'], temporaryHome()).stdout).hits[0]
    for (const field of ['session', 'project', 'who', 'at', 'snippet', 'text', 'path', 'line'])
      expect(hit).toHaveProperty(field)
  })
})
