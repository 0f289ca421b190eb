import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, json, run } from '../program.ts'
import { append, call, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const THREAD = '0199c2d4-0000-7000-8000-000000000001'

/** A thread of Codex that ran in a folder: a prompt, words, and calls with their results. */
const putThread = (
  home: string,
  cwd: string,
  patches: readonly (readonly [patch: string, result: string])[],
) => {
  const at = (second: number): string => new Date(Date.UTC(2026, 10, 2, 9, 0, second)).toISOString()
  const item = (payload: object, second: number) => ({
    timestamp: at(second),
    type: 'response_item',
    payload,
  })
  put(join(home, `.codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-${THREAD}.jsonl`), [
    {
      timestamp: at(0),
      type: 'session_meta',
      payload: { id: THREAD, timestamp: at(0), cwd, originator: 'x' },
    },
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Label both boxes' }] }, 1),
    { timestamp: at(1), type: 'event_msg', payload: { type: 'user_message', message: 'Label both boxes' } },
    ...patches.flatMap(([input, output], index) => {
      const own = { call_id: `call_${index}` }
      return [
        item({ type: 'custom_tool_call', name: 'apply_patch', input, ...own }, index + 2),
        item({ type: 'custom_tool_call_output', output, ...own }, index + 2),
      ]
    }),
  ])
}

const patchOf = (...files: readonly string[]): string =>
  [
    '*** Begin Patch',
    ...files.flatMap((name) => [`*** Update File: ${name}`, '@@', '-old', `+label of ${name}`]),
    '*** End Patch',
  ].join('\n')

const edit = (number: number, input: object, result: object): object[] => [
  claude.reply(number, [call(`toolu_${number}`, 'Edit', input)]),
  { ...claude.result(number + 1, `toolu_${number}`, 'Updated.'), ...result },
]

/** The prompts that a file or a line is traced to. */
const asked = (home: string, cwd: string, target: string): string[] => {
  const { stdout } = run(['why', target, '--json'], home, { cwd })
  return JSON.parse(stdout).changes.map((change: Json) => change.asked.text)
}

describe('why a file is as it is', () => {
  it('is a change that the client recorded, also if that comes after the call was stored', () => {
    const home = temporaryHome()
    const shed = join(home, 'shed')
    const [file, other] = ['a', 'b'].map((name) => put(join(shed, `${name}.txt`), `label of ${name}\n`))
    putThread(home, shed, [])
    const thread = join(home, `.codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-${THREAD}.jsonl`)
    const later = (type: string, payload: object) =>
      append(thread, { timestamp: '2026-11-02T09:00:05.000Z', type, payload })
    later('response_item', {
      ...{ type: 'function_call', name: 'exec_command', call_id: 'c1' },
      arguments: JSON.stringify({ cmd: "set -e\napply_patch <<'EOF'\nlabels\nEOF\necho ok" }),
    })
    expect(json(home, 'search', 'edited:a.txt').total).toBe(0)
    const changes = Object.fromEntries(
      ['a', 'b'].map((name) => [join(shed, `${name}.txt`), { type: 'add', content: `label of ${name}\n` }]),
    )
    const item = { type: 'FileChange', id: 'c1', status: 'completed', changes }
    later('event_msg', { type: 'item_completed', item })
    for (const path of [file!, `${file}:1`, other!, `${other}:1`])
      expect(asked(home, shed, path), path).toEqual(['Label both boxes'])
    for (const name of ['a.txt', 'b.txt']) expect(json(home, 'search', `edited:${name}`).total).toBe(1)
    expect(json(home, 'search', 'tool:exec_command').total).toBe(0)
  })

  it('is not what was done to a file of the same name in another project', () => {
    const home = temporaryHome()
    for (const name of ['shed', 'house']) put(join(home, name, 'README.md'), 'Keep the door closed\n')
    const input = {
      file_path: join(home, 'house/README.md'),
      old_string: '',
      new_string: 'Keep the door closed',
    }
    putClaude(
      home,
      uuid(1),
      [claude.user(1, 'Describe the house'), ...edit(2, input, {})].map((record) => ({
        ...record,
        cwd: join(home, 'house'),
      })),
    )
    expect(asked(home, join(home, 'house'), 'README.md:1')).toEqual(['Describe the house'])
    for (const target of ['README.md', 'README.md:1', join(home, 'shed/README.md')])
      expect(asked(home, join(home, 'shed'), target)).toEqual([])
  })

  it('is told of a project that was moved, with the path that the file had', () => {
    const home = temporaryHome()
    put(join(home, 'new/house/README.md'), 'Keep the door closed\n')
    const file = join(home, 'old/house/README.md')
    const input = { file_path: file, old_string: '', new_string: 'Keep the door closed' }
    putClaude(
      home,
      uuid(1),
      [claude.user(1, 'Describe the house'), ...edit(2, input, {})].map((record) => ({
        ...record,
        cwd: join(home, 'old/house'),
      })),
    )
    expect(asked(home, join(home, 'new/house'), 'README.md:1')).toEqual(['Describe the house'])
    expect(run(['why', 'README.md'], home, { cwd: join(home, 'new/house') }).stdout).toContain(
      '→ Edit ~/old/house/README.md: ',
    )
  })

  it('is what a clock sent after the last words of a person', () => {
    const home = temporaryHome()
    const file = put(join(home, 'shed/list.txt'), 'rakes\n')
    putClaude(
      home,
      uuid(1),
      [
        claude.user(1, 'Change nothing yet'),
        claude.reply(2, [text('I wait.')]),
        { ...claude.user(3, 'List the tools at nine'), scheduledTaskId: 'task-1' },
        ...edit(4, { file_path: file, old_string: '', new_string: 'rakes' }, {}),
      ].map((record) => ({ ...record, cwd: join(home, 'shed') })),
    )
    expect(asked(home, join(home, 'shed'), 'list.txt')).toEqual(['List the tools at nine'])
  })

  it('is no call that a person declined, or that failed', () => {
    const home = temporaryHome()
    const file = put(join(home, 'shed/list.txt'), 'rakes\n')
    const refusal = `The user doesn't want to proceed with this tool use. The tool use was rejected.`
    putClaude(
      home,
      uuid(1),
      [
        claude.user(1, 'List the tools'),
        claude.reply(2, [call('toolu_2', 'Write', { file_path: file, content: 'rakes\n' })]),
        claude.result(3, 'toolu_2', refusal, true),
      ].map((record) => ({ ...record, cwd: join(home, 'shed') })),
    )
    putThread(home, join(home, 'shed'), [[patchOf('list.txt'), 'apply_patch verification failed: no line']])
    for (const target of ['list.txt', 'list.txt:1'])
      expect(asked(home, join(home, 'shed'), target)).toEqual([])
    expect(json(home, 'changes', uuid(1)).files).toEqual([])
    expect(json(home, 'changes', THREAD).files).toEqual([])
  })

  it('is known of each file of a patch, by its path and from any folder', () => {
    const home = temporaryHome()
    const shed = join(home, 'shed')
    for (const name of ['a.txt', 'boxes/b.txt']) put(join(shed, name), `label of ${name}\n`)
    putThread(home, shed, [[patchOf('a.txt', 'boxes/b.txt'), 'Success. Updated the following files:']])
    for (const [cwd, target] of [
      [shed, 'a.txt:1'],
      [shed, 'boxes/b.txt:1'],
      [join(shed, 'boxes'), 'b.txt'],
      [home, join(shed, 'boxes/b.txt')],
      [join(shed, 'boxes'), '../a.txt'],
    ] as const)
      expect([target, asked(home, cwd, target)]).toEqual([target, ['Label both boxes']])
    const found = json(home, 'search', 'edited:b.txt').hits
    expect(found.map(({ tool }: Json) => tool.target)).toEqual(['a.txt, boxes/b.txt'])
  })

  it.each([
    ['the file before', { toolUseResult: { originalFile: 'const sum = round(p * 100) / 100\n' } }],
    [
      'the changed lines',
      {
        toolUseResult: {
          structuredPatch: [
            {
              ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
              lines: ['-const sum = round(p * 100) / 100', '+const sum = round(p * 20) / 20'],
            },
          ],
        },
      },
    ],
    ['only the call', {}],
  ])('is known of a line of which a part was replaced, by %s', (_, result) => {
    const home = temporaryHome()
    const file = join(home, 'shed/sum.ts')
    put(file, 'const sum = round(p * 20) / 20\nconst other = round(q)\n')
    const input = { file_path: file, old_string: 'p * 100) / 100', new_string: 'p * 20) / 20' }
    putClaude(
      home,
      uuid(1),
      [
        claude.user(1, 'Round to five cents'),
        claude.reply(2, [text('One line.')]),
        ...edit(3, input, result),
      ].map((record) => ({ ...record, cwd: join(home, 'shed') })),
    )
    expect(asked(home, join(home, 'shed'), 'sum.ts:1')).toEqual(['Round to five cents'])
    expect(asked(home, join(home, 'shed'), 'sum.ts:2')).toEqual([])
    writeFileSync(file, 'const sum = round(p * 100) / 100\n')
    expect(asked(home, join(home, 'shed'), 'sum.ts:1')).toEqual([])
  })

  it('is known of a line that the file has elsewhere, too', () => {
    const home = temporaryHome()
    const before = 'wet()\n}\n\ndry()\n'
    const file = join(home, 'shed/pots.ts')
    put(file, 'wet()\n}\n\nwet()\n')
    const input = { file_path: file, old_string: 'dry()', new_string: 'wet()' }
    putClaude(
      home,
      uuid(1),
      [
        claude.user(1, 'Water the last one'),
        ...edit(2, input, { toolUseResult: { originalFile: before } }),
      ].map((record) => ({ ...record, cwd: join(home, 'shed') })),
    )
    expect(asked(home, join(home, 'shed'), 'pots.ts:4')).toEqual(['Water the last one'])
  })
})
