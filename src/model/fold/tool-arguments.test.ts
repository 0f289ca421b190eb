import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptTemplate, scriptConfidence } from '../script.ts'
import { shellWords } from './shell-words.ts'
import { askingCommand, sentWords, shownTarget, toolPaths, toolTarget } from './tool-arguments.ts'

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
  ['ask_user', { questions: [{ header: 'Mug', question: 'Which?' }, { question: 'How?' }] }, 'Which?'],
  ['TodoWrite', { todos: [{ content: 'a' }, { content: 'b', status: 'in_progress' }] }, 'b'],
  ['TodoWrite', { todos: ['broken'] }, '1 items'],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: a.ts\n' }, 'a.ts'],
  [
    'apply_patch',
    { patchText: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: b.ts\n*** Move to: c.ts\n' },
    'a.ts, b.ts, c.ts',
  ],
  ['KillShell', { shell_id: '7' }, '7'],
  ['TaskUpdate', { taskId: 7, other: 'x' }, '7'],
  ['mcp__shop__find', { terms: { a: 1 }, words: 'mugs' }, 'mugs'],
  ['exec', '{"command":"ls"}', 'ls'],
  ['exec', 'not json', 'not json'],
  ['exec', ['git', 'status'], undefined],
  ['exec', { command: ['git', 'status'] }, 'git status'],
  ['run', { commands: [{ command: 'echo', args: ['moss', '-n'] }, 'ls'] }, 'echo moss -n; ls'],
  ['run', { commands: [{ args: ['moss'] }] }, undefined],
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

/** The target of a call without secrets. */
const targetOf = (name: string, input: unknown): string | undefined => {
  const target = toolTarget(name, input)
  return target && shownTarget(target.text)
}

describe('the target of a tool call', () => {
  it.each(CALLS)('%s %j is %s', (name, input, target) => {
    expect(targetOf(name, input)).toBe(target)
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
        const target = targetOf(name, input)
        expect(target?.length ?? 0).toBeLessThanOrEqual(4000)
        expect(target ?? '').not.toContain('\n')
      }),
    )
    expect(targetOf('Bash', { command: 'x'.repeat(5000) })).toBe(`${'x'.repeat(3999)}…`)
    expect(targetOf('Bash', { command: `ls\n${' '.repeat(3990)}${'x'.repeat(50)}` })).toBe('ls …')
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

describe('the words of a command', () => {
  it.each([
    ['ls -l "a b" \'c d\'', ['ls', '-l', 'a b', 'c d']],
    ['echo "say \\"hi\\" for \\$5"', ['echo', 'say "hi" for $5']],
    ["echo $'two\\nlines' 'it'\\''s'", ['echo', 'two\nlines', "it's"]],
    ['a&&b|c;d', ['a', 'b', 'c', 'd']],
    ['a \\\n  b', ['a', 'b']],
    ['echo "never closed', ['echo', 'never closed']],
    ["claude -p <<'EOF'\nfirst\nsecond\nEOF\nls", ['first\nsecond\n', 'claude', '-p', 'EOF', 'ls']],
    ['cat <<-END\nno end', ['no end', 'cat', '-END']],
  ])('%s', (command, words) => {
    expect(shellWords(command)).toEqual(words)
  })

  it('are found whatever a command contains', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\\', '"', "'", '$', '<', 'E', '\n', ' ') }),
        (command) => {
          expect(shellWords(`cat <<E\n${command}`).join('').length).toBeLessThanOrEqual(command.length + 10)
        },
      ),
    )
  })
})

describe('the prompts that a tool call sends to an agent', () => {
  const PROMPT = 'Water the ferns, please.'
  it.each([
    ['exec', { command: `openclaw agent --agent garden -m "${PROMPT}"` }, [{ text: PROMPT, to: 'garden' }]],
    ['Bash', { command: `FOO=1 /usr/bin/claude --model opus -p '${PROMPT}'` }, [{ text: PROMPT }]],
    ['Bash', { command: `codex exec --message="${PROMPT}"` }, [{ text: PROMPT }]],
    ['sessions_send', { sessionKey: 'agent:garden:main', message: 'ok' }, [{ text: 'ok', to: 'garden' }]],
    ['sessions_send', { label: 'garden', message: 'ok' }, []],
    ['Bash', { command: `grep "${PROMPT}" claude.md` }, []],
    ['Bash', { command: 'claude --version' }, []],
    ['Write', { file_path: '/srv/a', content: PROMPT }, []],
    ['exec', 'no arguments', []],
    ['exec', null, []],
  ])('%s %j', (name, input, words) => {
    expect(sentWords(name, input, askingCommand(['openclaw', 'clawdbot', 'claude']))).toEqual(words)
  })
})

describe('the confidence that a script opened sessions', () => {
  const runs = (count: number, minutes: number, whole = (index: number) => index) =>
    Array.from({ length: count }, (_, index) => ({ at: index * minutes * 60_000, whole: whole(index) }))

  it.each([
    [0, runs(2, 1)],
    [0.7, runs(3, 1)],
    [0.85, runs(5, 1)],
    [0.6, runs(5, 600)],
    [0.7, runs(12, 600)],
    [0.8, runs(20, 600)],
    [0.95, runs(30, 1)],
    [0.65, runs(5, 1, () => 7)],
    [0.6, runs(30, 600, () => 7)],
  ])('is %d', (confidence, sessions) => {
    expect(scriptConfidence(sessions)).toBe(confidence)
  })

  it('applies only to prompts that differ in a parameter, and not to everyday ones', () => {
    const alike = (one: string, other: string): boolean => {
      const others = promptTemplate(other)?.templates ?? []
      return promptTemplate(one)?.templates.some((template) => others.includes(template)) ?? false
    }
    expect(alike('/describe fern', '/describe "a rose" now')).toBe(true)
    expect(alike('/describe fern', '/water fern')).toBe(false)
    expect(alike('/clear', '/clear')).toBe(false)
    expect(alike('go on', 'go on')).toBe(false)
    expect(alike('Sum up the file a/1.md in ten words', 'Sum up the file b/22.md in ten words')).toBe(true)
    const long = (plant: string) =>
      `You are to describe one plant for a book that children read, and the plant is the ${plant}, whose leaves you describe first of all.`
    expect(alike(long('fern'), long('rose'))).toBe(true)
    expect(alike('Why is the pump so loud in here?', 'Why is the fern so dry up there?')).toBe(false)
  })
})
