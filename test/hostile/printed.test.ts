import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/render/gate.ts'
import { program, run, variablesOf } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { scriptedServer } from '../scripted-server.ts'
import { REGISTERED } from '../third-platform/registered.ts'
import { type Plant, plantedTree, questionsFor, STRUCTURE } from './planted-tree.ts'

/** Sets a title, the clipboard and a colour, reverses the text direction, and hides words in tags. */
const HOSTILE =
  '\x1b]0;owned\x07\x1b]52;c;cm0gLXJm\x07\x1b[31;8m\x9b2J\u202ecod\u061c\u200b\u2066\ufeff\u{e0041}\u{e007f}\r'
/** What a terminal executes, and what hides text: none of it may be printed. */
const OBEYED =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

const everywhere: Plant = (value) => `${value}${HOSTILE}`
const exceptStructure: Plant = (value, key) => (STRUCTURE.test(key) ? value : everywhere(value, key))

const firstControl = (text: string): string => {
  const at = text.search(OBEYED)
  return at < 0 ? '' : JSON.stringify(text.slice(Math.max(0, at - 80), at + 20))
}

describe.each([
  ['as text, except in the structure of records', exceptStructure, []],
  ['as text, in types and ids too', everywhere, []],
  ['as JSON', exceptStructure, ['--json']],
] as const)('hostile text in every printed string: %s', (_, plant, form) => {
  it('does not reach a terminal', () => {
    const home = temporaryHome()
    const flags = plantedTree(home, plant)
    const seen = questionsFor(form).flatMap((question) => {
      const { stdout, stderr } = run([...question, ...form, ...flags], home, { env: REGISTERED })
      return [stdout, stderr].map((text) => `${question.join(' ')}: ${firstControl(text)}`)
    })
    expect(seen.filter((each) => !each.endsWith(': '))).toEqual([])
  })
})

it('the text of a server is printed as plain text, in the error and in the state', async () => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'Hello')])
  await using server = await scriptedServer((_, response) =>
    response.writeHead(207).end(JSON.stringify({ accepted: 0, rejected: [{ index: 0, reason: HOSTILE }] })),
  )
  for (const args of [
    ['collect', server.address, '--history', 'all'],
    ['collect', '--status'],
    ['collect', '--status', '--json'],
  ]) {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: home,
      env: variablesOf(home),
    })
    const outputs = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
    expect(outputs.map(firstControl), args.join(' ')).toEqual(['', ''])
  }
})

describe('the gate', () => {
  it('passes our own colours if colours are on, and no other codes', () => {
    const text = '\x1b[1mbold\x1b[22m \x1b[31mred\x1b[39m \x1b[8mhidden\x1b[0m \x1b[38;5;9mc\x1b[5mblink'
    const bare = 'bold red hidden cblink'
    expect(createGate({ redact: true, colors: false }).output(text)).toBe(bare)
    expect(createGate({ redact: false, colors: true }).output(text)).toBe(
      '\x1b[1mbold\x1b[22m \x1b[31mred\x1b[39m hidden cblink',
    )
  })

  it('passes a colour that ends within a secret, but not the secret', () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
    const marked = `a \x1b[1m${token.slice(0, 9)}\x1b[22m${token.slice(9)} b`
    expect(createGate({ redact: true, colors: true }).output(marked)).toBe(
      'a \x1b[1m[REDACTED:github-token]\x1b[22m b',
    )
  })

  it('is not bypassed: only the output of the command line writes to the terminal', () => {
    const source = resolve(import.meta.dirname, '../../src')
    const printing = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        /process\.std(?:out|err)\.write|console\.|writeSync\([12]\b/.test(
          readFileSync(join(source, name), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, ''),
        ),
    )
    expect(printing).toEqual([])
  })
})
