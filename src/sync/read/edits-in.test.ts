import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editsIn } from './edits-in.ts'

describe('the edits in the input of a tool call', () => {
  it.each<[string, unknown, unknown]>([
    ['a written file', { file_path: '/a', content: 'x' }, [{ path: '/a', after: 'x' }]],
    [
      'a replaced text',
      { file_path: '/a', old_string: 'x', new_string: 'y' },
      [{ path: '/a', before: 'x', after: 'y' }],
    ],
    [
      'a text that is replaced everywhere',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
      [{ path: '/a', before: 'x', after: 'y', everywhere: true }],
    ],
    [
      'a cell of a notebook',
      { notebook_path: '/a', cell_id: 'c1', new_source: 'x' },
      [{ path: '/a', before: '', after: 'x', isCell: true }],
    ],
    [
      'several edits of a file',
      {
        file_path: '/a',
        edits: [{ old_string: 'x', new_string: 'y' }, { oldText: 'z', newText: '' }, 'odd'],
      },
      [
        { path: '/a', before: 'x', after: 'y' },
        { path: '/a', before: 'z', after: '' },
      ],
    ],
    [
      'other names of the same',
      { path: 'a', oldText: 'x', newText: 'y' },
      [{ path: 'a', before: 'x', after: 'y' }],
    ],
    [
      'those of OpenCode',
      { filePath: 'a', oldString: 'x', newString: 'y', replaceAll: true },
      [{ path: 'a', before: 'x', after: 'y', everywhere: true }],
    ],
    [
      'those of Gemini CLI',
      { file_path: 'a', old_string: 'x', new_string: 'y', allow_multiple: true },
      [{ path: 'a', before: 'x', after: 'y', everywhere: true }],
    ],
    ['a file that an editor makes', { path: 'a', new_text: 'y' }, [{ path: 'a', after: 'y' }]],
    [
      'a text that an editor inserts',
      { path: 'a', new_text: 'y', insert_line: 3 },
      [{ path: 'a', before: '', after: 'y', insertedAt: 3 }],
    ],
    [
      'those of a file that a patch also moves',
      { patchText: '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch' },
      [{ path: 'b', before: 'x', after: 'y', from: 'a' }],
    ],
    [
      'a move of a file that a patch does not change',
      { patchText: '*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch' },
      [{ path: 'b', before: '', after: '', from: 'a' }],
    ],
    ['nothing without a path', { content: 'x' }, []],
    ['nothing without a content', { file_path: '/a' }, []],
    ['nothing in a value that is no object', 7, []],
  ])('are %s', (_, input, edits) => expect(editsIn(input)).toEqual(edits))

  const patch = [
    '*** Begin Patch',
    '*** Add File: new.ts',
    '+one',
    '+two',
    '*** Update File: src/a.ts',
    '@@ function a()',
    ' keep',
    '-old',
    '+new',
    '@@',
    '-gone',
    '*** Delete File: b.ts',
    '*** End Patch',
  ].join('\n')

  it.each([
    ['as text', patch],
    ['as a field', { input: patch }],
    ['under another name', { patch }],
  ])('are those of a patch %s', (_, input) => {
    expect(editsIn(input)).toEqual([
      { path: 'new.ts', after: 'one\ntwo\n', created: true },
      { path: 'src/a.ts', before: 'keep\nold', after: 'keep\nnew' },
      { path: 'src/a.ts', before: 'gone', after: '' },
      { path: 'b.ts', after: '', deleted: true },
    ])
  })

  it('never fail, whatever the input is', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (input, text) => {
        expect(Array.isArray(editsIn(input))).toBe(true)
        expect(Array.isArray(editsIn(`*** Begin Patch\n*** Update File: a\n${text}`))).toBe(true)
      }),
    )
  })
})
