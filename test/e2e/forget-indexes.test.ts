import { cpSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Envelope } from '../../src/model/delivery.ts'
import { deliveredTo } from '../deliveries.ts'
import { batchOf } from '../envelopes.ts'
import { checkout, type Json, json, run } from '../program.ts'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putSessionIndex,
  temporaryHome,
  uuid,
} from '../records.ts'
import { openArchive } from '../small-archives.ts'

const OWN = 'Divorce lawyer'
const OWN_FOLDER = '/home/ann/divorce'
const OTHER = 'Raise the beds'
const OTHER_FOLDER = '/home/ann/garden'

const collect = (home: string, to: string, ...flags: string[]) => run(['collect', to, ...flags], home).code
const archived = (home: string): string => JSON.stringify(deliveredTo(join(home, 'archive')))
const stateOf = (home: string): string => {
  const folder = join(home, '.local/share/scrollback')
  const names = readdirSync(folder).filter((name) => name.startsWith('collect.sqlite'))
  return names.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n')
}
const sent = (home: string): string => run(['collect', 'stdout:', '--history', 'all'], home).stdout

/** Two sessions of Continue, and the client's list of them. */
function continued(home: string): { id: string; other: string; list: string } {
  const [id, other] = [uuid(1), uuid(2)]
  const entries = [
    { sessionId: id, title: OWN, dateCreated: '1795942801000', workspaceDirectory: OWN_FOLDER },
    { sessionId: other, title: OTHER, dateCreated: '1795942802000', workspaceDirectory: OTHER_FOLDER },
  ]
  for (const { sessionId, title, workspaceDirectory } of entries) {
    const history = [{ message: { role: 'user', content: title }, contextItems: [] }]
    const path = join(home, `.continue/sessions/${sessionId}.json`)
    put(path, JSON.stringify({ sessionId, title, workspaceDirectory, history }))
  }
  return { id, other, list: put(join(home, '.continue/sessions/sessions.json'), JSON.stringify(entries)) }
}

/** A session of Kimi Code, with what the client keeps beside it. */
function kimi(home: string, name: string, title: string, cwd: string): string {
  const id = `session_${name}`
  const own = join(home, '.kimi-code/sessions/wd_1', id)
  put(join(own, 'agents/main/wire.jsonl'), [
    { type: 'metadata', protocol_version: '1.5', created_at: 1795942801000 },
    {
      ...{ type: 'turn.prompt', agentId: 'main', turnId: 0, time: 1795942802000, origin: { kind: 'user' } },
      input: [{ type: 'text', text: title }],
    },
  ])
  put(join(own, 'state.json'), JSON.stringify({ cwd, title, createdAt: '2026-11-29T09:00:00.000Z' }))
  return id
}

/** A session of Gemini CLI. */
function gemini(home: string, number: number, folder: string, words: string): string {
  const sessionId = `${number}0feed00-0000-4000-8000-000000000001`
  put(
    join(home, `.gemini/tmp/${folder}/chats/session-2026-11-29T09-0${number}-${sessionId.slice(0, 8)}.jsonl`),
    [
      { sessionId, projectHash: 'ab', startTime: '2026-11-29T09:00:00.000Z', kind: 'main' },
      { id: 'm1', timestamp: '2026-11-29T09:00:01.000Z', type: 'user', content: [{ text: words }] },
    ],
  )
  return sessionId.slice(0, 8)
}

/** A session of Qwen Code with a subagent. */
function qwen(home: string, id: string, title: string, cwd: string): string {
  const user = (sessionId: string, uuid: string) => ({
    ...{ uuid, parentUuid: null, sessionId, cwd, version: '0.24.4', type: 'user', provenance: 'real_user' },
    timestamp: '2026-11-29T09:00:00.000Z',
    message: { role: 'user', parts: [{ text: title }] },
  })
  const own = join(home, '.qwen/projects/x')
  put(join(own, `chats/${id}.jsonl`), [user(id, uuid(11))])
  put(join(own, `subagents/${id}/agent-a1.jsonl`), [{ ...user(id, uuid(12)), agentId: 'a1' }])
  put(join(own, `subagents/${id}/agent-a1.meta.json`), JSON.stringify({ agentType: 'x', task: title }))
  put(join(own, `subagents/${id}/agent-a2.meta.json`), JSON.stringify({ agentType: 'x', task: title, cwd }))
  return id
}

