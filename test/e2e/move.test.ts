import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Json, json, printed, run } from '../program.ts'
import { claude, openclaw, put, putOpenclaw, putSessionIndex, temporaryHome, uuid } from '../records.ts'

const slugOf = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-')
const TOKEN = 'a-token-that-is-never-shown'

/** A project at `old` that is now at `new`, and a neighbor whose folder has a name that begins alike. */
function moved() {
  const home = temporaryHome()
  const [from, to, neighbor] = [join(home, 'old'), join(home, 'new $x'), join(home, 'old-neighbor')]
  for (const folder of [to, neighbor]) mkdirSync(folder)
  const session = (cwd: string, id: string, folder = cwd): string =>
    put(join(home, '.claude/projects', slugOf(folder), `${id}.jsonl`), [
      claude.user(1, `Look into ${from}`, { cwd, sessionId: id }),
    ])
  const path = session(from, uuid(1))
  utimesSync(path, 1000, 1000)
  session(join(from, 'web'), uuid(2))
  session(neighbor, uuid(3))
  const own = join(home, '.claude/projects', slugOf(from))
  put(join(own, uuid(1), 'subagents/agent-a1.jsonl'), [claude.user(2, 'Go', { cwd: join(from, 'web') })])
  put(join(own, uuid(1), 'tool-results/b.txt'), `${from} stays`)
  put(join(own, 'memory/MEMORY.md'), 'notes')
  put(
    join(own, 'sessions-index.json'),
    JSON.stringify({ originalPath: from, entries: [{ fullPath: path, projectPath: from }] }),
  )
  put(join(home, '.claude/history.jsonl'), [
    { display: from, project: from, timestamp: 1 },
    { display: 'x', project: neighbor, timestamp: 2 },
  ])
  const list = `{ "token": "${TOKEN}", "n": 1.50,\n "projects": {"${from}": {"allowed": ["${from}"]}, "${neighbor}": {}},\n "githubRepoPaths": {"a/b": ["${from}"]} }\n`
  writeFileSync(join(home, '.claude.json'), list, { mode: 0o600 })
  putOpenclaw(home, 'moss.jsonl', [{ ...openclaw.header('moss'), cwd: from }, openclaw.user(1, from)])
  putSessionIndex(home, { 'agent:main:main': { sessionId: 'moss', workspaceDir: from } })
  return { home, from, to, neighbor, list }
}

/** A session of a client whose folders `move` leaves. */
const putQwen = (home: string, number: number, cwd: string): string =>
  put(join(home, '.qwen/projects', slugOf(cwd), `chats/${uuid(number)}.jsonl`), [
    {
      ...{ uuid: uuid(number + 3), parentUuid: null, sessionId: uuid(number), cwd, type: 'user' },
      ...{ timestamp: '2026-11-01T10:00:00.000Z', version: '0.24.4' },
      message: { role: 'user', parts: [{ text: 'Water the ferns' }] },
    },
  ])

function treeOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = join(folder, name)
      return /\.local/.test(name) || !statSync(path).isFile() ? [] : [[name, readFileSync(path, 'utf8')]]
    }),
  )
}

