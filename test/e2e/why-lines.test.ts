import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  asked,
  changesOf,
  commit,
  EARLIER,
  LATER,
  putCopilotEdit,
  putEdit,
  putPatches,
  putPiEdit,
} from '../editing-sessions.ts'
import { run } from '../program.ts'
import { call, claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

/** A folder with a file of these lines. */
function shopWith(lines: readonly string[]) {
  const home = temporaryHome()
  const cwd = join(home, 'shop')
  const path = join(cwd, 'sum.ts')
  const write = (now: readonly string[]): string => put(path, `${now.join('\n')}\n`)
  write(lines)
  return { home, cwd, path, write }
}

const DONE = { type: 'tool.execution_complete', data: { success: true, result: { content: 'Updated' } } }

/** The prompts that each line of a file is traced to. */
const ofLines = (home: string, cwd: string, count: number): string[][] =>
  Array.from({ length: count }, (_, index) => asked(home, cwd, `sum.ts:${index + 1}`))

describe('the line that an edit wrote', () => {
  const before = ['export const calculateTotal = 1', 'let y = 2', 'const x = someFunction']
  const after = [...before.slice(0, 2), 'const x = calculateTotal']
  const words = { old: 'someFunction', now: 'calculateTotal' }

  it.each([
    ['a word', before, after, words],
    [
      'a short word',
      ['const total = 1', 'let y = 2', 'const x = foo'],
      ['const total = 1', 'let y = 2', 'const x = total'],
      { old: 'foo', now: 'total' },
    ],
  ])(
    'is the one of which it replaced %s, as the diff of the client has it',
    (_, old, lines, { old: from, now }) => {
      const { home, cwd } = shopWith(lines)
      const diff = `  1 ${old[0]}\n  2 ${old[1]}\n- 3 ${old[2]}\n+ 3 ${lines[2]}`
      putPiEdit(home, { cwd, prompt: 'Use it', input: { path: 'sum.ts', oldText: from, newText: now }, diff })
      expect(ofLines(home, cwd, 3)).toEqual([[], [], ['Use it']])
    },
  )

  it('is none of several with the word that it wrote, if only that is known, and this is said', () => {
    const { home, cwd } = shopWith(after)
    const input = { path: 'sum.ts', oldText: words.old, newText: words.now }
    putPiEdit(home, { cwd, prompt: 'Use it', input })
    expect(ofLines(home, cwd, 3)).toEqual([[], [], []])
    const { stdout, code } = run(['why', 'sum.ts:3'], home, { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('No session wrote this line with a tool for certain: 1 change wrote such text')
  })

  it('is the only one with the word that it wrote', () => {
    const { home, cwd } = shopWith(['let y = 2', 'const x = calculateTotal'])
    const input = { path: 'sum.ts', old_str: words.old, new_str: words.now }
    putCopilotEdit(home, { cwd, prompt: 'Use it', input, events: [DONE] })
    expect(ofLines(home, cwd, 2)).toEqual([[], ['Use it']])
  })

  it('is not one that is no more than the word that it wrote, if others contain the word', () => {
    const { home, cwd } = shopWith(['total', 'let x = total'])
    const input = { path: 'sum.ts', old_str: 'foo', new_str: 'total' }
    putCopilotEdit(home, { cwd, prompt: 'Use it', input, events: [DONE] })
    expect(ofLines(home, cwd, 2)).toEqual([[], []])
  })

  it.each([
    ['a word', before, after, words],
    [
      'a short word',
      ['const total = 1', 'let y = 2', 'const x = foo'],
      ['const total = 1', 'let y = 2', 'const x = total'],
      { old: 'foo', now: 'total' },
    ],
  ])('is the only one with %s that it wrote which is not older', (_, old, lines, { old: from, now }) => {
    const { home, cwd, write } = shopWith(old)
    commit(cwd, EARLIER)
    write(lines)
    const input = { path: 'sum.ts', old_str: from, new_str: now }
    putCopilotEdit(home, { cwd, prompt: 'Use it', input, events: [DONE] })
    expect(ofLines(home, cwd, 3)).toEqual([[], [], ['Use it']])
  })

  it('is not an equal one that was committed before the edit', () => {
    const { home, cwd, path, write } = shopWith(['function a() {', '  one()', '}'])
    commit(cwd, EARLIER)
    write(['function a() {', '  one()', '}', 'function b() {', '  two()', '}'])
    commit(cwd, LATER)
    const added = '}\nfunction b() {\n  two()\n}'
    putEdit(home, uuid(1), {
      cwd,
      prompt: 'Add b',
      input: { file_path: path, old_string: '  one()\n}', new_string: `  one()\n${added}` },
      result: {
        structuredPatch: [
          {
            ...{ oldStart: 2, oldLines: 2, newStart: 2, newLines: 5 },
            lines: ['   one()', ...added.split('\n').map((line) => `+${line}`), ' }'].slice(0, -1),
          },
        ],
      },
    })
    expect(ofLines(home, cwd, 6)).toEqual([[], [], [], ['Add b'], ['Add b'], ['Add b']])
  })

  it.each([
    ['is in no commit that was made in the same second, before it', ['one()'], null],
    ['is in a commit that was made in the same second, after it', ['one()', 'two()'], 'All files at'],
  ])('%s', (_, committed, subject) => {
    const { home, cwd, path, write } = shopWith(committed)
    commit(cwd, `${LATER.slice(0, -1)}.000Z`)
    write(['one()', 'two()'])
    const at = LATER.replace('Z', '.571Z')
    putClaude(
      home,
      uuid(1),
      [
        claude.user(1, 'Add two'),
        claude.reply(2, [
          call('toolu_2', 'Edit', { file_path: path, old_string: 'one()', new_string: 'one()\ntwo()' }),
        ]),
        { ...claude.result(3, 'toolu_2', 'Updated.'), toolUseResult: { originalFile: 'one()\n' } },
      ].map((record) => ({ ...record, cwd, timestamp: at })),
      cwd.replace(/[^a-zA-Z0-9]/g, '-'),
    )
    const [change] = changesOf(home, cwd, 'sum.ts:2')
    expect(change.commit?.subject.slice(0, 12) ?? null).toBe(subject)
  })

  it('is one of a commit that was made anew after the edit', () => {
    const { home, cwd, path } = shopWith(['let pots = 2'])
    commit(cwd, LATER)
    putEdit(home, uuid(1), {
      cwd,
      prompt: 'Two pots',
      input: { file_path: path, old_string: 'let pots = 1', new_string: 'let pots = 2' },
      result: { originalFile: 'let pots = 1\n' },
    })
    expect(asked(home, cwd, 'sum.ts:1')).toEqual(['Two pots'])
  })

  it('is also one that a line next to it equals', () => {
    const { home, cwd } = shopWith(['let a = 1', '  note = 5', '}', '}', 'let b = 4'])
    putPatches(home, { cwd, id: uuid(1), prompt: 'Close it earlier', at: '10:00:00' }, [
      {
        patch: '*** Update File: sum.ts\n@@\n let a = 1\n-  item = 2\n+  note = 5\n+}\n }\n let b = 4',
        result: 'Success.',
      },
    ])
    expect(asked(home, cwd, 'sum.ts:2')).toEqual(['Close it earlier'])
    expect(asked(home, cwd, 'sum.ts:3')).toEqual(['Close it earlier'])
    for (const line of [1, 5]) expect(asked(home, cwd, `sum.ts:${line}`)).toEqual([])
  })

  it('is not one that an earlier session wrote, and a later one kept when it wrote the whole file', () => {
    const { home, cwd } = shopWith(['let pots = 2', 'let ferns = 3'])
    const patch = '*** Update File: sum.ts\n@@\n-let pots = 1\n+let pots = 2'
    putPatches(home, { cwd, id: uuid(1), prompt: 'Two pots', at: '09:00:00' }, [
      { patch, result: 'Success.' },
    ])
    const input = { path: 'sum.ts', file_text: 'let pots = 2\nlet ferns = 3\n' }
    putCopilotEdit(home, { cwd, prompt: 'And ferns', input, events: [DONE] })
    expect(ofLines(home, cwd, 2)).toEqual([['Two pots'], ['And ferns']])
  })
})

describe('of two edits that wrote an equal line', () => {
  it('the one whose lines are around it wrote it, and not one that stood elsewhere and was removed', () => {
    const { home, cwd } = shopWith(['function wet(pot) {', '  return value', '}', 'done()'])
    const patch = (prompt: string, at: string, id: string, lines: string): void =>
      putPatches(home, { cwd, id, prompt, at }, [
        { patch: `*** Update File: sum.ts\n@@\n${lines}`, result: 'Success.' },
      ])
    patch('Dry them', '09:00:00', uuid(1), ' dry(pot)\n+  return value\n+  sweep()')
    patch('No longer', '10:00:00', uuid(2), ' dry(pot)\n-  return value\n-  sweep()')
    patch('Water them', '11:00:00', uuid(3), '+function wet(pot) {\n+  return value\n+}\n done()')
    expect(asked(home, cwd, 'sum.ts:2')).toEqual(['Water them'])
  })

  it('one that wrote the whole file around it does not take it from the one that wrote it', () => {
    const { home, cwd } = shopWith(['let pots = 2', 'let ferns = 3'])
    const patch = '*** Update File: sum.ts\n@@\n jars()\n-let pots = 1\n+let pots = 2\n rakes()'
    putPatches(home, { cwd, id: uuid(1), prompt: 'Two pots', at: '09:00:00' }, [
      { patch, result: 'Success.' },
    ])
    const input = { path: 'sum.ts', file_text: 'let pots = 2\nlet ferns = 3\n' }
    putCopilotEdit(home, { cwd, prompt: 'And ferns', input, events: [DONE] })
    expect(ofLines(home, cwd, 2)).toEqual([['Two pots'], ['And ferns']])
  })

  it('a call whose edits take a line away and put it back did not write it', () => {
    const { home, cwd, path } = shopWith(['let pots = 1', 'let ferns = 3'])
    const prompt = 'Two pots, and three ferns'
    putPatches(home, { cwd, id: uuid(1), prompt, at: '09:00:00' }, [
      { patch: '*** Update File: sum.ts\n@@\n-let jars = 1\n+let pots = 1', result: 'Success.' },
    ])
    const edits = [
      { old_string: 'let pots = 1\nlet ferns = 2', new_string: 'LINES' },
      { old_string: 'LINES', new_string: 'let pots = 1\nlet ferns = 3' },
    ]
    putClaude(
      home,
      uuid(2),
      [
        claude.user(1, 'One more fern'),
        claude.reply(2, [call('toolu_2', 'MultiEdit', { file_path: path, edits })]),
        {
          ...claude.result(3, 'toolu_2', 'Updated.'),
          toolUseResult: { originalFileContents: 'let pots = 1\nlet ferns = 2\n' },
        },
      ].map((record) => ({ ...record, cwd })),
    )
    expect(ofLines(home, cwd, 2)).toEqual([[prompt], ['One more fern']])
  })
})

describe('a line that cannot be looked up', () => {
  it.each([
    ['one after the last', 'sum.ts:99', 'has no line 99', 'It has 2 lines.'],
    ['several lines', 'sum.ts:1-2', 'sum.ts:1-2 names several lines', 'scrollback why sum.ts:1'],
    ['a folder', 'src', 'src is a folder', 'scrollback search edited:src/'],
  ])('is named with a way out: %s', (_, target, fault, hint) => {
    const { home, cwd } = shopWith(['one', 'two'])
    put(join(cwd, 'src/a.ts'), 'a\n')
    putPiEdit(home, { cwd, prompt: 'Two', input: { path: 'sum.ts', oldText: 'b', newText: 'two' } })
    const { code, stdout, stderr } = run(['why', target], home, { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(fault)
    expect(stderr).toContain(hint)
  })
})