/** Two sessions of OpenClaw that started subagents whose transcripts are gone. */
function claws(home: string): string {
  const run = (key: string, task: string) => ({
    runId: `run-${key}`,
    childSessionKey: `agent:main:subagent:gone-${key}`,
    requesterSessionKey: `agent:main:direct:${key}`,
    task,
    createdAt: 1795942803000,
  })
  const index = {
    'agent:main:direct:one': { sessionId: uuid(1), label: OWN, updatedAt: 1795942803000 },
    'agent:main:direct:two': { activeSessionId: uuid(2), label: OTHER, updatedAt: 1795942803000 },
  }
  for (const [id, words, folder] of [
    [uuid(1), OWN, OWN_FOLDER],
    [uuid(2), OTHER, OTHER_FOLDER],
  ] as const)
    putOpenclaw(home, `${id}.jsonl`, [openclaw.header(id, folder), openclaw.user(1, words)])
  putSessionIndex(home, index)
  const runs = { version: 2, runs: { one: run('one', OWN), two: run('two', OTHER) } }
  put(join(home, '.openclaw/subagents/runs.json'), JSON.stringify(runs))
  return uuid(1)
}

/** Two threads of Codex, their names, and what the client has learned from them. */
function codex(home: string): string {
  for (const [id, title, cwd] of [
    [uuid(1), OWN, OWN_FOLDER],
    [uuid(2), OTHER, OTHER_FOLDER],
  ] as const) {
    const meta = { id, timestamp: '2026-11-29T09:00:00.000Z', cwd, originator: 'codex-tui', source: 'cli' }
    put(join(home, `.codex/sessions/2026/11/29/rollout-2026-11-29T09-00-00-${id}.jsonl`), [
      { timestamp: '2026-11-29T09:00:00.000Z', type: 'session_meta', payload: meta },
      {
        ...{ timestamp: '2026-11-29T09:00:01.000Z', type: 'event_msg' },
        payload: { type: 'user_message', message: title, images: [] },
      },
    ])
    put(
      join(home, `.codex/memories/rollout_summaries/${id}.md`),
      `thread_id: ${id}\ncwd: ${cwd}\n\n${title}\n`,
    )
  }
  put(join(home, '.codex/session_index.jsonl'), [
    { id: uuid(1), thread_name: OWN, updated_at: '2026-11-29T09:00:00.000Z' },
    { id: uuid(2), thread_name: OTHER, updated_at: '2026-11-29T09:00:00.000Z' },
  ])
  return uuid(1)
}

/** Two sessions of Claude Code, each with a plan. */
function plans(home: string): string {
  for (const [id, title, cwd, name] of [
    [uuid(1), OWN, OWN_FOLDER, 'calm-river'],
    [uuid(2), OTHER, OTHER_FOLDER, 'warm-stone'],
  ] as const) {
    putClaude(home, id, [claude.user(Number(id.slice(-1)), title, { cwd, sessionId: id, slug: name })], id)
    put(join(home, `.claude/plans/${name}.md`), `# ${title}\n`)
  }
  return uuid(1)
}

const CLIENTS: [client: string, write: (home: string) => string, isSentAgain?: boolean][] = [
  ['Continue', (home) => continued(home).id],
  [
    'Kimi Code',
    (home) => {
      kimi(home, 'two', OTHER, OTHER_FOLDER)
      const id = kimi(home, 'one', OWN, OWN_FOLDER)
      put(join(home, '.kimi-code/session_index.jsonl'), [
        { sessionId: 'session_two', workDir: OTHER_FOLDER },
        { sessionId: id, workDir: OWN_FOLDER },
      ])
      return id
    },
  ],
  [
    'Gemini CLI',
    (home) => {
      gemini(home, 2, 'other', OTHER)
      const projects = { [OWN_FOLDER]: 'own', [OTHER_FOLDER]: 'other' }
      put(join(home, '.gemini/projects.json'), JSON.stringify({ projects }))
      return gemini(home, 1, 'own', OWN)
    },
  ],
  [
    'Qwen Code',
    (home) => {
      qwen(home, uuid(2), OTHER, OTHER_FOLDER)
      return qwen(home, uuid(1), OWN, OWN_FOLDER)
    },
  ],
  ['OpenClaw', claws],
  ['Codex', codex],
  // Nothing in a plan says whose it is.
  ['Claude Code', plans, true],
]

