import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolPaths, toolTarget } from './tool-target.ts'

const CALLS: [name: string, input: unknown, target: string | undefined][] = [
  ['Read', { file_path: '/srv/a.ts', limit: 3 }, '/srv/a.ts'],
  ['NotebookEdit', { notebook_path: '/srv/a.ipynb' }, '/srv/a.ipynb'],
  ['Bash', { description: 'list', command: 'ls  -l\n  | wc' }, 'ls -l | wc'],
  ['Grep', { pattern: 'tea', path: 'src' }, 'tea in src'],
  ['Glob', { pattern: '*.ts' }, '*.ts'],
  ['WebFetch', { prompt: 'sum up', url: 'https://x.example' }, 'https://x.example'],
  ['WebSearch', { query: 'tea' }, 'tea'],
  ['Task', { prompt: 'Count.', description: 'Count', subagent_type: 'counter' }, 'counter: Count'],
  ['Agent', { prompt: 'Count.' }, 'Count.'],
  ['AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'Which?'],
  ['AskUserQuestion', { questions: 'x' }, 'x'],
  ['TodoWrite', { todos: [{ content: 'a' }, { content: 'b', status: 'in_progress' }] }, 'b'],
  ['TodoWrite', { todos: ['broken'] }, '1 items'],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: a.ts\n' }, 'a.ts'],
  ['KillShell', { shell_id: '7' }, '7'],
  ['TaskUpdate', { taskId: 7, other: 'x' }, '7'],
  ['mcp__shop__find', { terms: { a: 1 }, words: 'mugs' }, 'mugs'],
  ['exec', '{"command":"ls"}', 'ls'],
  ['exec', 'not json', 'not json'],
  ['exec', ['git', 'status'], undefined],
  ['exec', { command: ['git', 'status'] }, 'git status'],
  ['sessions_spawn', { task: 'Count the orders.', label: 'counter', agentId: 'garden' }, 'garden counter'],
  ['sessions_spawn', { task: 'Count the orders.' }, 'Count the orders.'],
  ['sessions_send', { sessionKey: 'agent:garden:main', message: 'Water it.' }, 'agent:garden:main'],
  ['message', { action: 'send', channel: 'telegram', to: '42', message: 'Hello.' }, 'send telegram 42'],
  ['message', { message: 'Hello.' }, 'Hello.'],
  ['message', { action: 'send', to: '42', file_path: '/srv/menu.pdf', message: 'Look.' }, '/srv/menu.pdf'],
  ['SendMessage', { to: 'counter', message: 'Go on.', summary: 'asks to go on' }, 'counter asks to go on'],
  ['x', { id: '7', prompt: 'Go on.', command: 'ls' }, 'ls'],
  ['x', { other: 'a', id: 7 }, '7'],
  ['x', { b: 'first', a: 'second' }, 'first'],
  ['x', {}, undefined],
  ['x', { a: 1, b: [], c: null }, undefined],
  ['x', null, undefined],
  ['x', ' ', undefined],
]

describe('the target of a tool call', () => {
  it.each(CALLS)('%s %j is %s', (name, input, target) => {
    expect(toolTarget(name, input)?.text).toBe(target)
  })

  it('is short if it is the content of the call', () => {
    for (const [name, input] of [
      ['sessions_spawn', { task: 'Count the orders. '.repeat(20) }],
      ['some_sender', { message: 'Dear Ann, '.repeat(20) }],
      ['TaskCreate', { prompt: 'Count. '.repeat(40) }],
      ['other', { content: 'a page '.repeat(40) }],
    ] as const)
      expect(toolTarget(name, input)?.shown).toBe(80)
    expect(toolTarget('exec', { command: 'ls' })?.shown).toBe(300)
  })

  it('is one line of at most 4,000 characters, whatever the input', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, input) => {
        const target = toolTarget(name, input)?.text
        expect(target?.length ?? 0).toBeLessThanOrEqual(4000)
        expect(target ?? '').not.toContain('\n')
      }),
    )
    expect(toolTarget('Bash', { command: 'x'.repeat(5000) })?.text).toBe(`${'x'.repeat(3999)}…`)
  })
})

describe('the paths of a tool call', () => {
  it.each([
    [{ file_path: '/srv/a.ts', path: 'relative/b' }, ['/srv/a.ts']],
    [{ cwd: '~/shop', command: 'ls' }, ['~/shop']],
    [{ path: 'C:\\shop\\a.ts' }, ['C:\\shop\\a.ts']],
    [{ command: 'cd /srv/shop && cat "/srv/shop/a b" > /dev/null' }, ['/srv/shop', '/srv/shop/a']],
    [{ command: 'ls /usr/bin /tmp/x' }, []],
    [{ url: '//x.example' }, []],
    [null, []],
  ])('%j: %j', (input, paths) => {
    expect(toolPaths(input)).toEqual(paths)
  })
})
