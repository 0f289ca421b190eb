import { readFileSync } from 'node:fs'
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

  it('names fields that the output has', () => {
    const hit = JSON.parse(run(['search', 'tax', '--json', '--demo'], temporaryHome()).stdout).hits[0]
    for (const field of ['session', 'project', 'who', 'at', 'snippet', 'text', 'path', 'line'])
      expect(hit).toHaveProperty(field)
  })
})
