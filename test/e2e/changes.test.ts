import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, printed, run } from '../program.ts'
import { call, claude, openclaw, put, putOpenclaw, TOKEN, temporaryHome, uuid } from '../records.ts'

const SESSION = uuid(700)
const folder = '.claude/projects/-srv-garden'

/** The result of an edit, with the content before it. */
const edited = (number: number, id: string, originalFile: string | null) => ({
  ...claude.result(number, id, 'The file has been updated.'),
  toolUseResult: {
    type: originalFile === null ? 'create' : 'update',
    filePath: '/srv/garden/a.md',
    originalFile,
  },
})

/** A home with a session that edits one file, and whose subagent edits it too. */
function garden(): string {
  const home = temporaryHome()
  const at = (record: object): object => ({ ...record, cwd: '/srv/garden', sessionId: SESSION })
  const edit = (id: string, before: string, after: string) =>
    call(id, 'Edit', { file_path: '/srv/garden/a.md', old_string: before, new_string: after })
  put(
    join(home, folder, `${SESSION}.jsonl`),
    [
      claude.user(1, 'Plant the moss'),
      claude.reply(2, [edit('toolu_1', 'fern', 'moss')]),
      edited(3, 'toolu_1', '# Plants\nfern\noak\n'),
      claude.reply(4, [
        call('toolu_2', 'Edit', { file_path: '/srv/garden/b.md', old_string: 'x', new_string: 'y' }),
      ]),
      claude.result(5, 'toolu_2', 'String to replace not found', true),
      claude.reply(6, [
        call('toolu_3', 'Write', { file_path: '/srv/garden/new.md', content: `key=${TOKEN}\n` }),
      ]),
      edited(7, 'toolu_3', null),
      claude.reply(8, [
        call('toolu_4', 'Task', { description: 'Water it', prompt: 'Water it', subagent_type: 'scout' }),
      ]),
    ].map(at),
  )
  const aside = join(home, folder, SESSION, 'subagents/agent-a1b2c3d4e5f607182')
  put(
    `${aside}.jsonl`,
    [
      claude.user(20, 'Water it'),
      claude.reply(21, [edit('toolu_9', 'oak', 'elm')]),
      edited(22, 'toolu_9', '# Plants\nmoss\noak\n'),
    ].map((record) => ({ ...at(record), isSidechain: true, agentId: 'a1b2c3d4e5f607182' })),
  )
  put(
    `${aside}.meta.json`,
    JSON.stringify({ agentType: 'scout', description: 'Water it', toolUseId: 'toolu_4' }),
  )
  return home
}

/** What git says about a patch. Nothing if it applied it. */
function apply(folder: string, patch: string): string {
  const { stdout, stderr } = spawnSync('git', ['apply', '-'], { cwd: folder, input: patch, encoding: 'utf8' })
  return stdout + stderr
}