describe('scrollback move', () => {
  it('replaces the path in every place of the clients, and takes it back', () => {
    const { home, from, to, neighbor, list } = moved()
    const before = treeOf(home)
    const planned = json(home, 'move', from, to, '--dry-run')
    expect(planned.done).toBe('planned')
    expect(treeOf(home)).toEqual(before)
    expect(JSON.stringify(planned)).not.toContain(TOKEN)

    // The paths may lead through links, those of clients do not.
    const link = join(temporaryHome(), 'link')
    symlinkSync(home, link)
    const { stdout, code } = run(['move', join(link, 'old'), join(link, 'new $x'), '--yes'], home)
    expect(stdout).toContain(`\nopenclaw config set agents.defaults.workspace '${to}'\n`)
    expect({ code, leaks: stdout.includes(TOKEN) }).toEqual({ code: 0, leaks: false })
    const after = treeOf(home)
    const own = `.claude/projects/${slugOf(to)}`
    expect(Object.keys(after).filter((name) => name.startsWith('.claude/projects'))).toEqual(
      [
        `${own}-web/${uuid(2)}.jsonl`,
        `${own}/${uuid(1)}.jsonl`,
        `${own}/${uuid(1)}/subagents/agent-a1.jsonl`,
        `${own}/${uuid(1)}/tool-results/b.txt`,
        `${own}/memory/MEMORY.md`,
        `${own}/sessions-index.json`,
        `.claude/projects/${slugOf(neighbor)}/${uuid(3)}.jsonl`,
      ].sort(),
    )
    // Words stay as they are.
    expect(JSON.parse(after[`${own}/${uuid(1)}.jsonl`]!)).toMatchObject({
      cwd: to,
      message: { content: `Look into ${from}` },
    })
    expect(after[`${own}/${uuid(1)}/subagents/agent-a1.jsonl`]).toContain(`"cwd":"${to}/web"`)
    expect(after[`${own}/${uuid(1)}/tool-results/b.txt`]).toBe(`${from} stays`)
    expect(JSON.parse(after[`${own}/sessions-index.json`]!)).toEqual({
      originalPath: to,
      entries: [{ fullPath: join(home, own, `${uuid(1)}.jsonl`), projectPath: to }],
    })
    expect(statSync(join(home, own, `${uuid(1)}.jsonl`)).mtimeMs).toBe(1_000_000)
    expect(after['.claude/history.jsonl']!.split('\n')[0]).toBe(
      JSON.stringify({ display: from, project: to, timestamp: 1 }),
    )
    // Only the name of the project and the path of the repository.
    expect(after['.claude.json']).toBe(
      list
        .replace(`"${from}": {`, `"${to}": {`)
        .replace(`["${from}"]}`, `["${from}"]}`)
        .replace(`"a/b": ["${from}"]`, `"a/b": ["${to}"]`),
    )
    expect(after['.openclaw/agents/main/sessions/moss.jsonl']).toContain(`"cwd":"${to}"`)
    expect(after['.openclaw/agents/main/sessions/sessions.json']).toContain(`"workspaceDir":"${to}"`)
    expect(json(home, 'resume', uuid(2)).directory).toBeNull()
    expect(json(home, 'resume', uuid(1)).directory).toBe(to)

    printed(home, 'move', '--undo', '--yes')
    expect(treeOf(home)).toEqual(before)
  })

  it('refuses while the old folder exists, while the new one does not, and while a session is open', () => {
    const { home, from, to } = moved()
    const none = run(['move', from, join(home, 'none'), '--yes'], home)
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('Name the folder') })
    put(
      join(home, `.claude/sessions/${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: uuid(1) }),
    )
    expect(run(['move', from, to, '--yes'], home)).toMatchObject({ code: 2, stdout: '' })
    mkdirSync(from)
    const both = run(['move', from, to, '--yes'], home)
    // With both folders there, the printed "mv" would put one into the other.
    expect(both).toMatchObject({ code: 2, stdout: '', stderr: expect.not.stringContaining('mv ') })
    expect(run(['move', from, join(home, 'a b'), '--yes'], home).stderr).toContain(
      `Move the folder first: mv ${from} '${join(home, 'a b')}'`,
    )
    expect(existsSync(join(home, '.claude/projects', slugOf(to)))).toBe(false)
  })

  it('leaves one session, not one that is gone and one that is there', () => {
    const { home, from, to } = moved()
    const pack = join(home, 'before.pack')
    run(['pack', uuid(1), '--out', pack], home)
    run(['collect', `file:${join(home, 'kept')}`, '--history', 'all'], home)
    printed(home, 'move', from, to, '--yes')
    const place = join(home, '.claude/projects', slugOf(to), `${uuid(1)}.jsonl`)
    for (const args of [
      ['restore', uuid(1)],
      ['unpack', pack],
    ]) {
      const { done, files, notes } = json(home, ...args, '--yes')
      expect({ done, files }).toEqual({ done: 'nothing', files: [] })
      expect(notes.at(-1)).toBe(
        `Already there, at another place: ${place}. Resume it: scrollback resume ${uuid(1)}`,
      )
    }
    expect(
      run(['export', uuid(1), '--format', 'native', '--out', join(home, 'one.jsonl')], home),
    ).toMatchObject({ stderr: '', code: 0 })
    expect(run(['restore', uuid(1), '--condensed', '--yes'], home)).toMatchObject({ code: 2, stdout: '' })
  })

  it('leaves one session of each client, which restore and unpack then find in its present folder', () => {
    const { home, from, to, sessions: ofOpencode } = otherClients()
    rmSync(ofOpencode)
    putOpenclaw(home, 'moss.jsonl', [{ ...openclaw.header('moss'), cwd: from }, openclaw.user(1, from)])
    putSessionIndex(home, { 'agent:main:main': { sessionId: 'moss' } })
    put(join(home, '.gemini/tmp/old/chats/session-2026-11-01T10-00-0a1b2c3d.jsonl'), [
      { sessionId: uuid(9), projectHash: 'x', startTime: '2026-11-01T10:00:00.000Z', kind: 'main' },
      { id: 'm1', timestamp: '2026-11-01T10:00:00.000Z', type: 'user', content: 'Water the ferns' },
    ])
    const pack = join(home, 'before.pack')
    const names = json(home, 'sessions', '--all')
      .sessions.filter(({ cwd }: Json) => cwd === from)
      .map(({ id, platform }: Json) => ({ id, platform }))
    const platforms = ['codex', 'copilot', 'gemini-cli', 'openclaw', 'pi']
    expect(names.map(({ platform }: Json) => platform).sort()).toEqual(platforms)
    run(['pack', ...names.map(({ id }: Json) => id), '--out', pack], home)
    printed(home, 'collect', '--history', 'all')
    printed(home, 'move', from, to, '--yes')
    const before = treeOf(home)
    for (const args of [...names.map(({ id }: Json) => ['restore', id]), ['unpack', pack]]) {
      const { code, stdout, stderr } = run([...args, '--yes', '--json'], home)
      const { done, files, notes, sessions } = JSON.parse(stdout)
      // The file of Gemini CLI names no folder, and is the same.
      const isThere = notes.join().includes('Already there, ') || files[0]?.action === 'same'
      expect({ code, stderr, done, isThere }).toEqual({ code: 0, stderr: '', done: 'nothing', isThere: true })
      // OpenClaw resumes a session in its workspace.
      for (const { resume, platform } of sessions)
        expect(resume).toMatch(platform === 'openclaw' ? /^openclaw / : /^cd '[^']*\/new \$x' && /)
    }
    expect(treeOf(home)).toEqual(before)
  })

  it('leaves what is at its new place already, and says so', () => {
    const { home, from, to } = moved()
    const taken = put(join(home, '.claude/projects', slugOf(to), 'memory/MEMORY.md'), 'newer notes')
    const { notes } = json(home, 'move', from, to, '--yes')
    const old = join(home, '.claude/projects', slugOf(from))
    expect(notes).toContain(`Left as it is: ${join(old, 'memory')}: something is at its new place.`)
    expect(readFileSync(taken, 'utf8')).toBe('newer notes')
    expect(readdirSync(old)).toEqual(['memory'])
  })

  it('names sessions of clients whose folders it cannot change', () => {
    const { home, from, to, neighbor } = moved()
    for (const [at, cwd] of [from, join(from, 'web'), neighbor].entries()) putQwen(home, at + 5, cwd)
    const { done, notes } = json(home, 'move', from, to, '--yes')
    expect(done).toBe('written')
    expect(notes).toContain(
      'Left as it is: 2 sessions of Qwen Code, which may not list them in the new folder.',
    )
  })

  it('names them once if there is nothing else', () => {
    const home = temporaryHome()
    const [from, to] = [join(home, 'old'), join(home, 'new')]
    mkdirSync(to)
    putQwen(home, 5, from)
    expect(run(['move', from, to, '--yes'], home)).toEqual({
      stdout: 'Left as it is: 1 session of Qwen Code, which may not list them in the new folder.\n',
      stderr: `No session of ${from} was found that a client would look for there.\n`,
      code: 1,
    })
  })

  it('names compressed rollouts of Codex that are about the folder, and no others', () => {
    const { home, from, to } = moved()
    const other = join(home, 'beds')
    for (const [number, cwd] of [from, other, other].entries()) {
      const id = uuid(20 + number)
      const payload = { id, base_instructions: 'x'.repeat(100_000), cwd }
      const line = JSON.stringify({ timestamp: '2026-11-01T10:00:00.000Z', type: 'session_meta', payload })
      const path = join(home, `.codex/archived_sessions/rollout-2026-11-01T10-00-00-${id}.jsonl.zst`)
      put(path, zstdCompressSync(`${line}\n`))
    }
    const { notes } = json(home, 'move', from, to, '--dry-run')
    expect(notes).toContain('Left as it is: the folder in 1 compressed rollout (`.jsonl.zst`).')
    const [own] = json(home, 'move', other, to, '--dry-run').notes
    expect(own).toBe('Left as it is: the folder in 2 compressed rollouts (`.jsonl.zst`).')
  })

  it('finds nothing to do for a folder without sessions', () => {
    const { home, to } = moved()
    expect(run(['move', join(home, 'never'), to, '--yes'], home).code).toBe(1)
  })
})

/**
 * Homes of clients that have sessions of `old`, and of a neighbor, and the names of files that hold the path.
 */
function otherClients() {
  const home = temporaryHome()
  const [from, to, neighbor] = [join(home, 'old'), join(home, 'new $x'), join(home, 'old-neighbor')]
  for (const folder of [to, neighbor]) mkdirSync(folder)
  const at = '2026-11-01T10:00:00.000Z'
  const thread = (number: number): string => `01a19690-0000-7000-8000-00000000000${number}`
  const rollout = (folder: string, number: number, cwd: string): string =>
    put(join(home, '.codex', folder, `rollout-2026-11-01T10-00-00-${thread(number)}.jsonl`), [
      { timestamp: at, type: 'session_meta', payload: { id: thread(number), timestamp: at, cwd } },
      { timestamp: at, type: 'turn_context', payload: { cwd, model: 'fern-2' } },
      { timestamp: at, type: 'event_msg', payload: { type: 'exec_command_begin', cwd, command: [cwd] } },
    ])
  rollout('sessions/2026/11/01', 1, join(from, 'web'))
  rollout('archived_sessions', 2, from)
  rollout('sessions/2026/11/01', 3, neighbor)
  const database = (path: string, tables: string, rows: [sql: string, ...values: string[]][]): string => {
    mkdirSync(join(path, '..'), { recursive: true })
    const made = new DatabaseSync(path)
    made.exec('PRAGMA journal_mode = WAL')
    made.exec(tables)
    for (const [sql, ...values] of rows) made.prepare(sql).run(...values)
    made.close()
    return path
  }
  const threads = database(
    join(home, '.codex/state_5.sqlite'),
    'CREATE TABLE threads (id TEXT PRIMARY KEY, cwd TEXT NOT NULL, title TEXT NOT NULL)',
    [from, join(from, 'web'), neighbor].map((cwd, number) => [
      'INSERT INTO threads VALUES (?, ?, ?)',
      ...[String(number), cwd, from],
    ]),
  )
  const sessions = database(
    join(home, '.local/share/opencode/opencode.db'),
    `CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);
     CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL, title text NOT NULL)`,
    [
      ['INSERT INTO project VALUES (?, ?)', 'p', from],
      ['INSERT INTO session VALUES (?, ?, ?)', 'ses_1', join(from, 'web'), from],
      ['INSERT INTO session VALUES (?, ?, ?)', 'ses_2', neighbor, from],
    ],
  )
  const piFolder = (cwd: string): string => `--${cwd.replace(/^\//, '').replace(/[/:]/g, '-')}--`
  const pi = (cwd: string, name: string): string => join(home, '.pi/agent/sessions', piFolder(cwd), name)
  // Of one id in two places, the newest would be listed.
  for (const [cwd, id] of [
    [from, 'a'],
    [neighbor, 'b'],
  ] as const)
    put(pi(cwd, `2026_${id}.jsonl`), [{ type: 'session', version: 3, id, timestamp: at, cwd }])
  const list = put(join(home, '.gemini/projects.json'), JSON.stringify({ projects: { [from]: 'old' } }))
  const stated = put(join(home, '.gemini/tmp/old/.project_root'), from)
  const state = join(home, '.copilot/session-state', uuid(1))
  const workspace = put(join(state, 'workspace.yaml'), `id: ${uuid(1)}\ncwd: ${from}\nname: 'in ${from}'\n`)
  const events = put(join(state, 'events.jsonl'), [
    {
      type: 'session.start',
      id: 'e1',
      timestamp: at,
      data: { context: { cwd: from, gitRoot: from }, note: from },
    },
  ])
  return { home, from, to, neighbor, threads, sessions, pi, list, stated, workspace, events }
}

const columnOf = (path: string, sql: string): unknown[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  const values = database
    .prepare(sql)
    .all()
    .flatMap((row) => Object.values(row))
  database.close()
  return values
}

describe('scrollback move, for the other clients', () => {
  it('leaves a database that is none, says so, and moves the rest', () => {
    const { home, from, to, threads, workspace } = otherClients()
    writeFileSync(threads, 'not a database')
    const { stdout, code } = run(['move', from, to, '--yes', '--json'], home)
    expect(code).toBe(3)
    expect(JSON.parse(stdout).notes.join('\n')).toContain(`Left as it is: ${threads}: it is not a database.`)
    expect(readFileSync(threads, 'utf8')).toBe('not a database')
    expect(readFileSync(workspace, 'utf8')).toContain(to)
  })

  it('replaces the path in rollouts, databases, folders and lists, and takes it back', () => {
    const { home, from, to, neighbor, threads, sessions, pi, list, stated, workspace, events } =
      otherClients()
    const bytes = (): Record<string, string> =>
      Object.fromEntries(
        readdirSync(home, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
          const path = join(home, name)
          const isOurs = name.includes('scrollback') || name.endsWith('-shm') || name.endsWith('-wal')
          return isOurs || !statSync(path).isFile() ? [] : [[name, readFileSync(path, 'latin1')]]
        }),
      )
    const before = bytes()
    expect(json(home, 'move', from, to, '--dry-run').files).toHaveLength(9)
    expect(bytes()).toEqual(before)
    expect(run(['move', from, to, '--yes'], home)).toMatchObject({ code: 0 })

    const after = bytes()
    const rollouts = Object.entries(after).flatMap(([name, text]) =>
      name.includes('rollout-') ? [text] : [],
    )
    const cwds = rollouts
      .map((text) =>
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).payload.cwd),
      )
      .sort()
    const web = [join(from, 'web'), join(to, 'web')] as const
    expect(cwds).toEqual(
      [
        [to, to, from],
        [web[1], web[1], web[0]],
        [neighbor, neighbor, neighbor],
      ].sort(),
    )
    expect(columnOf(threads, 'SELECT cwd FROM threads ORDER BY id')).toEqual([to, web[1], neighbor])
    expect(columnOf(threads, 'SELECT DISTINCT title FROM threads')).toEqual([from])
    expect(columnOf(sessions, 'SELECT directory FROM session ORDER BY id')).toEqual([web[1], neighbor])
    expect(columnOf(sessions, 'SELECT worktree FROM project')).toEqual([to])
    expect(JSON.parse(readFileSync(pi(to, '2026_a.jsonl'), 'utf8')).cwd).toBe(to)
    expect(existsSync(pi(from, ''))).toBe(false)
    expect(JSON.parse(readFileSync(list, 'utf8')).projects).toEqual({ [to]: 'old' })
    expect(readFileSync(stated, 'utf8')).toBe(to)
    expect(readFileSync(workspace, 'utf8')).toBe(`id: ${uuid(1)}\ncwd: "${to}"\nname: 'in ${from}'\n`)
    expect(JSON.parse(readFileSync(events, 'utf8')).data).toEqual({
      context: { cwd: to, gitRoot: to },
      note: from,
    })

    expect(run(['move', '--undo', '--yes'], home)).toMatchObject({ code: 0 })
    expect(bytes()).toEqual(before)
  })

  it('changes nothing while a client has its database open, and takes nothing back that it has changed', () => {
    const { home, from, to, threads } = otherClients()
    const client = new DatabaseSync(threads)
    client.prepare('SELECT count(*) FROM threads').get()
    const refused = run(['move', from, to, '--yes'], home)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Close Codex') })
    client.prepare('UPDATE threads SET title = ?').run('by the client')
    client.close()
    expect(run(['move', from, to, '--yes'], home)).toMatchObject({ code: 0 })
    expect(columnOf(threads, 'SELECT DISTINCT title FROM threads')).toEqual(['by the client'])

    // The client writes again, and does not get to close its log.
    const again = new DatabaseSync(threads)
    again.prepare('UPDATE threads SET title = ?').run('later')
    expect(run(['move', '--undo', '--yes'], home).code).not.toBe(0)
    again.close()
    expect(run(['move', '--undo', '--yes'], home).code).not.toBe(0)
    expect(columnOf(threads, 'SELECT DISTINCT title FROM threads')).toEqual(['later'])
    expect(columnOf(threads, 'SELECT cwd FROM threads ORDER BY id LIMIT 1')).toEqual([to])
  })
})

