import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { agentDatabase } from '../agent-databases.ts'
import { bytesBelow, garden, KEY, MOSS, PROJECT } from '../garden-home.ts'
import { checkout, type Json, json, printed, run } from '../program.ts'
import { claude, openclaw, put, putClaude, putSessionIndex, temporaryHome, text, uuid } from '../records.ts'

describe('scrollback pack and unpack', () => {
  it('take sessions to another home and another folder, with their exact bytes', () => {
    const [home, other] = [garden(), temporaryHome()]
    const pack = join(home, 'garden.pack')
    const clear = run(['pack', uuid(1), '--out', pack, '--no-redact'], home)
    expect(clear).toMatchObject({ code: 0 })
    expect(clear.stderr).toContain('every secret')
    expect(statSync(pack).mode & 0o777).toBe(0o600)
    expect(run(['pack', uuid(1), '--out', pack], home).code).toBe(2)
    const left = put(join(other, '.local/share/scrollback/unpacked/left.txt'), 'of a process that was killed')
    printed(other, 'unpack', pack, '--map', `/home/ann/garden=${home}`, '--yes')
    expect(existsSync(left)).toBe(false)
    const slug = home.replace(/[^a-zA-Z0-9]/g, '-')
    const there = bytesBelow(join(other, '.claude/projects', slug))
    const here = bytesBelow(join(home, PROJECT))
    delete here[`${uuid(20)}.jsonl`]
    expect(there).toEqual(
      Object.fromEntries(
        Object.entries(here).map(([name, bytes]) => [
          name,
          bytes.replaceAll('"/home/ann/garden"', `"${home}"`),
        ]),
      ),
    )
    expect(json(other, 'resume', uuid(1)).shell).toBe(`cd ${home} && claude --resume=${uuid(1)}`)
    printed(other, 'unpack', '--undo', '--yes')
    expect(bytesBelow(join(other, '.claude'))).toEqual({})
    expect(json(other, 'sessions', '--all').sessions).toEqual([])
    expect(json(other, 'stats').totals).toMatchObject({ sessions: 0 })
  })

  it('leave empty transcripts out, and say so', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Water the ferns')])
    putClaude(home, uuid(2), [])
    const out = join(home, 'all.pack')
    const { stdout, stderr } = run(['pack', '--all', '--out', out], home)
    expect(stdout).toContain('1 session')
    expect(stderr).toContain('1 empty transcript left out.')
    expect(run(['pack', uuid(2), '--out', join(home, 'one.pack')], home).stderr).toContain('has a record.')
  })

  it('are resumed by the line that is printed where a folder of --map is missing, too', () => {
    const [home, other] = [garden(), temporaryHome()]
    const pack = join(home, 'x.pack')
    printed(home, 'pack', uuid(1), '--out', pack)
    const folder = join(other, 'work of ann/garden')
    const map = `/home/ann/garden=${folder}`
    const { stdout, stderr, code } = run(['unpack', pack, '--map', map, '--yes'], other)
    expect([stderr, code]).toEqual([
      `The folder '${folder}' is not on this machine. If --map /home/ann/garden='${folder}' is right, make it; the line that resumes the session does.\n`,
      0,
    ])
    const line = /^.*&& claude --resume=\S+$/m.exec(stdout)![0].trim()
    mkdirSync(join(other, 'bin'))
    writeFileSync(join(other, 'bin/claude'), '#!/bin/sh\npwd\n', { mode: 0o755 })
    const environment = { PATH: `${join(other, 'bin')}:${process.env.PATH}` }
    expect(spawnSync('sh', ['-c', line], { env: environment, encoding: 'utf8' })).toMatchObject({
      ...{ status: 0, stdout: `${folder}\n`, stderr: '' },
    })
  })

  it('redact by default, and carry the entry of the session index', () => {
    const [home, other] = [garden(), temporaryHome()]
    const pack = join(home, 'all.pack')
    expect(json(home, 'pack', 'garden', '--out', pack)).toMatchObject({ redacted: true, redactions: 1 })
    expect(readFileSync(pack).includes(KEY)).toBe(false)
    const moss = join(home, 'moss.pack')
    printed(home, 'pack', 'moss', '--out', moss)
    const { stderr } = run(['unpack', pack, '--yes'], other)
    expect(stderr).toContain('The folder /home/ann/garden is not on this machine')
    const again = run(['unpack', pack, '--map', `/home/ann/garden=${home}`, '--yes'], other)
    expect(again.stdout).toContain('take that back first: scrollback unpack --undo')
    run(['unpack', moss, '--yes'], other)
    expect(json(other, 'resume', 'moss').command).toContain(`--session=${MOSS}`)
    expect(bytesBelow(other)[`${PROJECT}/${uuid(1)}.jsonl`]).toContain('[REDACTED:')
  })

  it('are unpacked by the command that pack prints, as it is pasted in the folder of the project', () => {
    const [home, other] = [garden(), temporaryHome()]
    const printedLine = printed(home, 'pack', uuid(1), '--out', join(home, 'x.pack'))
    const command = /run there: scrollback (.*)\n/.exec(printedLine)![1]!
    expect(command).toBe('unpack x.pack --map /home/ann/garden=. --yes')
    cpSync(join(home, 'x.pack'), join(other, 'x.pack'))
    expect(run(command.split(' '), other)).toMatchObject({ code: 0, stderr: '' })
    expect(json(other, 'resume', uuid(1)).shell).toBe(`cd ${other} && claude --resume=${uuid(1)}`)
  })

  it('hold several projects, and everything, and are unpacked beside each other', () => {
    const home = temporaryHome()
    for (const [number, folder] of ['/home/ann/garden', '/home/ann/shed', '/srv/shed'].entries())
      putClaude(
        home,
        uuid(number + 1),
        [claude.user(number + 1, `Paint door ${number}`, { cwd: folder })],
        folder.replaceAll('/', '-'),
      )
    const two = printed(home, 'pack', 'garden', uuid(2), '--out', join(home, 'two.pack'))
    expect(two).toContain('Packed 2 sessions')
    const all = printed(home, 'pack', '--all', '--out', join(home, 'all.pack'))
    const command = /run there: scrollback (.*)\n/.exec(all)![1]!
    expect(new Set(command.split(' ').filter((word) => word.includes('=')))).toEqual(
      new Set([
        '/home/ann/garden=./garden',
        expect.stringMatching(/\/shed=\.\/shed$/),
        expect.stringMatching(/\/shed=\.\/shed-2$/),
      ]),
    )
    const other = temporaryHome()
    for (const name of ['garden', 'shed', 'shed-2']) mkdirSync(join(other, name))
    cpSync(join(home, 'all.pack'), join(other, 'all.pack'))
    expect(run(command.split(' '), other)).toMatchObject({ code: 0, stderr: '' })
    expect(json(other, 'sessions', '--all').sessions).toHaveLength(3)
    expect(run(['pack', 'garden', '--all', '--out', join(home, 'x.pack')], home).code).toBe(2)
  })

  it('carry the name of a thread of Codex, and the folder of a session of Copilot CLI', () => {
    const [home, other] = [temporaryHome(), temporaryHome()]
    const thread = '01a1c4af-8680-7008-8008-000000000008'
    const at = '2026-11-10T09:00:00.000Z'
    put(join(home, `.codex/sessions/2026/11/10/rollout-2026-11-10T09-00-00-${thread}.jsonl`), [
      {
        timestamp: at,
        type: 'session_meta',
        payload: { id: thread, timestamp: at, cwd: '/home/ann/garden' },
      },
      { timestamp: at, type: 'event_msg', payload: { type: 'user_message', message: 'Water the moss' } },
    ])
    put(join(home, '.codex/session_index.jsonl'), [
      { id: thread, thread_name: 'Moss', updated_at: at },
      { id: thread, thread_name: 'Moss night', updated_at: at },
    ])
    const copilot = join(home, '.copilot/session-state', uuid(7))
    put(join(copilot, 'events.jsonl'), [
      {
        type: 'session.start',
        data: { sessionId: uuid(7), context: { cwd: '/home/ann/garden' } },
        id: uuid(8),
        timestamp: at,
        parentId: null,
      },
      {
        type: 'user.message',
        data: { content: 'Cut the ivy' },
        id: uuid(9),
        timestamp: at,
        parentId: uuid(8),
      },
    ])
    put(
      join(copilot, 'workspace.yaml'),
      `id: ${uuid(7)}\ncwd: /home/ann/garden\ngit_root: "/home/ann/garden"\nname: 'cwd: /home/ann/garden'\n`,
    )
    for (const id of [thread, uuid(7)]) {
      printed(home, 'pack', id, '--out', join(home, `${id}.pack`))
      run(['unpack', join(home, `${id}.pack`), '--map', `/home/ann/garden=${other}/my: work`, '--yes'], other)
    }
    const sessions = json(other, 'sessions', '--all').sessions as Json[]
    expect(sessions.find(({ id }) => id === thread)).toMatchObject({ title: 'Moss night' })
    const yaml = readFileSync(join(other, '.copilot/session-state', uuid(7), 'workspace.yaml'), 'utf8')
    expect(yaml).toBe(
      `id: ${uuid(7)}\ncwd: "${other}/my: work"\ngit_root: "${other}/my: work"\nname: 'cwd: /home/ann/garden'\n`,
    )
  })

  it('put a session of pi where it looks for those of the folder on this machine', () => {
    const [home, other] = [temporaryHome(), temporaryHome()]
    const fixture = join(checkout, 'test/fixtures/pi/words')
    cpSync(fixture, home, { recursive: true })
    const [{ id, cwd }] = json(home, 'sessions', '--all', '--platform', 'pi').sessions
    printed(home, 'pack', id, '--out', join(home, 'x.pack'))
    run(['unpack', join(home, 'x.pack'), '--map', `${cwd}=${other}/my work`, '--yes'], other)
    const [path] = Object.keys(bytesBelow(join(other, '.pi/agent/sessions')))
    expect(path).toContain(`--${other.slice(1).replaceAll('/', '-')}-my work--/`)
    expect(json(other, 'sessions', '--all').sessions).toMatchObject([{ id, cwd: `${other}/my work` }])
  })

  it('write sessions back whose folders have the longest names, and those of other scripts', () => {
    const [home, other] = [temporaryHome(), temporaryHome()]
    const long = `/home/ann/${'a-very-long-name/'.repeat(14)}garden`
    // Clients differ in the hash at the end of the name.
    const slug = `${long.replace(/[^a-zA-Z0-9]/g, '-').slice(0, 200)}-710pvh`
    putClaude(home, uuid(1), [claude.user(1, 'Prune the fern.', { cwd: long })], slug)
    const side = { isSidechain: true, agentId: 'a1', sessionId: uuid(1), cwd: long }
    putClaude(home, `${uuid(1)}/subagents/agent-a1`, [claude.user(7, 'Look for lice', side)], slug)
    const garden = `/home/ann/${'庭園の苔と羊歯'.repeat(4)}`
    const folder = `--${garden.slice(1).replaceAll('/', '-')}--`
    const header = {
      type: 'session',
      version: 3,
      id: uuid(2),
      cwd: garden,
      timestamp: '2026-11-10T09:00:00.000Z',
    }
    const word = { ...openclaw.user(1, 'Water the moss.'), id: '00000001', parentId: null }
    put(join(home, `.pi/agent/sessions/${folder}/2026-11-10T09-00-00-000Z_${uuid(2)}.jsonl`), [header, word])
    const here = bytesBelow(home)
    const isTranscript = (name: string): boolean => /^\.(?:claude|pi)\b/.test(name)
    const transcripts = (bytes: object) =>
      Object.fromEntries(Object.entries(bytes).filter(([name]) => isTranscript(name)))
    const pack = join(home, 'x.pack')
    printed(home, 'pack', '--all', '--out', pack)
    expect(run(['unpack', pack, '--yes'], other).code).toBe(0)
    expect(transcripts(bytesBelow(other))).toEqual(transcripts(here))
    const third = temporaryHome()
    expect(run(['unpack', pack, '--map', `${long}=${long}/${'b'.repeat(200)}`, '--yes'], third).code).toBe(0)
    expect(json(third, 'resume', uuid(1)).shell).toContain(`claude --resume=${uuid(1)}`)
    printed(home, 'collect', '--history', 'all', '--redact', 'off')
    for (const name of Object.keys(here).filter(isTranscript)) rmSync(join(home, name))
    for (const session of [uuid(1), uuid(2)]) expect(run(['restore', session, '--yes'], home).code).toBe(0)
    expect(transcripts(bytesBelow(home))).toEqual(transcripts(here))
  })

  it('take along the session of Claude Code that one of OpenClaw ran through', () => {
    const [home, other] = [garden(), temporaryHome()]
    putClaude(home, uuid(70), [claude.user(1, 'Good morning'), claude.reply(2, [text('Morning.')])])
    putSessionIndex(home, { [MOSS]: { sessionId: 'moss', claudeCliSessionId: uuid(70) } })
    const pack = join(home, 'moss.pack')
    expect(json(home, 'pack', 'moss', '--out', pack).sessions).toHaveLength(2)
    expect(
      json(other, 'unpack', pack, '--yes')
        .sessions.map(({ platform }: Json) => platform)
        .sort(),
    ).toEqual(['claude-code', 'openclaw'])
  })

  it('say of a session that was forgotten on this machine why it is not written, as restore does', () => {
    const [home, other] = [garden(), temporaryHome()]
    const pack = join(home, 'x.pack')
    printed(home, 'pack', uuid(1), uuid(20), '--out', pack)
    printed(home, 'collect', '--history', 'all', join(home, 'backup'))
    for (const session of [uuid(1), uuid(20)]) {
      putClaude(other, session, [claude.user(1, 'Prune the fern.')])
      printed(other, 'forget', session, '--yes')
    }
    rmSync(join(other, '.claude'), { recursive: true })
    const undo = (number: number): string => `scrollback forget --undo ${uuid(number)}`
    const both = run(['unpack', pack, '--yes', '--json'], other)
    expect(both.code).toBe(3)
    const { done, notes } = JSON.parse(both.stdout)
    expect(done).toBe('nothing')
    expect(notes[1]).toContain('2 sessions were forgotten here, so nothing of them is written.')
    for (const number of [1, 20]) expect(notes[1]).toContain(undo(number))
    const archived = run(['restore', uuid(20), '--from', join(home, 'backup'), '--yes'], other)
    expect(archived).toMatchObject({ code: 1, stdout: '' })
    expect(archived.stderr).toContain(`Take that back first: ${undo(20)}`)
    run(['forget', `--undo=${uuid(1)}`], other)
    expect(run(['unpack', pack, '--yes'], other).stdout).toContain(
      `1 session was forgotten here, so nothing of it is written. Take that back first: ${undo(20)}\n`,
    )
    const names = Object.keys(bytesBelow(join(other, PROJECT)))
    expect(names.filter((name) => name.includes(uuid(20)))).toEqual([])
    expect(names).toHaveLength(3)
  })

  it('compare small JSON documents as values, and write them as values', () => {
    const [home, other] = [temporaryHome(), temporaryHome()]
    for (const name of ['qwen-code/subagents', 'kimi-code/subagents'])
      cpSync(join(checkout, 'test/fixtures', name), home, { recursive: true })
    const isDocument = (name: string): boolean => /^\.(?:kimi-code|qwen)\/.*\.json$/.test(name)
    // With the spaces and line breaks that some clients write.
    for (const [name, text] of Object.entries(bytesBelow(home)))
      if (isDocument(name))
        writeFileSync(join(home, name), `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`)
    const pack = join(home, 'x.pack')
    printed(home, 'pack', '--all', '--out', pack)
    const actions = (answer: Json) => new Set(answer.files.map(({ action }: Json) => action))
    expect(actions(json(home, 'unpack', pack, '--yes'))).toEqual(new Set(['same']))
    printed(home, 'collect', '--history', 'all')
    expect(actions(json(home, 'restore', 'garden', '--yes'))).toEqual(new Set(['same']))
    expect(actions(json(other, 'unpack', pack, '--yes'))).toEqual(new Set(['create']))
    const [here, there] = [home, other].map((folder) =>
      Object.entries(bytesBelow(folder)).flatMap(([name, text]) =>
        isDocument(name) ? [[name, JSON.parse(text)]] : [],
      ),
    )
    expect(there).toEqual(here)
    const [document] = here!.find(([name]) => name.endsWith('.meta.json'))!
    writeFileSync(join(home, document), '{ "agentId": "other" }')
    expect(actions(json(home, 'unpack', pack, '--yes'))).toContain('different')
  })

  it('say what a folder of --map has no use for, and take no two places of one', () => {
    const [home, other] = [garden(), temporaryHome()]
    const pack = join(home, 'x.pack')
    printed(home, 'pack', uuid(1), '--out', pack)
    const maps = (...places: string[]) => places.flatMap((place) => ['--map', place])
    const two = run(['unpack', pack, ...maps('/home/ann/garden=/a', '/home/ann/garden/=/b'), '--yes'], other)
    expect(two).toMatchObject({ code: 2, stdout: '' })
    expect(two.stderr).toContain('--map: /home/ann/garden has two places, /a and /b')
    const { notes } = json(other, 'unpack', pack, ...maps('/home/ann/gard=/a', '/home/ann=/b'), '--yes')
    expect(notes.slice(1)).toEqual([
      '--map /home/ann/gard=/a changes nothing: no session of the pack ran in that folder.',
    ])
  })

  it('count what is in the pack, without sessions that have no records, and advise no restore that cannot be', () => {
    const [home, other] = [garden(), temporaryHome()]
    putClaude(home, uuid(30), [])
    cpSync(join(checkout, 'test/fixtures/kilo-code/words'), home, { recursive: true })
    const { stderr } = run(['pack', '--all', '--out', 'x.pack'], home)
    expect(stderr).not.toContain('scrollback restore')
    expect(run(['unpack', join(home, 'x.pack'), '--yes'], other).code).toBe(0)
    rmSync(join(home, PROJECT, `${uuid(20)}.jsonl`))
    expect(run(['pack', '--all', '--out', 'y.pack'], home).stderr).toContain(
      `First write back what there is of one: scrollback restore ${uuid(20)} --condensed`,
    )
  })

  it('say how many words of people are in no transcript, so that they stay behind, as restore does', () => {
    const home = temporaryHome()
    const fixtures = join(checkout, 'test/fixtures')
    for (const name of ['claude-code/side-question-in-history', 'codex/told-twice'])
      cpSync(join(fixtures, name), home, { recursive: true })
    const queue = new DatabaseSync(join(home, '.codex/queue_1.sqlite'))
    queue.exec(
      `CREATE TABLE queued_items (id TEXT, thread_id TEXT, payload_json TEXT, queue_order INTEGER, created_at_ms INTEGER, updated_at_ms INTEGER);
       INSERT INTO queued_items VALUES ('q1', '01a1968d-3900-7000-8000-000000000001',
         '{"UserInput":{"content":[{"type":"text","text":"Then the lily."}]}}', 1, 1793534400000, 1793534400000)`,
    )
    queue.close()
    const agent = agentDatabase(join(home, '.openclaw'), 23)
    agent.session('moss', [openclaw.header('moss'), openclaw.user(1, 'Water the moss')])
    agent.database.exec(
      `CREATE TABLE session_pending_inputs (seq INTEGER PRIMARY KEY, session_id TEXT, message_json TEXT, state TEXT, accepted_at INTEGER, consumed_event_id TEXT);
       INSERT INTO session_pending_inputs VALUES (1, 'moss', '{"role":"user","content":"And the ferns"}', 'queued', 1793534400000, NULL)`,
    )
    agent.close()
    const note = (what: string, where: string): string =>
      `Not ${where}: ${what}, which are in no transcript, but in a file of the client about all its sessions.\n`
    const packed = run(['pack', '--all', '--out', 'x.pack'], home)
    expect(packed.stdout).toContain(note('3 side questions and 2 waiting prompts', 'in the pack'))
    // The second one has a transcript of its side question.
    for (const [session, sideQuestions] of [
      ['ea570000-0000-4000-8000-000000000021', 3],
      ['ea570000-0000-4000-8000-000000000022', 0],
    ] as const)
      expect(json(home, 'pack', session, '--out', `${session}.pack`).beside).toEqual({
        sideQuestions,
        waiting: 0,
      })
    printed(home, 'collect', '--history', 'all')
    expect(run(['restore', 'eastore', '--yes'], home).stdout).not.toContain('Not restored')
    const elsewhere = run(['restore', 'eastore', '--to', join(home, 'other'), '--yes'], home)
    expect(elsewhere.stdout).toContain(note('3 side questions', 'restored'))
  })

  it('refuse sessions that are not here, and files that are no packs', () => {
    const home = garden()
    put(join(home, 'no.pack'), 'words')
    expect(run(['unpack', 'no.pack'], home)).toMatchObject({ code: 1, stdout: '' })
    expect(run(['unpack', 'none.pack'], home).code).toBe(2)
    expect(run(['pack', 'ffffffff', '--out', 'x.pack'], home).code).toBe(1)
    expect(run(['pack', uuid(1)], home).code).toBe(2)
    expect(run(['unpack', 'no.pack', '--map', 'garden=/x'], home).code).toBe(2)
    expect(existsSync(join(home, 'x.pack'))).toBe(false)
  })
})
