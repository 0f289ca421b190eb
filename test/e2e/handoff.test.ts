import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { estimateTokens } from '../../src/condense/tokens.ts'
import { identities } from '../../src/platforms/identities.ts'
import { asSystem, json, printed, run, variablesOf } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  putClaude,
  putOpenclaw,
  putProgram,
  TOKEN,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const BEGINS = Object.fromEntries(
  identities.flatMap(({ short, begins }) => (begins ? [[short, begins] as const] : [])),
)

/** A session with a secret, text that looks like our marks, an open question and a test that fails. */
function garden(): string {
  const home = temporaryHome()
  mkdirSync(join(home, 'garden'))
  const cwd = join(home, 'garden')
  putClaude(home, uuid(1), [
    claude.user(1, `Prune the fern with ${TOKEN}. [^0a1b2c3d:9:abcdef] @/etc/hosts`, { cwd }),
    claude.reply(2, [
      call('t1', 'Edit', { file_path: join(cwd, 'fern.md'), old_string: 'a', new_string: 'b' }),
    ]),
    claude.result(3, 't1', 'updated'),
    claude.reply(30, [text('All leaves are pruned.')]),
    claude.user(4, "No, that's wrong. Prune only the dead leaves.", { cwd }),
    claude.reply(5, [call('t2', 'Bash', { command: 'npm test' })]),
    claude.result(6, 't2', 'Exit code 1\nError: 2 leaves are missing', true),
    claude.reply(7, [text('The dead leaves are gone. Should the moss be watered too?')]),
  ])
  return home
}

it('a brief has goal, state, decisions, open points and files, each with a citation that read accepts', () => {
  const home = garden()
  const answer = json(home, 'handoff', uuid(1), '--to', 'openclaw')
  const short = uuid(1).slice(0, 8)
  expect(answer).toMatchObject({
    session: uuid(1),
    to: 'openclaw',
    directory: join(home, 'garden'),
    goal: [
      { citation: `${short}:1` },
      { text: expect.stringContaining('dead leaves'), citation: `${short}:5` },
    ],
    decisions: [{ text: expect.stringContaining('the human corrected'), citation: `${short}:5` }],
    files: [{ path: join(home, 'garden/fern.md'), text: 'changed, 1 edit' }],
  })
  const said = (points: { text: string }[]): string => points.map(({ text: words }) => words).join('\n')
  expect(said(answer.state)).toContain('last run of tests: failed')
  expect(said(answer.open)).toMatch(/tests failed: .*2 leaves are missing[\s\S]*moss be watered/)
  const { text: brief } = answer
  expect(brief).toContain('# Hand-over to OpenClaw')
  expect(brief).not.toContain(TOKEN)
  // What a transcript says is no mark of ours.
  expect(brief).not.toContain('`0a1b2c3d:9`')
  for (const [, citation] of brief.matchAll(/`([\w-]+:\d+)`/g))
    if (citation !== `${short}:12`) expect(run(['read', citation!], home).code).toBe(0)
  expect(printed(home, 'handoff', uuid(1), '--to', 'openclaw')).toBe(brief)
})

it('fits a budget, and refuses one that is too small, a secret and an agent that is not named', () => {
  const home = temporaryHome()
  for (const budget of [1000, 2000, 4000]) {
    const { tokens, text: brief } = json(home, 'handoff', '7122ceb8', '--demo', '--budget', `${budget}`)
    expect(tokens).toBe(estimateTokens(brief))
    expect(tokens).toBeLessThanOrEqual(budget)
  }
  const refused: [string[], string][] = [
    [['--budget', '100'], 'too few'],
    [['--no-redact'], 'another agent'],
    [['--run'], `--to ${Object.keys(BEGINS).join('|')}`],
    [['--to', 'nobody'], '--to'],
  ]
  for (const [flags, reason] of refused) {
    const { code, stdout, stderr } = run(['handoff', '640ab4c7', '--demo', ...flags], home)
    expect({ flags, code, stdout }).toEqual({ flags, code: 2, stdout: '' })
    expect(stderr).toContain(reason)
  }
})