describe('scrollback doctor', () => {
  it('notices sessions whose folder was moved with its repository, and prints the command', () => {
    const { home, from, to, neighbor } = moved()
    put(join(neighbor, '.git/config'), '[remote "origin"]\n\turl = https://example.org/shop\n')
    put(join(neighbor, '.git/logs/HEAD'), `${'0'.repeat(40)} ${'a'.repeat(40)} Ann <a@b.c> 1 +0000\tcommit\n`)
    run(['index'], home)
    const elsewhere = join(to, 'shop')
    renameSync(neighbor, elsewhere)
    put(join(home, '.claude/projects', slugOf(elsewhere), `${uuid(9)}.jsonl`), [
      claude.user(1, 'Here', { cwd: elsewhere, sessionId: uuid(9) }),
    ])
    const { warnings } = json(home, 'doctor')
    expect(warnings.join('\n')).toContain(`1 session ran in ${neighbor}, which is gone.`)
    expect(warnings.join('\n')).toContain(`scrollback move ${neighbor} '${elsewhere}'`)
    expect(warnings.join('\n')).not.toContain(`move ${from} `)
    printed(home, 'move', neighbor, elsewhere, '--yes')
    expect(json(home, 'doctor').warnings.join('\n')).not.toContain('scrollback move')
  })
})
