import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, claude, put, temporaryHome } from '../../../test/records.ts'
import type { Artifact } from '../../model/artifact.ts'
import { fileEdits } from './file-edits.ts'
import { readRecord } from './read-record.ts'
import { readSpawns } from './read-spawns.ts'

/** A key that JSON must escape, which the scanner leaves to the parser. */
const KEY = 'a\u001b[31m\u202eb'

function artifactOf(lines: readonly object[]): Artifact {
  const path = put(join(temporaryHome(), 'a.jsonl'), lines)
  return {
    platform: 'claude-code',
    root: '/',
    path,
    kind: 'transcript',
    state: 'live',
    sessionId: 'a',
    agent: 'claude',
    bytes: statSync(path).size,
    modifiedMs: 0,
  }
}

describe('a line whose keys contain escapes', () => {
  const RECORDS = [
    claude.user(1, 'Paint the fence.'),
    claude.reply(2, [
      call('call_1', 'Write', { [KEY]: 'x', file_path: '/srv/fence.txt', content: 'green\n' }),
      call('call_2', 'Task', {
        [KEY]: 'x',
        description: 'Water',
        prompt: 'Water it',
        subagent_type: 'scout',
      }),
    ]),
  ]

  it('is a record', () => {
    const read = readRecord(artifactOf(RECORDS), { line: 1, offset: 0 }, 2, { results: false })
    expect(read?.record.parts.map(({ type }) => type)).toEqual(['tool-call', 'tool-call'])
  })

  it('changes files and starts subagents', () => {
    expect(fileEdits(artifactOf(RECORDS))).toMatchObject([
      { path: '/srv/fence.txt', after: 'green\n', line: 2 },
    ])
    expect(readSpawns(artifactOf(RECORDS))).toMatchObject([{ prompt: 'Water it', line: 2 }])
  })
})
