import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

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
    expect([...named].sort()).toEqual(['devlog', 'projects', 'read', 'search', 'sessions', 'stats'])
  })

  it.each(lines)('contains %s, which works on the demo', (line) => {
    const [program, ...args] = wordsOf(line)
    expect(program).toBe('scrollback')
    const home = temporaryHome()
    // The story that an agent has written.
    copyFileSync(join(checkout, 'docs/examples/the-retry.md'), join(home, 'story.md'))
    const { stdout, code } = run([...args, '--demo'], home, { cwd: home })
    expect(code).toBe(0)
    if (!args.includes('--json')) expect(stdout.split('\n').length).toBeGreaterThan(2)
    else {
      const answer = JSON.parse(stdout) as Record<string, unknown[]>
      expect(answer.hits ?? answer.sessions ?? answer.evidence).not.toEqual([])
    }
  })

  it('names fields that the output has', () => {
    const hit = JSON.parse(run(['search', 'tax', '--json', '--demo'], temporaryHome()).stdout).hits[0]
    for (const field of ['session', 'project', 'who', 'at', 'snippet', 'text', 'path', 'line'])
      expect(hit).toHaveProperty(field)
  })
})
