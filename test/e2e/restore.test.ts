import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { bytesBelow, garden, MOSS, PROJECT } from '../garden-home.ts'
import { type Answer, checkout, compileCache, type Json, json, printed, program, run } from '../program.ts'
import { claude, openclaw, put, temporaryHome, uuid } from '../records.ts'
import { inTerminal, KEYS } from '../terminal.ts'

const archive = (home: string, ...flags: string[]): Answer =>
  run(['collect', '--history', 'all', '--tool-results', ...flags], home)

const actions = ({ files }: Json): string[] => files.map(({ action }: Json) => action)

describe('scrollback restore', () => {
  it('writes a session with everything that belongs to it from an archive, byte for byte, and takes it back', () => {
    const home = garden()
    const before = bytesBelow(join(home, '.claude'))
    archive(home, '--no-redact')
    rmSync(join(home, PROJECT, `${uuid(1)}.jsonl`))
    rmSync(join(home, PROJECT, uuid(1)), { recursive: true })
    const without = bytesBelow(join(home, '.claude'))

    const planned = json(home, 'restore', uuid(1), '--dry-run')
    expect(planned).toMatchObject({ done: 'planned', from: join(home, '.local/share/scrollback/archive') })
    expect(actions(planned)).toEqual(['create', 'create', 'create'])
    expect(bytesBelow(join(home, '.claude'))).toEqual(without)
    // Nobody is there to ask.
    expect(run(['restore', uuid(1)], home)).toMatchObject({ code: 2, stdout: '' })

    expect(printed(home, 'restore', uuid(1), '--yes')).toContain(`claude --resume=${uuid(1)}`)
    expect(bytesBelow(join(home, '.claude'))).toEqual(before)
    expect(statSync(join(home, PROJECT, uuid(1))).mode & 0o777).toBe(0o700)
    expect(actions(json(home, 'restore', uuid(1), '--yes'))).toEqual(['same', 'same', 'same'])

    expect(printed(home, 'restore', '--undo', '--yes')).toContain('Everything is as before.')
    expect(bytesBelow(join(home, '.claude'))).toEqual(without)
    expect(run(['restore', '--undo', '--yes'], home).code).toBe(1)
  })

  it('leaves nothing of what it took back in the store, and keeps what the store had before', () => {
    const listed = (home: string): unknown => {
      const { sessions } = json(home, 'sessions', '--all')
      return sessions.map(({ id, goneSince = null }: Json) => [id, goneSince !== null]).sort()
    }
    const takesBack = (home: string, ...args: string[]): void => {
      const before = listed(home)
      printed(home, 'restore', uuid(20), ...args, '--yes')
      expect(listed(home)).not.toEqual(before)
      printed(home, 'restore', '--undo', '--yes')
      expect(listed(home)).toEqual(before)
    }
    for (const isStored of [false, true]) {
      const home = garden()
      archive(home, '--no-redact')
      if (isStored) json(home, 'index')
      const path = join(home, PROJECT, `${uuid(20)}.jsonl`)
      rmSync(path)
      takesBack(home)
      takesBack(home, '--from', join(home, '.local/share/scrollback/archive'))
      // A copy has a new id.
      if (isStored) takesBack(home, '--condensed')
    }
  })

  it('leaves the prompts of a session, of which only those were left, after it is taken back', () => {
    const home = garden()
    const typed = { display: 'Where is the moss?', timestamp: 1795311546110, project: '/home/ann/garden' }
    put(join(home, '.claude/history.jsonl'), `${JSON.stringify({ ...typed, sessionId: uuid(20) })}\n`)
    archive(home, '--no-redact')
    rmSync(join(home, PROJECT, `${uuid(20)}.jsonl`))
    for (const file of ['store.sqlite', 'store.sqlite-wal'])
      rmSync(join(home, '.local/share/scrollback', file), { force: true })
    const states = (): Json[] =>
      json(home, 'sessions', '--all').sessions.flatMap(({ id, state }: Json) =>
        id === uuid(20) ? state : [],
      )
    expect(states()).toEqual(['purged'])
    printed(home, 'restore', uuid(20), '--yes')
    expect(states()).toEqual(['live'])
    printed(home, 'restore', '--undo', '--yes')
    expect(states()).toEqual(['purged'])
  })

  it('writes, and takes back, also if a newer version wrote the store, and says that it was not asked', () => {
    const home = garden()
    archive(home, '--no-redact')
    json(home, 'index')
    const path = join(home, PROJECT, `${uuid(20)}.jsonl`)
    rmSync(path)
    const database = new DatabaseSync(join(home, '.local/share/scrollback/store.sqlite'))
    database.exec('PRAGMA user_version = 9999')
    database.close()
    const written = run(['restore', uuid(20), '--yes'], home)
    expect([written.code, existsSync(path)]).toEqual([0, true])
    expect(written.stderr).toMatch(/newer/)
    expect(run(['restore', '--undo', '--yes'], home)).toMatchObject({ code: 0 })
    expect(existsSync(path)).toBe(false)
  })

  it('says what a redacted archive means, and does not overwrite what differs', () => {
    const home = garden()
    archive(home)
    const path = join(home, PROJECT, `${uuid(1)}.jsonl`)
    const original = readFileSync(path, 'utf8')
    const { code, stdout, stderr } = run(['restore', uuid(1), '--yes'], home)
    expect({
      code,
      stdout: stdout.includes('already there, different'),
      stderr: /different: [\d,]+ bytes there, [\d,]+ in the source\. It is not overwritten/.test(stderr),
    }).toEqual({ code: 3, stdout: true, stderr: true })
    expect(readFileSync(path, 'utf8')).toBe(original)
    const none = run(['restore', 'no such', '--yes'], home)
    expect(none.stderr).toContain(
      ': no session, project or agent "no such"\nSee what is in it: scrollback sessions --all --from ',
    )
    rmSync(path)
    expect(printed(home, 'restore', uuid(1), '--yes')).toContain('1 secret is redacted')
    expect(readFileSync(path, 'utf8')).toContain('[REDACTED:')
    // The client continued it, so that it cannot be taken back.
    writeFileSync(path, `${readFileSync(path, 'utf8')}{}\n`)
    expect(run(['restore', '--undo', '--yes'], home)).toMatchObject({ code: 1, stdout: '' })
    expect(readFileSync(path, 'utf8')).toContain('{}\n')
    // Backups could contain what was forgotten.
    const changes = join(home, '.local/share/scrollback/changes')
    expect(readdirSync(changes)).not.toEqual([])
    printed(home, 'forget', uuid(1), '--yes')
    expect(existsSync(changes)).toBe(false)
  })

  it('writes to the folder that a flag names, from any archive, and to no other', () => {
    const home = garden()
    archive(home)
    const kept = join(home, 'kept')
    cpSync(join(home, '.local/share/scrollback/archive'), kept, { recursive: true })
    rmSync(join(home, '.claude'), { recursive: true })
    for (const [index, from] of [[], ['--from', kept]].entries()) {
      const folder = join(home, `named-${index}`)
      mkdirSync(folder)
      run(['restore', uuid(1), '--yes', '--claude-dir', folder, ...from], home)
      expect(Object.keys(bytesBelow(folder))).toContain(`projects/-home-ann-garden/${uuid(1)}.jsonl`)
      expect(existsSync(join(home, '.claude'))).toBe(false)
    }
    const packed = join(home, 'x.pack')
    cpSync(join(home, 'named-0'), join(home, '.claude'), { recursive: true })
    printed(home, 'pack', uuid(1), '--out', packed)
    rmSync(join(home, '.claude'), { recursive: true })
    mkdirSync(join(home, 'named-2'))
    run(['unpack', packed, '--yes', '--claude-dir', join(home, 'named-2')], home)
    expect(Object.keys(bytesBelow(join(home, 'named-2')))).toContain(
      `projects/-home-ann-garden/${uuid(1)}.jsonl`,
    )
    expect(existsSync(join(home, '.claude'))).toBe(false)
  })

  it('says what to do without an archive: nothing, a condensed transcript, or a brief', () => {
    const home = garden()
    cpSync(join(checkout, 'test/fixtures/codex/items'), home, { recursive: true })
    const live = run(['restore', uuid(1)], home)
    expect([live.code, live.stderr]).toEqual([
      2,
      expect.stringContaining(
        `${uuid(1)} is not deleted: its transcript is where the client looks for it.\nResume it: scrollback resume ${uuid(1)}`,
      ),
    ])
    const [{ id }] = json(home, 'sessions', '--all', '--platform', 'codex').sessions
    rmSync(join(home, PROJECT, `${uuid(1)}.jsonl`))
    rmSync(join(home, '.codex/sessions'), { recursive: true })
    expect(run(['restore', uuid(1)], home).stderr).toContain(`scrollback restore ${uuid(1)} --condensed`)
    const { stderr } = run(['restore', id], home)
    expect(stderr).not.toContain('--condensed')
    expect(stderr).toContain(`scrollback handoff ${id} --to codex`)
  })

  it.each([uuid(1), 'moss'])('counts nothing of %s again that a condensed transcript repeats', (id) => {
    const home = garden()
    run(['index'], home)
    const figures = () => {
      const { messages, humanWords } = json(home, 'stats', '--all').totals
      return [messages.human, messages.agent, humanWords]
    }
    const before = figures()
    for (const path of Object.keys(bytesBelow(home)).filter((each) => each.includes(id)))
      rmSync(join(home, path))
    const { sessions, files } = json(home, 'restore', id, '--condensed', '--yes')
    const [{ id: own }] = sessions
    const [{ path }] = files
    expect(figures()).toEqual(before)
    const { items } = json(home, 'read', own)
    expect(new Set(items.map(({ who, label }: { who: string; label: string }) => `${who} ${label}`))).toEqual(
      new Set(['program restore', 'program copy']),
    )
    expect(path).toContain(own)
    // What follows is of the person who resumes it.
    const line = id === 'moss' ? openclaw.user(90, 'Go on.') : claude.user(90, 'Go on.')
    appendFileSync(path, `${JSON.stringify(line)}\n`)
    expect(figures()).toEqual([before[0] + 1, before[1], before[2] + 2])
  })

  it('makes one transcript of a session that moved between folders while it grew, with its subagents', () => {
    const home = temporaryHome()
    const folders = ['one', 'two', 'three', 'one'].map((name) =>
      join(home, `.claude/projects/-home-ann-${name}`),
    )
    const name = `${uuid(1)}.jsonl`
    const side = { isSidechain: true, agentId: 'a1', sessionId: uuid(1) }
    for (const [step, folder] of folders.entries()) {
      if (step > 0) renameSync(folders[step - 1]!, folder)
      mkdirSync(folder, { recursive: true })
      appendFileSync(join(folder, name), `${JSON.stringify(claude.user(step + 1, `Question ${step}`))}\n`)
      if (step === 0)
        put(join(folder, uuid(1), 'subagents/agent-a1.jsonl'), [{ ...claude.user(50, 'Count.'), ...side }])
      run(['collect', 'run', join(home, 'archive'), '--history', 'all'], home)
    }
    const before = bytesBelow(join(home, '.claude'))
    const read = ['read', uuid(1), '--from', join(home, 'archive')]
    expect(json(home, ...read).items.map((each: { text: string }) => each.text)).toEqual(
      [0, 1, 2, 3].map((step) => `Question ${step}`),
    )
    rmSync(join(home, '.claude'), { recursive: true })
    const { sessions } = json(home, 'restore', uuid(1), '--from', join(home, 'archive'), '--yes')
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([uuid(1), 'agent-a1'])
    expect(bytesBelow(join(home, '.claude'))).toEqual(before)
  })

  it('names the key that leads to a session now, and never that of another session', () => {
    const home = garden()
    archive(home)
    const sessions = join(home, '.openclaw/agents/main/sessions')
    const index = join(sessions, 'sessions.json')
    const resumes = (): string => json(home, 'restore', 'moss', '--yes').sessions[0].resume
    writeFileSync(index, JSON.stringify({ [MOSS]: { sessionId: 'fern' } }))
    const own = 'openclaw tui --session=agent:main:explicit:moss'
    expect([resumes(), resumes()]).toEqual([own, own])
    // No entry is added for other content, nor to an index that cannot be read.
    for (const [text, content] of [
      [JSON.stringify({ [MOSS]: { sessionId: 'fern' } }), 'other'],
      ['{ // a comment\n}', undefined],
    ] as const) {
      writeFileSync(index, text)
      if (content !== undefined) writeFileSync(join(sessions, 'moss.jsonl'), content)
      expect(resumes()).toBeNull()
      expect(readFileSync(index, 'utf8')).toBe(text)
    }
  })

  it('adds the entry that OpenClaw needs to its session index, and leaves the others', () => {
    const home = garden()
    archive(home)
    const sessions = join(home, '.openclaw/agents/main/sessions')
    rmSync(join(sessions, 'moss.jsonl'))
    const other = '{ "agent:main:main" : {"sessionId":"fern","n":1.50} }'
    writeFileSync(join(sessions, 'sessions.json'), other)
    const answer = json(home, 'restore', 'moss', '--yes')
    expect(actions(answer)).toEqual(['create', 'change'])
    expect(answer.afterward).toMatchObject([{ command: 'openclaw doctor --fix' }])
    expect(answer.sessions).toMatchObject([{ resume: `openclaw tui --session=${MOSS}` }])
    const index = readFileSync(join(sessions, 'sessions.json'), 'utf8')
    expect(index).toContain(other.slice(1))
    expect(JSON.parse(index)[MOSS]).toEqual({
      sessionId: 'moss',
      updatedAt: 5,
      sessionFile: join(sessions, 'moss.jsonl'),
    })
  })

  it('writes to another folder on request', () => {
    const home = garden()
    archive(home)
    const to = join(home, 'other')
    printed(home, 'restore', uuid(20), '--to', to, '--yes')
    expect(Object.keys(bytesBelow(to))).toEqual([`projects/-home-ann-garden/${uuid(20)}.jsonl`])
    expect(json(home, 'restore', uuid(20), '--to', to, '--yes').sessions[0].resume).toContain(
      `CLAUDE_CONFIG_DIR=${to} claude`,
    )
  })

  it('writes files of the other clients at their places, and says why it cannot write others', () => {
    const home = temporaryHome()
    const further = ['qwen-code/subagents', 'kimi-code/subagents']
    const written = ['codex/undone', 'pi/words', 'copilot/words', ...further, 'gemini-cli/words']
    const fixtures = [...written, 'opencode/files']
    for (const name of fixtures) cpSync(join(checkout, 'test/fixtures', name), home, { recursive: true })
    archive(home, '--no-redact')
    const clients = [
      '.codex',
      '.pi',
      '.copilot',
      '.qwen',
      '.kimi-code',
      '.gemini',
      '.local/share/opencode',
    ].map((name) => join(home, name))
    const before = clients.map(bytesBelow)
    for (const client of clients.slice(0, 5)) rmSync(client, { recursive: true })
    rmSync(join(home, '.gemini/tmp'), { recursive: true })
    const { stderr, code } = run(['restore', 'garden', '--yes'], home)
    expect({ code, says: stderr.includes('OpenCode keeps sessions in a database') }).toEqual({
      code: 3,
      says: true,
    })
    expect(clients.map(bytesBelow)).toEqual(before)
    const id = /(ses_\w+) cannot be written back/.exec(stderr)![1]!
    expect(stderr).toContain(`scrollback handoff ${id} --to opencode`)
    const packed = run(['pack', id, '--out', 'x.pack'], home)
    expect({ code: packed.code, there: existsSync(join(home, 'x.pack')) }).toEqual({ code: 2, there: false })
    expect(packed.stderr).toContain(`scrollback handoff ${id} --to opencode`)
    expect(run(['pack', 'garden', '--out', 'y.pack'], home)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('left out, because ses_'),
    })
  })

  it('says of a session that was deleted before it was archived that only its prompts are in the archive', () => {
    const home = garden()
    const path = join(home, PROJECT, `${uuid(20)}.jsonl`)
    put(join(home, '.claude/history.jsonl'), [
      {
        display: 'Water the moss.',
        timestamp: 1_760_000_000_000,
        project: '/home/ann/garden',
        sessionId: uuid(20),
      },
    ])
    run(['index'], home)
    rmSync(path)
    archive(home)
    const { stdout, stderr, code } = run(['restore', uuid(20), '--yes'], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toContain('only its prompts: it was deleted before it was archived')
    expect(stderr).toContain(`scrollback restore ${uuid(20)} --condensed`)
  })

  it('warns of and restores a session of Gemini CLI by the time in it, and says that it is deleted again', () => {
    const home = temporaryHome()
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
    /** A session that began 90 days ago, with the time of its last update. */
    const session = (id: string, updated: string): string => {
      const header = { sessionId: `${id}-0000-4000-8000-000000000001`, projectHash: '0', kind: 'main' }
      const path = put(join(home, `.gemini/tmp/garden/chats/session-2026-01-01T00-00-${id}.jsonl`), [
        { ...header, startTime: daysAgo(90), lastUpdated: daysAgo(90) },
        { id: `u${id}`, timestamp: daysAgo(90), type: 'user', content: [{ text: 'Water the fern.' }] },
        { $set: { lastUpdated: updated } },
      ])
      return path
    }
    const old = session('0000000a', daysAgo(90))
    const resumed = session('0000000b', daysAgo(1))
    const time = Date.now() / 1000 - 90 * 86_400
    utimesSync(resumed, time, time)
    const soon = (): string[] =>
      json(home, 'doctor', '--vanishing').vanishing.map(({ id }: Json) => id.slice(0, 8))
    expect(soon()).toEqual(['0000000a'])
    archive(home, '--no-redact')
    rmSync(old)
    const { notes } = json(home, 'restore', '0000000a', '--yes')
    expect(notes).toEqual([
      expect.stringMatching(/^Gemini CLI .* deletes it again at its next start, unless that resumes it/),
    ])
    expect(soon()).toEqual(['0000000a'])
    rmSync(resumed)
    expect(json(home, 'restore', '0000000b', '--yes').notes).toEqual([])
  })

  it('makes a transcript from the store only on request, which says so', () => {
    const home = garden()
    run(['index'], home)
    rmSync(join(home, PROJECT, `${uuid(1)}.jsonl`))
    expect(run(['restore', uuid(1), '--yes'], home)).toMatchObject({ code: 1, stdout: '' })
    const { sessions, files } = json(home, 'restore', uuid(1), '--condensed', '--yes')
    expect(sessions[0].id).not.toBe(uuid(1))
    const lines = readFileSync(files[0].path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ message }) => message.role)).toEqual(['user', 'user', 'assistant'])
    expect(lines[0].message.content).toContain('condensed by Scrollback')
    expect(lines[1].message.content).toContain('[REDACTED:')
    expect(actions(json(home, 'restore', uuid(1), '--condensed', '--yes'))).toEqual(['same'])
    expect(json(home, 'read', sessions[0].id).items.at(-1).text).toBe('It is pruned.')
    expect(run(['restore', uuid(20), '--condensed', '--yes'], home)).toMatchObject({ code: 2, stdout: '' })
  })

  it('shows the files to a human, and asks', async () => {
    const home = garden()
    archive(home)
    const path = join(home, PROJECT, `${uuid(20)}.jsonl`)
    rmSync(path)
    const line = `${process.execPath} ${program} restore ${uuid(20)}`
    const env = { NODE_COMPILE_CACHE: compileCache }
    const answered = async (keys: string) => {
      const { text, code } = await inTerminal(line, {
        cwd: home,
        env,
        types: [{ after: 'Write 1 file', keys }],
      })
      return { code, lists: text.includes('would write:'), written: existsSync(path) }
    }
    expect(await answered(KEYS.enter)).toEqual({ code: 2, lists: true, written: false })
    expect(await answered(`${KEYS.down}${KEYS.enter}`)).toEqual({ code: 0, lists: true, written: true })
  })

  it('says so if its own folder cannot be created, or is open to others', () => {
    const home = garden()
    writeFileSync(join(home, 'file'), '')
    mkdirSync(join(home, 'open'))
    chmodSync(join(home, 'open'), 0o777)
    for (const [name, why] of [
      ['file/below', 'cannot be created: a part of this path is a file.\nSet SCROLLBACK_HOME'],
      ['open', 'other users may write to this folder.\nProtect it'],
    ]) {
      const { stderr, code } = run(['restore', '--undo'], home, {
        env: { SCROLLBACK_HOME: join(home, name!) },
      })
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why!) })
    }
  })

  it('completes what was interrupted before it does anything else', () => {
    const home = garden()
    archive(home)
    rmSync(join(home, PROJECT, `${uuid(20)}.jsonl`))
    printed(home, 'restore', uuid(20), '--yes')
    const journal = join(home, '.local/share/scrollback/changes/journal.json')
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"state":"done"', '"state":"undoing"'))
    const { stderr } = run(['restore', uuid(20), '--dry-run'], home)
    expect(stderr).toContain(`"restore ${uuid(20)}" had been interrupted and was taken back now.`)
    expect(existsSync(join(home, PROJECT, `${uuid(20)}.jsonl`))).toBe(false)
    writeFileSync(journal, 'words')
    const damaged = run(['restore', uuid(20), '--yes'], home)
    expect({ code: damaged.code, says: damaged.stderr.includes('is damaged') }).toEqual({
      code: 1,
      says: true,
    })
  })
})
