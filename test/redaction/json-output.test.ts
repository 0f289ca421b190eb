import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/render/gate.ts'
import { run } from '../program.ts'
import { call, claude, putClaude, sharedHome, text, uuid } from '../records.ts'

/** Digits and letters that look chosen, so that the repository contains nothing shaped like a secret. */
const invented = ['LzG1KeW9', 'mJtDfo'].join('')

/** Texts with which a table, a block or a list of secrets begins. */
const BEGINNINGS = [
  `1\targs:\n2\t- --api-token\n3\t- ${invented}${invented}`,
  `name,password\nbob,${invented}`,
  `| user | password |\n|---|---|\n| bob | ${invented} |`,
  `Recovery codes:\nk3f9c-2d8hw\nq7m2x-9t4bz`,
  `apiVersion: v1\nkind: Secret\nstringData:\n  password: |\n    ${invented}`,
  'the password for staging is',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE',
]
/** Texts without a secret, which look like the rest of one. */
const INNOCENT = [
  'and here:\n```\nls -la\n```',
  'bob,release-2024,next',
  '| ann | release-2024 |',
  'release-2024',
  'first\npublicKey: release2024x9 and\n\tpageToken=abc123def456',
]

describe('JSON that passes the gate', () => {
  const gate = createGate({ redact: true, colors: false, json: true })

  it('stays JSON, and what is in one line changes no other', () => {
    for (const beginning of BEGINNINGS) {
      const values = [{ who: 'tool', text: beginning }, ...INNOCENT.map((each) => ({ text: each }))]
      const lines = gate.output(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
      const shown = lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { text: string })
      expect(shown.slice(1)).toEqual(values.slice(1))
      expect(lines).not.toContain(invented)
    }
  })

  it('may come in parts that end between strings', () => {
    const parts = [
      '{"version":1,"items":[\n',
      `{"password":"${invented}"}`,
      ',\n{"a":1}',
      '\n],"token":',
      '"x"}\n',
    ]
    expect(parts.map((part) => gate.output(part)).join('')).toBe(
      '{"version":1,"items":[\n{"password":"[REDACTED:password]"},\n{"a":1}\n],"token":"x"}\n',
    )
  })
})

describe.each(BEGINNINGS)('JSON of a session in which a tool printed %j', (beginning) => {
  const home = sharedHome()
  putClaude(home, uuid(8), [
    claude.user(1, 'Show it.'),
    claude.reply(2, [call('toolu_1', 'Bash', { command: 'cat it' })]),
    claude.result(3, 'toolu_1', beginning),
    ...INNOCENT.map((each, at) => claude.user(4 + at, each)),
    claude.reply(20, [text('Done.')]),
  ])

  it.each([
    ['read', '--full', '--json'],
    ['read', '--full', '--format', 'json'],
    ['read', '--full', '--format', 'jsonl'],
    ['export', '--full', '--format', 'json', '--out', '-'],
    ['export', '--full', '--format', 'jsonl', '--out', '-'],
    ['export', '--format', 'atif', '--out', '-'],
    ['export', '--format', 'native', '--out', '-'],
  ])('has the other messages as they are: %s %s %s %s', (name, ...flags) => {
    const { stdout } = run([name!, uuid(8), ...flags], home)
    const whole =
      flags.includes('jsonl') || flags.includes('native')
        ? `[${stdout.trim().replaceAll('\n', ',')}]`
        : stdout
    const strings = new Set<unknown>()
    JSON.parse(whole, (_, value: unknown) => {
      strings.add(value)
      return value
    })
    for (const each of INNOCENT) expect([...strings]).toContain(each)
    expect(stdout).not.toContain(invented)
  })
})
