import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Json, run } from '../program.ts'
import { call, claude, putClaude, text, uuid } from '../records.ts'

let home: string
let repository: string

const git = (...words: string[]): string =>
  execFileSync(
    'git',
    ['-C', repository, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words],
    {
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_DATE: AT, GIT_COMMITTER_DATE: AT },
    },
  )
/** After the second change. */
const AT = '2026-11-01T12:00:00Z'

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-why-')))
  repository = join(home, 'shop')
  const file = join(repository, 'src/cart.ts')
  const edit = (number: number, before: string, after: string, path = file): object[] => [
    claude.reply(number, [
      call(`toolu_${number}`, 'Edit', { file_path: path, old_string: before, new_string: after }),
    ]),
    claude.result(number + 1, `toolu_${number}`, 'The file has been updated.'),
  ]
  const records = [
    claude.user(1, 'Sum up the cart'),
    claude.reply(2, [text('I add the prices of all lines.')]),
    ...edit(3, '', 'export const sum = add(lines)'),
    claude.user(10, 'Totals are off by a cent, mend that'),
    claude.reply(11, [text('I round once per order, because lines were rounded one by one.')]),
    ...edit(12, 'export const sum = add(lines)', 'export const sum = round(add(lines))'),
    claude.reply(20, [
      call('toolu_20', 'Bash', { command: 'git add -A && git commit -m "Round once per order"' }),
    ]),
    ...edit(22, 'a', 'b', join(repository, 'src/old-cart.ts')),
    claude.reply(30, [call('toolu_30', 'Edit', { file_path: file, old_string: 'x', new_string: 'y' })]),
    claude.result(31, 'toolu_30', 'String to replace not found', true),
  ].map((record, index, all) => ({
    ...record,
    cwd: repository,
    parentUuid: index === 0 ? null : (all[index - 1] as { uuid: string }).uuid,
  }))
  putClaude(home, uuid(50), records, repository.replace(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '// The cart.\n  export const sum = round(add(lines))\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'Round once per order')
})
afterAll(() => rmSync(home, { recursive: true }))

const why = (target: string, ...flags: string[]): Answer =>
  run(['why', target, ...flags], home, { cwd: repository })
const answer = (target: string, ...flags: string[]): Json =>
  JSON.parse(why(target, ...flags, '--json').stdout)

describe('why', () => {
  it('lists the changes of a file with the prompt, the reason and the commit, the newest first', () => {
    const { changes, total } = answer('src/cart.ts')
    expect(total).toBe(2)
    expect(changes[0]).toMatchObject({
      session: uuid(50),
      tool: 'Edit',
      asked: { who: 'human', text: 'Totals are off by a cent, mend that' },
      reason: { who: 'agent', text: 'I round once per order, because lines were rounded one by one.' },
      commit: { id: git('rev-parse', 'HEAD').trim(), subject: 'Round once per order' },
    })
    expect(changes[1]).toMatchObject({ asked: { text: 'Sum up the cart' } })
  })

  it('knows for a line who wrote it last, whatever its indentation', () => {
    const { text: line, blame, changes } = answer('src/cart.ts:2')
    expect(line).toBe('  export const sum = round(add(lines))')
    expect(blame.subject).toBe('Round once per order')
    expect(changes.map(({ asked }: Json) => asked.text)).toEqual(['Totals are off by a cent, mend that'])
    const { stdout } = why('src/cart.ts:2')
    expect(stdout).toMatch(/^ {2}commit {2}[\da-f]{8} {2}2026-11-01 {2}Round once per order$/m)
    expect(stdout).toContain(`→ Edit: scrollback read 0a1b2c3d:`)
  })

  it('finds the file by its whole path, and from a folder in the repository', () => {
    expect(answer(join(repository, 'src/cart.ts')).total).toBe(2)
    const inFolder = run(['why', 'cart.ts', '--json'], home, { cwd: join(repository, 'src') })
    expect(JSON.parse(inFolder.stdout).total).toBe(2)
  })

  it('leaves out a file of the same name in another folder, unless there is no other', () => {
    const other = { file_path: '/srv/other/src/cart.ts', old_string: 'a', new_string: 'other' }
    const edited = claude.reply(92, [call('toolu_92', 'Edit', other)])
    putClaude(home, uuid(51), [claude.user(91, 'Change the other cart'), edited], '-srv-other')
    expect(answer('src/cart.ts').total).toBe(2)
    const elsewhere = run(['why', 'src/cart.ts', '--json'], home, { cwd: home })
    expect(JSON.parse(elsewhere.stdout).total).toBe(3)
  })

  it('takes the text of a line that is not in the file', () => {
    const { changes, blame } = answer('src/cart.ts', '--text', 'export const sum = add(lines)')
    expect(blame).toBeNull()
    expect(changes.map(({ asked }: Json) => asked.text)).toEqual(['Sum up the cart'])
  })

  it('takes a text of several lines, and says which of them each change wrote', () => {
    const lines = [
      'export const sum = add(lines)',
      '',
      'nobody wrote this',
      'export const sum = round(add(lines))',
    ]
    const { changes } = answer('src/cart.ts', '--text', lines.join('\n'))
    expect(changes.map(({ asked, wrote }: Json) => ({ asked: asked.text, wrote }))).toEqual([
      { asked: 'Totals are off by a cent, mend that', wrote: [4] },
      { asked: 'Sum up the cart', wrote: [1] },
    ])
    expect(answer('src/cart.ts', '--text', lines[0]!).changes[0]).not.toHaveProperty('wrote')
  })

  it('says so if no session wrote it', () => {
    expect(why('src/cart.ts:1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No session wrote this line with a tool.'),
    })
    expect(why('src/none.ts')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No session changed ~/shop/src/none.ts with a tool.'),
    })
  })

  it.each([
    ['a file that is missing', []],
    ['a line of a file that cannot be read', ['src/none.ts:3']],
    ['a line that is not there', ['src/cart.ts:99']],
  ])('refuses %s', (_, words) => {
    expect(run(['why', ...words], home, { cwd: repository })).toMatchObject({ code: 2, stdout: '' })
  })

  it('works without git and without a repository', () => {
    const { stdout } = run(['why', 'src/cart.ts:2', '--json'], home, {
      cwd: repository,
      env: { PATH: '/nowhere' },
    })
    expect(JSON.parse(stdout)).toMatchObject({
      blame: null,
      total: 1,
      changes: [{ commit: { id: null, subject: 'Round once per order' } }],
    })
  })
})
