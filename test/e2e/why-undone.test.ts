import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, changesOf, putCopilotEdit, putEdit, putPatches, putPiEdit } from '../editing-sessions.ts'
import { opencodeDatabase, text, tool } from '../opencode-databases.ts'
import { json, run } from '../program.ts'
import { put, temporaryHome, uuid } from '../records.ts'

const PATCH = '*** Update File: pots.ts\n@@\n-let pots = 1\n+let pots = 2'
const EDIT = { path: 'pots.ts', old_str: 'let pots = 1', new_str: 'let pots = 2' }
const REJECTED = {
  type: 'tool.execution_complete',
  data: { success: false, error: { message: 'The user rejected this tool call.', code: 'rejected' } },
}

const shop = () => {
  const home = temporaryHome()
  const cwd = join(home, 'shop')
  put(join(cwd, 'pots.ts'), 'let pots = 1\n')
  return { home, cwd }
}

describe('a call that was not done', () => {
  it.each<[string, (home: string, cwd: string) => void]>([
    ...[
      'patch rejected: writing outside of the project; rejected by user approval settings',
      'patch rejected by user',
      'aborted',
    ].map((result): [string, (home: string, cwd: string) => void] => [
      result,
      (home, cwd) =>
        putPatches(home, { cwd, id: uuid(1), prompt: 'Two', at: '10:00:00' }, [{ patch: PATCH, result }]),
    ]),
    [
      'rejected, as only its result says',
      (home, cwd) => putCopilotEdit(home, { cwd, prompt: 'Two', input: EDIT, events: [REJECTED] }),
    ],
    ...['denied-by-rules', 'denied-interactively-by-user'].map(
      (kind): [string, (home: string, cwd: string) => void] => [
        kind,
        (home, cwd) =>
          putCopilotEdit(home, {
            ...{ cwd, prompt: 'Two', input: EDIT },
            events: [{ type: 'permission.completed', data: { result: { kind } } }, REJECTED],
          }),
      ],
    ),
  ])('is no change: %s', (_, make) => {
    const { home, cwd } = shop()
    make(home, cwd)
    expect(asked(home, cwd, 'pots.ts')).toEqual([])
    const [{ id }] = json(home, 'sessions', '--all').sessions
    expect(json(home, 'changes', id).files).toEqual([])
  })

  it('is told once, where the client records the answer and the result', () => {
    const { home, cwd } = shop()
    const answer = {
      type: 'permission.completed',
      data: { result: { kind: 'denied-interactively-by-user' } },
    }
    putCopilotEdit(home, { cwd, prompt: 'Two', input: EDIT, events: [answer, REJECTED] })
    const [{ id }] = json(home, 'sessions', '--all').sessions
    const { stdout } = run(['read', id], home)
    expect(stdout.match(/declined|denied|rejected/gi)).toHaveLength(1)
  })

  it.each<[string, (home: string, cwd: string) => void]>([
    [
      'an edit',
      (home, cwd) =>
        putEdit(home, uuid(1), {
          ...{ cwd, prompt: 'Two', result: undefined },
          input: { file_path: join(cwd, 'pots.ts'), old_string: 'let pots = 1', new_string: 'let pots = 2' },
        }),
    ],
    [
      'an edit of another client',
      (home, cwd) => putCopilotEdit(home, { cwd, prompt: 'Two', input: EDIT, events: [] }),
    ],
  ])('may be %s without a result, and is marked', (_, make) => {
    const { home, cwd } = shop()
    make(home, cwd)
    expect(changesOf(home, cwd, 'pots.ts')).toMatchObject([{ asked: { text: 'Two' }, unfinished: true }])
    expect(run(['why', 'pots.ts'], home, { cwd }).stdout).toContain('No result of this call is recorded')
    const [{ id }] = json(home, 'sessions', '--all').sessions
    expect(json(home, 'changes', id).files).toMatchObject([{ edits: 1, unfinished: 1 }])
    expect(run(['changes', id, '--brief'], home).stdout).toContain(
      'No result of 1 edit of ~/shop/pots.ts is recorded',
    )
  })

  it('is not marked if its result is there', () => {
    const { home, cwd } = shop()
    putPiEdit(home, {
      ...{ cwd, prompt: 'Two' },
      input: { path: 'pots.ts', oldText: 'let pots = 1', newText: 'let pots = 2' },
    })
    const [change] = changesOf(home, cwd, 'pots.ts')
    expect(change).not.toHaveProperty('unfinished')
  })
})

describe('the changes of a session', () => {
  it('have what a person made of the proposed text', () => {
    const { home, cwd } = shop()
    const path = join(cwd, 'pots.ts')
    const input = { file_path: path, old_string: 'let pots = 1', new_string: 'let pots = 2' }
    const result = {
      ...{ filePath: path, oldString: 'let pots = 1', newString: 'let pots = 4', userModified: true },
      originalFile: 'let pots = 1\n',
    }
    putEdit(home, uuid(1), { cwd, prompt: 'More', input, result })
    expect(json(home, 'changes', uuid(1)).files[0].hunks[0].lines).toEqual(['-let pots = 1', '+let pots = 4'])
    put(path, 'let pots = 4\n')
    expect(asked(home, cwd, 'pots.ts:1')).toEqual(['More'])
  })

  it.each([
    ['created', false],
    ['changed', true],
  ])('have a file as %s if the client recorded whether it existed: %s', (status, exists) => {
    const { home, cwd } = shop()
    const state = { status: 'completed', output: 'Wrote it.', metadata: { exists } }
    const input = { filePath: join(cwd, 'new.ts'), content: 'let pots = 1\n' }
    const [at, directory] = [Date.UTC(2026, 10, 1, 10), cwd]
    const messages = [
      { id: 'msg_1', at, parts: [text('Make it')] },
      { id: 'msg_2', at, role: 'assistant' as const, parts: [tool('write', input, state)] },
    ]
    const path = join(home, '.local/share/opencode/opencode.db')
    opencodeDatabase(path, [{ id: 'ses_1', at, directory, messages }]).close()
    expect(json(home, 'changes', 'ses_1').files).toMatchObject([{ status, added: 1 }])
  })

  it('say that others were made if no path matches', () => {
    const { home, cwd } = shop()
    const input = { file_path: join(cwd, 'pots.ts'), old_string: 'let pots = 1', new_string: 'let pots = 2' }
    putEdit(home, uuid(1), { cwd, prompt: 'More', input, result: {} })
    expect(run(['changes', uuid(1), '--file', 'nothing'], home)).toMatchObject({
      code: 1,
      stdout: 'Tools changed 1 file in this session, and none matches --file.\n',
    })
    expect(json(home, 'changes', uuid(1), '--file', 'nothing').others).toBe(1)
  })
})