describe('of a forgotten session', () => {
  it.each(CLIENTS)(
    '%s keeps no title, word or folder in an archive and in the state of the collector, and sends none again',
    (_, write, isSentAgain) => {
      const home = temporaryHome()
      const id = write(home)
      const archive = join(home, 'archive')
      expect(collect(home, archive, '--history', 'all')).toBe(0)
      for (const each of [OWN, OTHER, OTHER_FOLDER]) expect(archived(home)).toContain(each)
      expect(archived(home)).toContain(OWN_FOLDER)
      json(home, 'forget', id, '--archive', archive, '--yes')
      for (const text of [OWN, OWN_FOLDER]) {
        expect(archived(home)).not.toContain(text)
        expect(stateOf(home)).not.toContain(text)
        if (!isSentAgain) expect(sent(home)).not.toContain(text)
      }
      for (const text of [OTHER, OTHER_FOLDER]) expect(archived(home)).toContain(text)
      // Nothing of it comes back, and everything else is known as delivered.
      const before = archived(home)
      expect(collect(home, archive)).toBe(0)
      expect(archived(home)).toBe(before)
      expect(collect(home, archive, '--redeliver')).toBe(0)
      if (!isSentAgain) expect(archived(home)).not.toContain(OWN)
    },
  )

  it('an archive loses what earlier versions delivered without the session', async () => {
    const home = temporaryHome()
    const { id, list } = continued(home)
    const own = kimi(home, 'one', OWN, OWN_FOLDER)
    qwen(home, uuid(3), OWN, OWN_FOLDER)
    expect(collect(home, join(home, 'now'), '--history', 'all')).toBe(0)
    const sink = await openArchive(join(home, 'archive'), 1 << 20)
    const earlier = (record: Envelope): Envelope => {
      if (record.path.endsWith('.meta.json')) return { ...record, session: 'agent-a1' }
      return record.kind === 'session-index' ? { ...record, session: null } : record
    }
    const records = deliveredTo(join(home, 'now')).filter(({ path }) => !path.endsWith('sessions.json'))
    const whole = {
      ...records.find(({ platform, kind }) => platform === 'continue' && kind === 'transcript')!,
      ...{
        kind: 'session-index',
        session: null,
        path: '~/.continue/sessions/sessions.json',
        id: 'f'.repeat(32),
      },
      raw: JSON.parse(readFileSync(list, 'utf8')),
    }
    await sink.write(batchOf([...records.map(earlier), whole].map((each) => `${JSON.stringify(each)}\n`)))
    await sink.close?.()
    expect(archived(home).split(OWN).length).toBeGreaterThan(6)
    json(home, 'forget', id, own, uuid(3), '--archive', join(home, 'archive'), '--yes')
    expect(archived(home)).not.toContain(OWN)
    expect(archived(home)).not.toContain(OWN_FOLDER)
    expect(archived(home)).toContain(OTHER)
  })

  it('an archive loses the subagents, too, where only the archive knows them', () => {
    const home = temporaryHome()
    qwen(home, uuid(1), OWN, OWN_FOLDER)
    putClaude(home, uuid(5), [claude.user(1, OTHER, { sessionId: uuid(5) })])
    const beside = join(home, '.claude/projects/-home-ann-garden', uuid(5), 'subagents/agent-a7')
    put(`${beside}.jsonl`, [claude.user(2, OWN, { sessionId: uuid(5), isSidechain: true, agentId: 'a7' })])
    put(`${beside}.meta.json`, JSON.stringify({ agentType: 'x', description: OWN }))
    const archive = join(home, 'archive')
    expect(collect(home, archive, '--history', 'all')).toBe(0)
    const receipt = json(temporaryHome(), 'forget', uuid(1), uuid(5), '--archive', archive, '--yes')
    const forgotten = receipt.sessions.map(({ id }: Json) => id)
    for (const session of [uuid(1), 'a1', uuid(5), 'agent-a7']) expect(forgotten).toContain(session)
    expect(deliveredTo(archive)).toEqual([])
  })

  it('a list that is damaged is not sent again with it', () => {
    const home = temporaryHome()
    const { id, list } = continued(home)
    json(home, 'forget', id, '--yes')
    put(list, readFileSync(list, 'utf8').slice(0, -5))
    // Otherwise it counts as just being written.
    utimesSync(list, 1795942803, 1795942803)
    const after = sent(home)
    expect(after).not.toContain(OWN)
    expect(after).toContain(OTHER)
  })

  it('the folder stays in an archive as long as another session of it does', () => {
    const home = temporaryHome()
    const [id, second] = [gemini(home, 1, 'own', OWN), gemini(home, 2, 'own', OTHER)]
    put(join(home, '.gemini/projects.json'), JSON.stringify({ projects: { [OWN_FOLDER]: 'own' } }))
    const archive = join(home, 'archive')
    expect(collect(home, archive, '--history', 'all')).toBe(0)
    // A later session of the same folder, of which the client's list says nothing new.
    const third = gemini(home, 3, 'own', 'Later')
    expect(collect(home, archive)).toBe(0)
    const folderOf = (session: string): string =>
      json(home, 'sessions', '--all', '--from', archive).sessions.find((each: Json) => each.id === session)
        ?.cwd
    expect([id, second, third].map(folderOf)).toEqual([OWN_FOLDER, OWN_FOLDER, OWN_FOLDER])
    json(home, 'forget', id, second, '--archive', archive, '--yes')
    expect(folderOf(third)).toBe(OWN_FOLDER)
    json(home, 'forget', third, '--archive', archive, '--yes')
    expect(archived(home)).not.toContain(OWN_FOLDER)
  })

  it('an archive takes no subagent that the session starts later, from a machine that did not forget it', () => {
    const home = temporaryHome()
    qwen(home, uuid(1), OWN, OWN_FOLDER)
    const archive = join(home, 'archive')
    expect(collect(home, archive, '--history', 'all')).toBe(0)
    json(temporaryHome(), 'forget', uuid(1), '--archive', archive, '--yes')
    const beside = join(home, '.qwen/projects/x/subagents', uuid(1), 'agent-a3')
    put(`${beside}.meta.json`, JSON.stringify({ agentType: 'x', task: OWN }))
    put(`${beside}.jsonl`, [claude.user(3, OWN, { sessionId: uuid(1) })])
    expect(collect(home, archive, '--redeliver')).toBe(0)
    expect(deliveredTo(archive)).toEqual([])
  })

  it('the store loses the summary that Codex made of it, until that is undone', () => {
    const home = temporaryHome()
    const id = codex(home)
    const found = (words: string): string => run(['search', words], home).stdout
    expect(found(OWN)).toContain('rollout_summaries')
    const { transcripts } = json(home, 'forget', id, '--yes')
    expect(transcripts).toContain(join(home, `.codex/memories/rollout_summaries/${id}.md`))
    expect(found(OWN)).toContain('Nothing matches')
    expect(found(OTHER)).toContain('rollout_summaries')
    expect(readFileSync(join(home, '.local/share/scrollback/store.sqlite'), 'latin1')).not.toContain('ivorce')
    json(home, 'forget', '--undo', id)
    expect(found(OWN)).toContain('rollout_summaries')
  })

  it('the receipt lists the small files that the agent keeps beside the transcript', () => {
    const home = temporaryHome()
    const id = kimi(home, 'one', OWN, OWN_FOLDER)
    const own = join(home, '.kimi-code/sessions/wd_1', id)
    const { transcripts } = json(home, 'forget', id, '--yes')
    expect(transcripts).toEqual([join(own, 'agents/main/wire.jsonl'), join(own, 'state.json')])
  })

  it('everything is sent again when that is undone', () => {
    const home = temporaryHome()
    const id = kimi(home, 'one', OWN, OWN_FOLDER)
    expect(collect(home, join(home, 'archive'), '--history', 'all')).toBe(0)
    json(home, 'forget', id, '--yes')
    json(home, 'forget', '--undo', id)
    rmSync(join(home, 'archive'), { recursive: true })
    expect(collect(home, join(home, 'archive'), '--redeliver')).toBe(0)
    expect(archived(home)).toContain(OWN)
  })
})

it('the words of an archive are those that its client has in the list of its sessions', () => {
  const home = temporaryHome()
  cpSync(join(checkout, 'test/fixtures/continue/forked'), home, { recursive: true })
  const archive = join(home, 'archive')
  expect(collect(home, archive, '--history', 'all')).toBe(0)
  const listed = (...args: string[]) =>
    json(home, 'sessions', '--all', ...args).sessions.map(({ id, title, cwd, start }: Json) => ({
      id,
      title,
      cwd,
      start,
    }))
  expect(listed('--from', archive)).toEqual(listed())
})