it('listens to the program that prompted a session without a human', () => {
  const home = temporaryHome()
  putOpenclaw(home, 'moss.jsonl', [
    openclaw.header('moss'),
    openclaw.user(1, '[cron:1 water] Water the moss at noon'),
    openclaw.reply(2, [text('It is wet.')]),
  ])
  expect(json(home, 'handoff', 'moss').goal[0].text).toContain('Water the moss')
})

it('starts each agent with the brief in the folder of the session, without words that attach files', () => {
  const home = garden()
  const env = { PATH: `${join(home, 'bin')}:${variablesOf(home).PATH}` }
  for (const [name, begins] of Object.entries(BEGINS)) {
    const [program, ...words] = begins
    putProgram(home, program!, 'echo "in $(pwd)"; for each in "$@"; do echo "<$each>"; done')
    const { stdout, code } = run(['handoff', uuid(1), '--to', name, '--run'], home, { env })
    expect(code).toBe(0)
    expect(stdout).toContain(
      [`in ${join(home, 'garden')}`, ...words.map((word) => `<${word}>`), '<# Hand-over to '].join('\n'),
    )
    expect(stdout).toContain('＠/etc/hosts')
    expect(stdout).not.toContain('@')
    expect(stdout).not.toContain(TOKEN)
    // OpenClaw would continue its main session.
    expect(/\n<--session>\n<handoff-[\w-]+>\n$/.test(stdout)).toBe(name === 'openclaw')
  }
  putProgram(home, 'codex', 'exit 7')
  expect(run(['handoff', uuid(1), '--to', 'codex', '--run'], home, { env }).code).toBe(3)
  const missing = run(['handoff', uuid(1), '--to', 'pi', '--run'], home, { env: { PATH: '/nowhere' } })
  expect(missing.stderr).toContain('pi is not installed')
  // In the same words as `resume`, with something to do instead.
  const words = 'claude is not installed, or not on your PATH'
  const onWindows = `${words} as an .exe file (the .cmd files that npm installs cannot be started from here)`
  for (const [system, why] of [
    ['linux', words],
    ['win32', onWindows],
  ] as const)
    for (const [args, instead] of [
      [['handoff', uuid(1), '--to', 'claude', '--run'], 'print the brief without --run.'],
      [['resume', uuid(1), '--run'], 'run this yourself:\ncd '],
    ] as const) {
      const options = system === process.platform ? {} : { NODE_OPTIONS: asSystem(system) }
      const { stderr, code } = run(args, home, { env: { PATH: '/nowhere', ...options } })
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(`${why}.\nInstall it, or ${instead}`),
      })
    }
})

it('of calls that are made at once, those that failed or were declined have changed no file', () => {
  const home = temporaryHome()
  const cwd = join(home, 'garden')
  const edit = (id: string, file: string) =>
    call(id, 'Edit', { file_path: join(cwd, file), old_string: 'a', new_string: 'b' })
  const refusal = `The user doesn't want to proceed with this tool use. The tool use was rejected.`
  putClaude(home, uuid(1), [
    claude.user(1, 'Prune them all', { cwd }),
    claude.reply(2, [edit('t1', 'fern.md'), edit('t2', 'moss.md'), edit('t3', 'ivy.md')]),
    claude.result(3, 't1', 'String to replace not found', true),
    claude.result(4, 't2', 'updated'),
    { ...claude.result(5, 't3', refusal, true), toolUseResult: 'User rejected tool use' },
    claude.reply(6, [text('The API is overloaded')], { isApiErrorMessage: true }),
  ])
  const { files } = json(home, 'handoff', uuid(1))
  expect(files.map(({ path }: { path: string }) => path)).toEqual([join(cwd, 'moss.md')])
  expect(json(home, 'stats').files).toEqual([{ path: join(cwd, 'moss.md'), count: 1 }])
})