describe('the changes of a session', () => {
  it('are one diff per file, with those of its subagents and without failed edits', () => {
    expect(printed(garden(), 'changes', SESSION)).toBe(
      [
        '/srv/garden/a.md  changed +2 -2, 2 edits',
        '@@ -1,3 +1,3 @@',
        ' # Plants',
        '-fern',
        '-oak',
        '+moss',
        '+elm',
        '/srv/garden/new.md  created +1 -0',
        '@@ -0,0 +1,1 @@',
        '+key=[REDACTED:github-token]',
        '',
        '2 files, +3 -2, 1 subagent included',
        '',
      ].join('\n'),
    )
  })

  it('of a notebook are those that the client recorded, and partly known where it recorded none', () => {
    const home = temporaryHome()
    const path = '/srv/garden/pots.ipynb'
    const [first, second] = ['{"cells": []}', '{"cells": [{"source": "blue\\n"}]}']
    const edit = (id: string, more: object) =>
      call(id, 'NotebookEdit', { notebook_path: path, cell_id: 'c1', ...more })
    const records = [
      claude.user(1, 'Note the pots'),
      claude.reply(2, [call('toolu_1', 'Write', { file_path: path, content: first })]),
      { ...edited(3, 'toolu_1', null) },
      claude.reply(4, [edit('toolu_2', { new_source: 'blue\n', edit_mode: 'insert' })]),
      {
        ...claude.result(5, 'toolu_2', 'Inserted cell'),
        toolUseResult: { new_source: 'blue\n', error: '', original_file: first, updated_file: second },
      },
    ]
    const more = [
      claude.reply(6, [edit('toolu_3', { edit_mode: 'delete' })]),
      claude.result(7, 'toolu_3', 'Deleted cell c1'),
    ]
    const file = (all: object[]) => {
      put(join(home, folder, `${SESSION}.jsonl`), all)
      return json(home, 'changes', SESSION).files[0]
    }
    expect(file(records)).toMatchObject({
      ...{ path, edits: 2, complete: true },
      hunks: [{ lines: [`+${second}`] }],
    })
    expect(file([...records, ...more])).toMatchObject({ edits: 3, complete: false })
  })

  it('are also those that tools of MCP servers made, and count as edits of the file', () => {
    const home = temporaryHome()
    const path = '/srv/garden/pots.md'
    put(join(home, folder, `${SESSION}.jsonl`), [
      claude.user(1, 'Change the pots'),
      claude.reply(2, [
        call('toolu_1', 'mcp__files__edit_file', { path, edits: [{ oldText: 'fern', newText: 'moss' }] }),
      ]),
      claude.result(3, 'toolu_1', 'Edited'),
    ])
    expect(json(home, 'changes', SESSION).files).toMatchObject([
      { path, edits: 1, hunks: [{ lines: ['-fern', '+moss'] }] },
    ])
    expect(json(home, 'stats').files).toEqual([{ path, count: 1 }])
  })

  it('of several edits in one call are known as a whole if the client recorded what was there', () => {
    const home = temporaryHome()
    const path = '/srv/garden/pots.md'
    const edits = [
      { old_string: 'fern', new_string: 'moss' },
      { old_string: 'oak', new_string: 'elm' },
    ]
    put(join(home, folder, `${SESSION}.jsonl`), [
      claude.user(1, 'Change the pots'),
      claude.reply(2, [call('toolu_1', 'MultiEdit', { file_path: path, edits })]),
      {
        ...claude.result(3, 'toolu_1', 'Applied 2 edits'),
        toolUseResult: { filePath: path, edits, originalFileContents: 'fern\nrose\noak\n' },
      },
    ])
    expect(json(home, 'changes', SESSION).files[0]).toMatchObject({
      ...{ path, edits: 2, complete: true },
      hunks: [{ lines: ['-fern', '+moss', ' rose', '-oak', '+elm'] }],
    })
  })

  it('are a patch that git applies, without files that it cannot name or that contain secrets', () => {
    const home = garden()
    const { stdout, stderr, code } = run(['changes', SESSION, '--patch'], home)
    expect(stderr).toContain('Not in the patch: /srv/garden/new.md contains a secret (--no-redact keeps it).')
    expect(code).toBe(3)
    const work = join(home, 'work')
    put(join(work, 'a.md'), '# Plants\nfern\noak\n')
    expect(apply(work, stdout)).toBe('')
    expect(readFileSync(join(work, 'a.md'), 'utf8')).toBe('# Plants\nmoss\nelm\n')

    const plain = run(['changes', SESSION, '--patch', '--no-redact', '--file', 'new.md'], home)
    expect(plain.code).toBe(0)
    expect(apply(work, plain.stdout)).toBe('')
    expect(readFileSync(join(work, 'new.md'), 'utf8')).toBe(`key=${TOKEN}\n`)
    expect(run(['changes', SESSION, '--patch', '--brief'], home).stderr).toContain('Drop one of them.')
  })

  it.each([
    ['a name with spaces', 'two words.md', 'a\n', 'b\n'],
    ['a name with letters beyond ASCII', 'Gärtnerei.md', 'a\n', 'b\n'],
    ['a file that ends without a newline', 'end.md', 'a\nb', 'a\nc'],
    ['a file that is written for the first time', 'deep/new.md', null, 'a\nb\n'],
    ['a file that is created empty', 'empty.md', null, ''],
    ['a file that is emptied', 'gone.md', 'a\n', ''],
    ['a line that is wider than the screen', 'wide.md', 'a\n', `${'fern '.repeat(30)}oak\n`],
    ['a file of Windows', 'deep/two words.md', 'a\n', 'b\n', 'C:\\Users\\ann\\garden'],
    ['a file of a share', 'new.md', null, 'b\n', '\\\\server\\garden'],
  ])('are a patch that git applies to %s', (_, name, before, after, cwd = '/srv/garden') => {
    const home = temporaryHome()
    const path = cwd.includes('\\') ? `${cwd}\\${name.replaceAll('/', '\\')}` : `${cwd}/${name}`
    const lines = [
      claude.user(1, 'Write it'),
      claude.reply(2, [call('toolu_1', 'Write', { file_path: path, content: after })]),
      edited(3, 'toolu_1', before),
    ]
    put(
      join(home, folder, `${SESSION}.jsonl`),
      lines.map((record) => ({ ...record, cwd, sessionId: SESSION })),
    )
    const work = join(home, 'work')
    if (before !== null) put(join(work, name), before)
    else mkdirSync(work, { recursive: true })
    const { stdout } = run(['changes', SESSION, '--patch'], home, { env: { COLUMNS: '40' } })
    expect(apply(work, stdout)).toBe('')
    expect(readFileSync(join(work, name), 'utf8')).toBe(after)
  })

  it('leave a file that was written and deleted again out of the patch', () => {
    const home = temporaryHome()
    const patch = (text: string) => `*** Begin Patch\n${text}*** End Patch`
    put(
      join(home, folder, `${SESSION}.jsonl`),
      [
        claude.user(1, 'Write it'),
        claude.reply(2, [call('t1', 'apply_patch', { input: patch('*** Add File: a.md\n+a\n') })]),
        edited(3, 't1', null),
        claude.reply(4, [call('t2', 'apply_patch', { input: patch('*** Delete File: a.md\n') })]),
      ].map((record) => ({ ...record, cwd: '/srv/garden', sessionId: SESSION })),
    )
    expect(run(['changes', SESSION, '--patch'], home)).toEqual({ stdout: '', stderr: '', code: 0 })
  })

  it.each([
    ['outside of the folder', '/srv/orchard/a.md', 'a\n', 'is outside of the folder'],
    ['with line ends of Windows', '/srv/garden/a.md', 'a\r\nb\r\n', 'line ends of Windows'],
  ])('leave a file %s out of the patch, and say so', (_, path, before, reason) => {
    const home = temporaryHome()
    const lines = [
      claude.user(1, 'Write it'),
      claude.reply(2, [call('toolu_1', 'Write', { file_path: path, content: before.replace('a', 'c') })]),
      edited(3, 'toolu_1', before),
    ]
    put(
      join(home, folder, `${SESSION}.jsonl`),
      lines.map((record) => ({ ...record, cwd: '/srv/garden', sessionId: SESSION })),
    )
    const { stdout, stderr, code } = run(['changes', SESSION, '--patch'], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 3 })
    expect(stderr).toContain(reason)
  })

  it('can be listed, and limited to some files', () => {
    const home = garden()
    expect(run(['changes', SESSION, '--brief'], home).stdout.split('\n')).toEqual([
      '/srv/garden/a.md  changed +2 -2, 2 edits',
      '/srv/garden/new.md  created +1 -0',
      '2 files, +3 -2, 1 subagent included',
      '',
    ])
    const { files, added, subagents } = json(home, 'changes', 'latest', '--file', 'new')
    expect(files).toMatchObject([
      { path: '/srv/garden/new.md', status: 'created', complete: true, sessions: [SESSION] },
    ])
    expect([added, subagents.length]).toEqual([1, 1])
  })

  it('of an agent that does not record the state before are its single edits', () => {
    const home = temporaryHome()
    putOpenclaw(home, `${uuid(701)}.jsonl`, [
      openclaw.header(uuid(701)),
      openclaw.reply(1, [
        {
          type: 'toolCall',
          id: 'call_1',
          name: 'edit',
          arguments: { path: '/srv/garden/a.md', oldText: 'fern', newText: 'moss' },
        },
      ]),
    ])
    const { stdout } = run(['changes', uuid(701)], home)
    expect(stdout).toContain(
      '/srv/garden/a.md  changed +1 -1, the state before is not in the transcript\n@@\n-fern\n+moss\n',
    )
  })

  it('are lost with its file, which is reported', () => {
    const home = garden()
    run(['index'], home)
    rmSync(join(home, folder, `${SESSION}.jsonl`))
    const { stdout, stderr, code } = run(['changes', SESSION], home)
    expect(stderr).toContain('The changes that it made are lost with the file.')
    expect(stdout).not.toContain('-fern')
    expect(code).toBe(3)
  })

  it('need a session, and may be none', () => {
    const home = temporaryHome()
    expect(run(['changes'], home)).toMatchObject({ code: 2 })
    putOpenclaw(home, `${uuid(702)}.jsonl`, [openclaw.header(uuid(702)), openclaw.user(1, 'hello')])
    expect(run(['changes', uuid(702)], home).stdout).toBe('No tool changed a file in this session.\n')
  })
})
