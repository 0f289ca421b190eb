import { describe, expect, it } from 'vitest'
import { importedName, isImportedIndex, transcriptName } from './file-names.ts'

const ID = '1906e15d-0b2c-4d3e-8f4a-5b6c7d8e9f00'
const HEX = '0123456789abcdef0123456789abcdef'

describe('names in a sessions folder', () => {
  it.each([
    [`${ID}.jsonl`, ID, 'live'],
    ['probe.one_two-3.jsonl', 'probe.one_two-3', 'live'],
    [`${ID}-topic-1712345678.123.jsonl`, `${ID}-topic-1712345678.123`, 'live'],
    [`${ID}-topic-a%2Fb.jsonl`, `${ID}-topic-a%2Fb`, 'live'],
    [`2026-02-03T09-00-00-000Z_${ID}.jsonl`, `2026-02-03T09-00-00-000Z_${ID}`, 'live'],
    [`${ID}.jsonl.reset.2026-03-20T06-34-44.520Z`, ID, 'reset'],
    [`${ID}.jsonl.reset.2026-03-20T06-34-44Z`, ID, 'reset'],
    [`${ID}.jsonl.deleted.2026-03-20T06-34-44.520Z`, ID, 'deleted'],
    [`${ID}.jsonl.deleted.2026-03-20T06-34-44.520Z.${HEX}`, ID, 'deleted'],
    [`${ID}.jsonl.deleted.2026-03-20T06:34:44.520Z`, ID, 'deleted'],
    [`${ID}.jsonl.reset.2026-03-20T06:34:44Z`, ID, 'reset'],
    [`${ID}.jsonl.reset.2026-03-20T06-34-44.520Z.${HEX}.zst`, ID, 'reset'],
    [`${ID}.jsonl.reset.2026-03-20T06-34-44.520Z.zst`, ID, 'reset'],
  ])('%s is a transcript', (name, stem, state) => {
    expect(transcriptName(name)).toEqual({ stem, state })
  })

  it.each([
    'sessions.json',
    'sessions.json.bak.1770109700000',
    'sessions.json.lock',
    `${ID}.jsonl.lock`,
    `${ID}.jsonl.bak.2026-03-20T06-34-44.520Z`,
    `${ID}.jsonl.bak-421-1770109700000`,
    `${ID}.checkpoint.${ID}.jsonl`,
    `${ID}.trajectory.jsonl`,
    `${ID}.trajectory.jsonl.deleted.2026-03-20T06-34-44.520Z`,
    `${ID}.trajectory-path.json`,
    `${ID}.acp-stream.jsonl`,
    `${ID}.codex-app-server.json`,
    `${ID}.jsonl.77.${ID}.tmp`,
    `${ID}.jsonl.pre-doctor-branch-repair-2026-02-05T04-00-00.123Z.bak`,
    `${ID}.jsonl.migrated`,
    '.jsonl',
    '.hidden.jsonl',
    'notes.txt',
  ])('%s is never opened', (name) => {
    expect(transcriptName(name)).toBeUndefined()
  })
})

describe('names in an import archive', () => {
  it.each([
    [`agent_main_main.${ID}.jsonl.imported-1790000000000`, ID, 'agent_main_main', 'archived'],
    [`agent_main_main.${ID}.jsonl.imported-1790000000000.3`, ID, 'agent_main_main', 'archived'],
    [
      `a_slack_thread_1774.17.${ID}-topic-1774.17.jsonl.imported-1`,
      `${ID}-topic-1774.17`,
      'a_slack_thread_1774.17',
      'archived',
    ],
    [`k.2026-02-03T09-00-00-000Z_${ID}.jsonl.imported-1`, `2026-02-03T09-00-00-000Z_${ID}`, 'k', 'archived'],
    [`k.${ID}.jsonl.reset.2026-03-20T06-34-44.520Z.imported-1`, ID, 'k', 'archived'],
    [`k.${ID}.jsonl.deleted.2026-03-20T06-34-44.520Z.imported-1`, ID, 'k', 'deleted'],
    ['agent_main_main.plain.jsonl.imported-1', 'plain', 'agent_main_main', 'archived'],
  ])('%s is a transcript', (name, stem, keySlug, state) => {
    expect(importedName(name)).toEqual({ stem, state, keySlug })
  })

  it.each([
    `k.${ID}.jsonl`,
    `k.${ID}.trajectory.jsonl.imported-1`,
    `k.${ID}.checkpoint.${ID}.jsonl.imported-1`,
    'k.sessions.json.imported-1',
    `k.${ID}.jsonl.bak.2026-03-20T06-34-44.520Z.imported-1`,
  ])('%s is not a transcript', (name) => {
    expect(importedName(name)).toBeUndefined()
  })

  it('include those of archived session indexes', () => {
    expect(
      ['sessions.sessions.json.imported-1', 'sessions.json.imported-1.2', 'sessions.json'].map(
        isImportedIndex,
      ),
    ).toEqual([true, true, false])
  })
})
