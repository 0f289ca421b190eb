import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'
import { REGISTERED } from '../third-platform/registered.ts'
import { type Plant, plantedTree, questionsFor, STRUCTURE } from './planted-tree.ts'

const FORGED = 'FORGED'
/** Every way to begin a line, a heading, a fence or a quotation, and marks that turn what is shown around. */
const ESCAPE = `\n# ${FORGED} a\n\n\`\`\`\n${FORGED} b\u2028${FORGED} c\u0085${FORGED} d\r${FORGED} e\u2029## ${FORGED} f\u202e\n\n${FORGED} g`

const plant: Plant = (value, key) => (STRUCTURE.test(key) ? value : value + ESCAPE)

/** Commands whose texts of others are indented, so that an indented line is none of ours. */
const QUOTING = /^(?:read|search|memory|changes|runs|$)/

/** Lines that a reader would take for ours: of text, of Markdown outside of quotations, code and fences. */
const forged = (text: string, command: string): string[] =>
  text
    .replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1`*$/gm, '')
    .split(/[\n\r\u0085\u2028\u2029]/)
    .filter((line) => /^(?:#{1,6} +)?FORGED/.test(QUOTING.test(command) ? line : line.trimStart()))

describe('a line break, a heading and a fence in every field of every platform', () => {
  it('begins no line of an answer', () => {
    const home = temporaryHome()
    const flags = plantedTree(home, plant)
    const found: string[] = []
    const look = (what: string, text: string): void => {
      for (const line of forged(text, what)) found.push(`${what}: ${line}`)
    }
    const listed = run(['sessions', '--all', '--kind', 'all', '--limit', '0', '--json', ...flags], home, {
      env: REGISTERED,
    })
    const sessions = JSON.parse(listed.stdout).sessions as {
      id: string
      platform: string
    }[]
    // Each of these questions takes its time.
    const some = [...Map.groupBy(sessions, ({ platform }) => platform).values()].flatMap((all) =>
      all.slice(0, 2),
    )
    const ofOne = some.flatMap(({ id }) => [
      ['handoff', id],
      ['session', id],
      ['resume', id],
      ['changes', id],
    ])
    const questions = [...questionsFor([]).filter((words) => !words.includes('jsonl')), ...ofOne]
    for (const question of questions) {
      const { stdout, stderr } = run([...question, ...flags], home, { env: REGISTERED })
      look(question.join(' '), stdout)
      look(`${question.join(' ')}, stderr`, stderr)
    }
    const out = join(home, 'out')
    run(['export', '--all', '--format', 'md', '--out', out, ...flags], home, { env: REGISTERED })
    for (const name of readdirSync(out)) look(`export ${name}`, readFileSync(join(out, name), 'utf8'))
    expect([...new Set(found)]).toEqual([])
  })
})
