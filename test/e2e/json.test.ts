import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { commands } from '../../src/commands/index.ts'
import { checkout, json, run } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

/** Every key of a value, at any depth, with the types of its values: the shape of an answer, readable. */
function shapeOf(value: unknown, path = '', into = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const note = (kind: string) => into.set(path, (into.get(path) ?? new Set()).add(kind))
  if (Array.isArray(value)) {
    note('list')
    for (const each of value) shapeOf(each, `${path}[]`, into)
  } else if (typeof value === 'object' && value !== null) {
    // Counts by type have types as keys; the shape only contains that there are some.
    const byType = /\.(?:skipped|unknown)$/.test(path)
    for (const [key, each] of Object.entries(value)) shapeOf(each, `${path}.${byType ? '<type>' : key}`, into)
  } else note(value === null ? 'null' : typeof value)
  return into
}

const shapeText = (value: unknown): string =>
  [...shapeOf(value)]
    .map(([path, kinds]) => `${path}: ${[...kinds].sort().join(' | ')}\n`)
    .sort()
    .join('')

const QUESTIONS = [
  ['overview', []],
  ['projects', ['projects']],
  ['projects-named', ['projects', 'eastore']],
  ['sessions', ['sessions', '--all', '--deleted']],
  ['runs', ['runs', '--all']],
  ['stats', ['stats']],
  ['cron', ['cron']],
  ['cron-job', ['cron', 'stock']],
  ['read', ['read', '--all', '--deleted']],
  ['read-budget', ['read', '640ab4c7', '--budget', '150']],
  ['read-full', ['read', '640ab4c7', '--full']],
  ['read-subagents', ['read', '--all', '--subagents']],
] as const

/** Their shapes consist of those of others, in which a review sees every change. */
const REPEATED = new Set<string>(['projects-named', 'cron-job', 'read-budget', 'read-subagents'])

describe('output as JSON', () => {
  it.each(QUESTIONS)('%s has the shape that the command declares, and the frozen one', async (name, args) => {
    const { stdout, code } = run([...args, '--json', '--demo'], temporaryHome())
    expect(code).toBe(0)
    const answer: unknown = JSON.parse(stdout)
    const command = await commands[name.split('-')[0]!]!()
    const strict = (command.output() as z.ZodMiniObject).safeParse(answer)
    expect(strict.error?.issues ?? []).toEqual([])
    expect(undeclared(answer, strict.data)).toEqual([])
    if (!REPEATED.has(name))
      await expect(shapeText(answer)).toMatchFileSnapshot(
        join(import.meta.dirname, `output/shape-${name}.txt`),
      )
  })

  it('is what every other command answers, too, in one field with the same text', () => {
    const home = temporaryHome()
    const fields = { version: 'program', help: 'help', 'help sources': 'help', 'completions bash': 'script' }
    for (const [line, field] of Object.entries(fields)) {
      const words = line.split(' ')
      const text = run(words, home).stdout.trimEnd()
      const { stdout, stderr, code } = run([...words, '--json'], home)
      expect([line, JSON.parse(stdout), stderr, code]).toEqual([line, { version: 1, [field]: text }, '', 0])
    }
  })

  it('is never said to be what was meant by the line that was typed', () => {
    const home = temporaryHome()
    for (const line of ['version --json --jsn', 'version --foo', 'help sources --no-pager --jsn'])
      expect(run(line.split(' '), home).stderr).not.toContain(`Did you mean: scrollback ${line}\n`)
  })

  it('is the same for read with --format json and with --json', () => {
    const home = temporaryHome()
    const one = run(['read', '640ab4c7', '--format', 'json', '--demo'], home).stdout
    expect(run(['read', '640ab4c7', '--json', '--demo'], home).stdout).toBe(one)
  })

  it('has one item per line as jsonl, the same items as in json', () => {
    const home = temporaryHome()
    const lines = run(['read', '--all', '--format', 'jsonl', '--demo'], home).stdout.split('\n')
    expect(lines.pop()).toBe('')
    const { items } = JSON.parse(run(['read', '--all', '--format', 'json', '--demo'], home).stdout)
    expect(lines.map((line) => JSON.parse(line))).toEqual(items)
    expect(lines.length).toBeGreaterThan(100)
  })

  it('is complete if nothing was found', () => {
    const home = temporaryHome()
    for (const line of ['', 'projects', 'sessions --all', 'runs --all', 'cron', 'read --all']) {
      const { stdout, code } = run([...line.split(' '), '--json'].filter(Boolean), home)
      expect(code).toBe(line === '' ? 0 : 1)
      expect(JSON.parse(stdout)).toMatchObject({ version: 1 })
    }
  })

  it('contains the byte range of the record of each item', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'grüße\u2028ß'), claude.reply(2, [text('ja 🌱')])])
    const [first, second] = json(home, 'read', path).items
    expect([first, second]).toMatchObject([
      { line: 1, text: 'grüße\u2028ß', offset: 0 },
      { line: 2, text: 'ja 🌱', offset: first.length + 1 },
    ])
  })
})

describe('the JSON guide', () => {
  const document = readFileSync(join(checkout, 'docs/json.md'), 'utf8')

  it('names every field that a schema declares', async () => {
    const missing: string[] = []
    for (const load of Object.values(commands))
      for (const key of keysOf((await load()).output()))
        if (!document.includes(`\`${key}\``)) missing.push(key)
    expect(missing).toEqual([])
  })

  it('contains valid JSON examples, with fields that exist', async () => {
    const declared = new Set<string>()
    for (const load of Object.values(commands))
      for (const key of keysOf((await load()).output())) declared.add(key)
    const examples = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(
      (match) => JSON.parse(match[1]!) as unknown,
    )
    expect(examples.length).toBeGreaterThan(6)
    const shown = examples
      .flatMap((each) => [...shapeOf(each).keys()])
      .filter((path) => !path.includes('<type>'))
    const names = new Set(shown.flatMap((path) => path.split(/[.[\]]+/).filter((name) => name !== '')))
    expect([...names].filter((name) => !declared.has(name))).toEqual([])
  })
})

/** The names of all fields that a schema declares, at any depth. */
function keysOf(schema: z.core.$ZodType, into = new Set<string>()): Set<string> {
  const { shape, element, innerType } = schema._zod.def as {
    shape?: Record<string, z.core.$ZodType>
    element?: z.core.$ZodType
    innerType?: z.core.$ZodType
  }
  for (const [key, inner] of Object.entries(shape ?? {})) {
    into.add(key)
    keysOf(inner, into)
  }
  for (const inner of [element, innerType]) if (inner) keysOf(inner, into)
  return into
}

/** Paths in an answer that its schema dropped because it does not declare them. */
function undeclared(answer: unknown, accepted: unknown): string[] {
  const declared = shapeOf(accepted)
  return [...shapeOf(answer).keys()].filter((path) => !declared.has(path))
}
