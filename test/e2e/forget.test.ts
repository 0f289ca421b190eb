import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveFrames, noFaults } from '../../src/deliver/archive/records.ts'
import { archiveOf, collect } from '../deliveries.ts'
import { checkout, demoHome, type Json, json, run } from '../program.ts'
import { append, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const MOVE = '7122ceb8-5be0-43b6-933c-4855a70f5192'
/** Words that only that session contains. */
const WORDS = 'the rehearsal is not optional'

const ids = (folder: string, ...args: string[]): string[] =>
  json(folder, 'sessions', '--all', '--kind', 'all', ...args).sessions.map(({ id }: Json) => id)

describe('forget', () => {
  it('says of a session in a database where to delete it, and how its words leave the file', () => {
    const folder = temporaryHome()
    cpSync(join(checkout, 'test/fixtures/opencode/words'), folder, { recursive: true })
    const { stdout } = run(['forget', 'ses_steps1', '--dry-run'], folder)
    expect(stdout).toContain('rewrite\nthe file (sqlite3 FILE VACUUM)')
    expect(stdout).toContain('\n  ~/.local/share/opencode/opencode.db\n')
  })

  it('asks before it removes anything, and a dry run removes nothing', () => {
    const folder = demoHome()
    const before = ids(folder)
    const refused = run(['forget', MOVE], folder)
    expect(refused).toMatchObject({ stdout: '', code: 2 })
    expect(refused.stderr).toContain('Add --yes')
    const dry = json(folder, 'forget', MOVE.slice(0, 8), '--dry-run')
    expect(dry).toMatchObject({ done: 'dry-run', store: { files: 1 }, sessions: [{ id: MOVE, at: null }] })
    expect(ids(folder)).toEqual(before)
  })

  it('refuses the beginning of several ids, here and in an archive, and takes a whole id for that session', () => {
    const folder = temporaryHome()
    const [one, other, third] = ['1', '2', '3'].map((end) => `01a19b45-0000-7000-8000-00000000000${end}`)
    for (const id of [one!, other!]) putClaude(folder, id, [claude.user(1, `The word of ${id}`)])
    const refused = run(['forget', '01a19b45', '--yes'], folder)
    expect(refused).toMatchObject({ stdout: '', code: 2 })
    expect(refused.stderr).toContain('"01a19b45" is ambiguous: 2 session ids begin with it:')
    expect(refused.stderr).toContain(other)
    expect(run(['forget', '01a19b45', '--dry-run'], folder).code).toBe(2)
    expect(ids(folder).sort()).toEqual([one, other])
    const elsewhere = temporaryHome()
    putClaude(elsewhere, third!, [claude.user(1, 'In the archive')])
    collect(elsewhere)
    expect(run(['forget', one!, '--yes'], folder).code).toBe(0)
    const there = run(['forget', '01a19b45', '--archive', archiveOf(elsewhere), '--yes'], folder)
    expect(there).toMatchObject({ stdout: '', code: 2 })
    expect(there.stderr).toContain(third)
    expect(ids(folder)).toEqual([other])
  })

  it('removes a session from the store for good, also after the index is rebuilt', () => {
    const folder = demoHome()
    run(['tag', MOVE, 'database', '--star'], folder)
    const dry = json(folder, 'forget', MOVE, '--dry-run')
    const done = json(folder, 'forget', MOVE, '--yes')
    expect(done).toMatchObject({ done: 'forgotten', sessions: [{ platform: 'claude-code', id: MOVE }] })
    expect(dry.store.messages).toBe(done.store.messages)
    expect(done.store.messages).toBeGreaterThan(10)
    expect(done.transcripts).toHaveLength(1)
    expect(existsSync(done.transcripts[0])).toBe(true)
    for (const again of [false, true]) {
      if (again) expect(run(['index', '--rebuild'], folder).code).toBe(0)
      expect(ids(folder)).not.toContain(MOVE)
      expect(json(folder, 'tag').sessions).toEqual([])
    }
    const check = run(['forget', MOVE, '--dry-run'], folder)
    expect(check.stdout).toMatch(/^Nothing is stored\. 1 session was forgotten before:\n/)
  })

  it('leaves no name and no tag in the file of stars, names and tags', () => {
    const folder = demoHome()
    const [own, other] = ['Name of the migration', 'Name of another']
    run(['tag', MOVE, 'rare-tag', '--star', '--name', own], folder)
    run(['tag', ids(folder).find((id) => id !== MOVE)!, '--name', other], folder)
    const bytes = (): string =>
      readFileSync(join(folder, '.local/share/scrollback/annotations.sqlite'), 'latin1')
    for (const each of [own, other, 'rare-tag', MOVE]) expect(bytes()).toContain(each)
    json(folder, 'forget', MOVE, '--yes')
    for (const each of [own, 'rare-tag', MOVE]) expect(bytes()).not.toContain(each)
    expect(bytes()).toContain(other)
  })

  it('keeps what the prompt history knows of the session away, too', () => {
    const folder = demoHome()
    const { transcripts } = json(folder, 'forget', MOVE, '--yes')
    rmSync(transcripts[0])
    expect(ids(folder)).not.toContain(MOVE)
    expect(run(['forget', '--undo', MOVE], folder).stdout).toBe(
      `${MOVE} is no longer left out, but this machine has no transcript of it.\n`,
    )
    writeFileSync(join(folder, '.claude/history.jsonl'), `\n`, { flag: 'a' })
    expect(ids(folder)).toContain(MOVE)
  })

  it('is undone by name, and then the transcript is read again', () => {
    const folder = demoHome()
    json(folder, 'forget', MOVE, '--yes')
    expect(run(['forget', '--list'], folder).stdout).toContain(`${MOVE}  claude-code  `)
    const { done, transcripts } = json(folder, 'forget', '--undo', MOVE.slice(0, 6))
    expect([done, transcripts.length]).toEqual(['undone', 1])
    expect(json(folder, 'forget', MOVE, '--yes').transcripts).toEqual(transcripts)
    expect(run(['forget', '--undo', MOVE], folder).stdout).toBe(`${MOVE} is read again.\n`)
    expect(ids(folder)).toContain(MOVE)
    expect(run(['forget', '--list'], folder).stdout).toBe('Nothing was forgotten here.\n')
    expect(run(['forget', '--undo', MOVE], folder)).toMatchObject({ stdout: '', code: 1 })
  })

  it('takes the subagents of a session with it, and back', () => {
    const folder = demoHome()
    const before = ids(folder)
    const all: Json[] = json(folder, 'sessions', '--all', '--kind', 'all').sessions
    const { parent } = all.find((each) => each.parent)
    const children = all.filter((each) => each.parent === parent)
    const { sessions } = json(folder, 'forget', parent, '--yes')
    const gone = sessions.map(({ id }: Json) => id)
    for (const { id } of children) expect(gone).toContain(id)
    expect(ids(folder).filter((id) => gone.includes(id))).toEqual([])
    const undone = json(folder, 'forget', '--undo', parent)
    expect(undone.sessions.map(({ id }: Json) => id).sort()).toEqual(gone.sort())
    expect(ids(folder)).toEqual(before)
  })

  it.each(['here and in an archive', 'in an archive alone'])(
    'takes a subagent that only says in its records which session started it: %s',
    (where) => {
      const folder = temporaryHome()
      const timestamp = '2026-11-01T10:00:00.000Z'
      const thread = (id: string, meta: object, words: string): void =>
        void put(join(folder, `.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-${id}.jsonl`), [
          { timestamp, type: 'session_meta', payload: { id, cwd: '/home/ann/garden', timestamp, ...meta } },
          { timestamp, type: 'event_msg', payload: { type: 'user_message', message: words } },
          { timestamp, type: 'event_msg', payload: { type: 'agent_message', message: `${words} are green` } },
        ])
      thread(uuid(1), {}, 'ferns')
      thread(
        uuid(2),
        {
          parent_thread_id: uuid(1),
          thread_source: 'subagent',
          source: { subagent: { thread_spawn: { parent_thread_id: uuid(1), agent_path: '/root/cups' } } },
        },
        'mosses',
      )
      thread(uuid(3), { forked_from_id: uuid(1) }, 'leaves')
      const archive = join(folder, 'archive')
      run(['collect', `file:${archive}`, '--history', 'all'], folder)
      const isHere = where === 'here and in an archive'
      const home = isHere ? folder : temporaryHome()
      const { sessions, archives } = json(home, 'forget', uuid(1), '--archive', archive, '--yes')
      expect(sessions.map(({ id }: Json) => id).sort()).toEqual([uuid(1), uuid(2)])
      expect(archives[0].records).toBe(6)
      expect(ids(home, '--from', archive)).toEqual([uuid(3)])
      if (isHere) expect(ids(home)).toEqual([uuid(3)])
    },
  )

  it('takes a subagent of Claude Code whose transcript is beside that of its session', () => {
    const folder = temporaryHome()
    putClaude(folder, uuid(1), [claude.user(1, 'ferns', { sessionId: uuid(1) })])
    putClaude(folder, 'agent-4362f91c', [
      claude.user(2, 'count the mosses', { sessionId: uuid(1), isSidechain: true, agentId: '4362f91c' }),
      claude.reply(3, [text('Twelve.')], { sessionId: uuid(1), isSidechain: true, agentId: '4362f91c' }),
    ])
    putClaude(folder, uuid(4), [claude.user(4, 'leaves', { sessionId: uuid(4) })])
    const { sessions } = json(folder, 'forget', uuid(1), '--yes')
    expect(sessions.map(({ id }: Json) => id).sort()).toEqual([uuid(1), 'agent-4362f91c'])
    expect(ids(folder)).toEqual([uuid(4)])
  })

  it('leaves a subagent forgotten that was forgotten on its own, when its session is taken back', () => {
    const folder = demoHome()
    const { id, parent } = json(folder, 'sessions', '--all', '--kind', 'all').sessions.find(
      (each: Json) => each.parent,
    )
    run(['forget', id, '--yes'], folder)
    run(['forget', parent, '--yes'], folder)
    run(['forget', '--undo', parent], folder)
    expect(ids(folder)).toContain(parent)
    expect(ids(folder)).not.toContain(id)
  })

  it('takes what was restored of a session in condensed form with it, unless somebody has continued that', () => {
    for (const isContinued of [false, true]) {
      const folder = temporaryHome()
      const path = putClaude(folder, uuid(1), [
        claude.user(1, 'Turn the soil'),
        claude.reply(2, [text('Done.')]),
      ])
      run(['index'], folder)
      rmSync(path)
      run(['restore', uuid(1), '--condensed', '--yes'], folder)
      const [copy] = ids(folder).filter((id) => id !== uuid(1))
      const [file] = json(folder, 'sessions', '--all', '--kind', 'all').sessions.filter(
        ({ id }: Json) => id === copy,
      )
      if (isContinued) append(file.path, claude.user(9, 'And the beds?', { sessionId: copy }))
      const { sessions } = json(folder, 'forget', uuid(1), '--yes')
      expect(sessions.map(({ id }: Json) => id).sort()).toEqual(
        isContinued ? [uuid(1)] : [uuid(1), copy].sort(),
      )
      expect(ids(folder)).toEqual(isContinued ? [copy] : [])
    }
  })

  it('removes a project, and refuses what it cannot know', () => {
    const folder = demoHome()
    const mine = (): unknown[] =>
      json(folder, 'sessions', '--all', '--kind', 'all').sessions.filter(
        ({ project }: Json) => project === 'shop-notes',
      )
    expect(mine().length).toBeGreaterThan(0)
    expect(json(folder, 'forget', 'project:shop-notes', '--yes').done).toBe('forgotten')
    expect(mine()).toEqual([])
    for (const [args, message] of [
      [['project:no-such-thing'], 'Nothing is stored of project:no-such-thing.'],
      [['person:no-such-person'], 'has only the sessions of'],
      [[`person:${userInfo().username}`, '--archive', folder], 'do not say whose they are'],
      [['device:laptop'], 'knows only this device'],
      [['12'], 'too short'],
      [[], 'Name what to forget.'],
      [[MOVE, '--archive', folder], 'not an archive'],
    ] as const) {
      const { code, stdout, stderr } = run(['forget', ...args, '--yes'], folder)
      expect({ stdout, failed: code !== 0 }).toEqual({ stdout: '', failed: true })
      expect(stderr).toContain(message)
    }
  })

  it('removes everything of the person of this machine, memory included, until that is undone', () => {
    const folder = demoHome()
    const memory = (): number => {
      const { documents, semantic } = json(folder, 'memory')
      expect(semantic).toHaveLength(documents.length > 0 ? 1 : 0)
      return documents.length
    }
    const delivered = (name: string): string => {
      const archive = join(folder, name)
      run(['collect', `file:${archive}`, '--history', 'all'], folder)
      return run(['memory', '--from', archive], folder).stdout
    }
    expect(memory()).toBeGreaterThan(0)
    expect(delivered('before')).toContain('MEMORY.md')
    const person = `person:${userInfo().username}`
    const { stdout } = run(['forget', person, '--dry-run'], folder)
    expect(stdout).toMatch(/^Would forget \d+ sessions, and memory:\n/)
    expect(stdout.match(/^ {2}memory of this machine$/gm)).toHaveLength(1)
    expect(json(folder, 'forget', person, '--yes').done).toBe('forgotten')
    expect(ids(folder)).toEqual([])
    expect(memory()).toBe(0)
    expect(delivered('after')).not.toContain('MEMORY.md')
    expect(run(['forget', person, '--dry-run'], folder).stdout).toBe('Nothing of this is stored.\n')
    expect(run(['forget', '--undo', 'memory of this machine'], folder).stdout).toBe(
      'The memory of this machine is read again.\n',
    )
    expect(memory()).toBeGreaterThan(0)
  })

  it('removes the records from an archive, which does not take them again', () => {
    const folder = demoHome()
    const archive = join(folder, 'archive')
    run(['collect', `file:${archive}`, '--history', 'all'], folder)
    expect(ids(folder, '--from', archive)).toContain(MOVE)
    expect(run(['search', WORDS, '--from', archive], folder).stdout).toContain('7122ceb8')
    const done = json(folder, 'forget', MOVE, '--archive', archive, '--yes')
    expect(done.archives).toMatchObject([{ folder: archive, segments: 1 }])
    expect(done.archives[0].records).toBeGreaterThan(20)
    const segments = readdirSync(archive).filter((name) => name.endsWith('.zst'))
    expect(segments).toHaveLength(1)
    expect(run(['collect', '--verify', archive], folder).code).toBe(0)
    // A machine that did not forget it delivers it again.
    rmSync(join(folder, '.local/share/scrollback/forgotten.json'), { force: true })
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('forgotten.json')) rmSync(join(folder, file))
    const again = json(folder, 'collect', `file:${archive}`, '--redeliver').destinations[0]
    expect(again.forgotten).toBeGreaterThan(20)
    expect(ids(folder, '--from', archive)).not.toContain(MOVE)
    expect(run(['search', WORDS, '--from', archive], folder).stdout).not.toContain('7122ceb8')
    expect(ids(folder)).toContain(MOVE)
  })

  it('removes the files beside a transcript from an archive, too', async () => {
    const folder = temporaryHome()
    cpSync(join(checkout, 'test/fixtures/copilot/answers'), folder, { recursive: true })
    const [{ id }] = json(folder, 'sessions', '--all').sessions
    writeFileSync(join(folder, '.copilot/session-state', id, 'plan.md'), '# Water the ferns\n')
    const archive = join(folder, 'archive')
    run(['collect', 'run', archive, '--history', 'all'], folder)
    const kinds = (): string[] =>
      [...archiveFrames(archive, noFaults())]
        .flatMap(({ lines }) => lines.map((line) => JSON.parse(line)))
        .flatMap(({ path, kind }) => (path.includes(id) ? [kind] : []))
    expect(new Set(kinds())).toEqual(new Set(['transcript', 'session-index', 'plan']))
    json(folder, 'forget', id, '--archive', archive, '--yes')
    expect(kinds()).toEqual([])
  })

  const lines = (...entries: object[]): string => entries.map((each) => `${JSON.stringify(each)}\n`).join('')
  const OTHER = 'Who built the shed?'
  it.each([
    {
      client: 'OpenCode',
      fixture: 'opencode/words',
      id: 'ses_steps1',
      prompt: 'Count twice.',
      history: '.local/state/opencode/prompt-history.jsonl',
      content: (prompt: string) =>
        lines({ input: prompt, parts: [], mode: 'normal' }, { input: OTHER, parts: [], mode: 'normal' }),
    },
    {
      client: 'Kimi Code',
      fixture: 'kimi-code/words',
      id: 'session_b2000000',
      prompt: 'Which fern is dry?',
      history: '.kimi-code/user-history/0123456789abcdef0123456789abcdef.jsonl',
      content: (prompt: string) => lines({ content: `${prompt} ` }, { content: OTHER }),
    },
    {
      client: 'Gemini CLI',
      fixture: 'gemini-cli/words',
      id: '01feed00',
      prompt: 'Show me the way.',
      history: '.gemini/tmp/garden/logs.json',
      content: (prompt: string) =>
        JSON.stringify([
          { sessionId: '01feed00-0000-4000-8000-000000000001', messageId: 0, type: 'user', message: prompt },
          { sessionId: '77feed00-0000-4000-8000-000000000077', messageId: 0, type: 'user', message: OTHER },
        ]),
    },
    {
      client: 'an early Claude Code',
      fixture: undefined,
      id: uuid(7),
      prompt: 'Turn the soil',
      history: '.claude/history.jsonl',
      content: (prompt: string) =>
        lines({ display: prompt, timestamp: 1795311546110 }, { display: OTHER, timestamp: 1795311546111 }),
    },
  ])('removes prompts of the session from the history of $client in an archive', (given) => {
    const { fixture, id, prompt, history, content } = given
    const folder = temporaryHome()
    if (fixture === undefined) putClaude(folder, id, [claude.user(1, prompt)])
    else cpSync(join(checkout, 'test/fixtures', fixture), folder, { recursive: true })
    put(join(folder, history), content(prompt))
    const archive = join(folder, 'archive')
    run(['collect', 'run', archive, '--history', 'all'], folder)
    const texts = (): string =>
      [...archiveFrames(archive, noFaults())]
        .flatMap(({ lines }) => lines.filter((line) => line.includes('"prompt-history"')))
        .join('\n')
    expect(texts()).toContain(prompt)
    const receipt = json(folder, 'forget', id, '--archive', archive, '--yes')
    expect(receipt.histories).toEqual([join(folder, history)])
    const database = join(folder, '.local/share/opencode/opencode.db')
    expect(receipt.databases).toEqual(fixture === 'opencode/words' ? [database] : [])
    // Kimi Code has a small file beside a transcript.
    const files = { 'opencode/words': 0, 'kimi-code/words': 2 }[fixture ?? ''] ?? 1
    expect(receipt.transcripts).toHaveLength(files)
    expect(texts()).not.toContain(prompt)
    expect(texts()).toContain(OTHER)
    run(['collect', 'run', archive], folder)
    expect(texts()).not.toContain(prompt)
  })

  it('removes commands that were typed in an early Claude Code from an archive', () => {
    const folder = temporaryHome()
    const command = '<command-message>review</command-message>\n<command-name>/review</command-name>'
    putClaude(folder, uuid(7), [
      claude.user(1, 'Turn the soil'),
      claude.user(2, '<bash-input>ls -la beds</bash-input>'),
      claude.user(3, `${command}\n<command-args>the moss</command-args>`),
    ])
    const typed = ['! ls -la beds', '/review the moss', OTHER]
    put(join(folder, '.claude/history.jsonl'), lines(...typed.map((display) => ({ display }))))
    const archive = join(folder, 'archive')
    run(['collect', 'run', archive, '--history', 'all'], folder)
    json(folder, 'forget', uuid(7), '--archive', archive, '--yes')
    const left = [...archiveFrames(archive, noFaults())].flatMap(({ lines }) =>
      lines.map((line) => JSON.parse(line).raw.display),
    )
    expect(left).toEqual([OTHER])
  })

  it('removes everything that a machine delivered to an archive, also what belongs to no session', () => {
    const folder = demoHome()
    const archive = join(folder, 'archive')
    for (const device of ['oak', 'elm'])
      collect(folder, `file:${archive}`, '--device', device, '--state', join(folder, device))
    const recordsOf = (device: string): number =>
      [...archiveFrames(archive, noFaults())].flatMap(({ lines }) =>
        lines.filter((line) => JSON.parse(line).device === device),
      ).length
    const [before, other] = [recordsOf('elm'), recordsOf('oak')]
    expect(before).toBeGreaterThan(400)
    const forget = ['forget', 'device:elm', '--archive', archive]
    const { archives, sessions } = json(folder, ...forget, '--dry-run')
    expect(archives[0].records).toBeGreaterThanOrEqual(before)
    expect(json(folder, ...forget, '--yes')).toMatchObject({
      archives,
      sessions: { length: sessions.length },
    })
    expect(recordsOf('elm')).toBe(0)
    // Sessions that both have are gone; memory and jobs of the other machine are not.
    expect(other - recordsOf('oak')).toBe(archives[0].records - before)
    expect(recordsOf('oak')).toBeGreaterThan(10)
    expect(run(['collect', '--verify', archive], folder).code).toBe(0)
    expect(run([...forget, '--dry-run'], folder).stdout).toBe('Nothing of this is stored.\n')
  })

  it('does not deliver what was forgotten here, nor that its file is gone', () => {
    const folder = demoHome()
    const archive = join(folder, 'archive')
    const { transcripts } = json(folder, 'forget', MOVE, '--yes')
    const report = json(folder, 'collect', `file:${archive}`, '--history', 'all').destinations[0]
    expect(report.error).toBe(null)
    rmSync(transcripts[0])
    run(['collect', `file:${archive}`], folder)
    expect(ids(folder, '--from', archive)).not.toContain(MOVE)
    const dry = run(['forget', MOVE, '--archive', archive, '--dry-run'], folder)
    expect(dry.stdout).toMatch(/^Nothing is stored\./)
  })

  it('reads nothing while the list of what was forgotten is damaged', () => {
    const folder = demoHome()
    json(folder, 'forget', MOVE, '--yes')
    const list = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('forgotten.json'),
    )!
    writeFileSync(join(folder, list), readFileSync(join(folder, list)).subarray(0, 20))
    for (const args of [
      ['sessions', '--all'],
      ['collect', '--history', 'all'],
      ['forget', '--list'],
    ]) {
      const { code, stdout, stderr } = run(args, folder)
      expect({ stdout, failed: code !== 0 }).toEqual({ stdout: '', failed: true })
      expect(stderr).toContain('forgotten.json is damaged')
    }
  })
})
