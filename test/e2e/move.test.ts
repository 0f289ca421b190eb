import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, printed, run } from '../program.ts'
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

  it('leaves what is at its new place already, and says so', () => {
    const { home, from, to } = moved()
    const taken = put(join(home, '.claude/projects', slugOf(to), 'memory/MEMORY.md'), 'newer notes')
    const { notes } = json(home, 'move', from, to, '--yes')
    const old = join(home, '.claude/projects', slugOf(from))
    expect(notes).toContain(`Left as it is: ${join(old, 'memory')}: something is at its new place.`)
    expect(readFileSync(taken, 'utf8')).toBe('newer notes')
    expect(readdirSync(old)).toEqual(['memory'])
  })

  it('finds nothing to do for a folder without sessions', () => {
    const { home, to } = moved()
    expect(run(['move', join(home, 'never'), to, '--yes'], home).code).toBe(1)
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
