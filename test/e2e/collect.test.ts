import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
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
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inventory } from '../../src/deliver/delivery/inventory.ts'
import { envelopeSchema } from '../../src/deliver/receive/envelope-schema.ts'
import { identities } from '../../src/platforms/identities.ts'
import { holdLock } from '../../src/store/sqlite/files.ts'
import { discover } from '../../src/sync/discover.ts'
import { agentDatabase } from '../agent-databases.ts'
import { archiveOf, collect, deliveredTo, keyed } from '../deliveries.ts'
import { checkout, program, run, variablesOf } from '../program.ts'
import {
  append,
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putSessionIndex,
  TOKEN,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'
import { stateDatabase } from '../state-database.ts'

/** The subagent runs of OpenClaw, with one of this id. */
const putRuns = (home: string, record: object) =>
  put(join(home, '.openclaw/subagents/runs.json'), JSON.stringify({ version: 2, runs: { r1: record } }))

/** One source for each row of the tables. */
function fullHome(): string {
  const home = temporaryHome()
  const session = uuid(1)
  const project = join(home, '.claude/projects/-home-ann-garden')
  putClaude(home, session, [
    claude.user(1, 'Water the moss'),
    claude.reply(2, [text(`The key is ${TOKEN}.`)]),
  ])
  put(join(project, session, 'subagents/agent-a1.jsonl'), [claude.user(3, 'Look', { isSidechain: true })])
  put(join(project, session, 'subagents/agent-a1.meta.json'), JSON.stringify({ agentType: 'scout' }))
  put(join(project, session, 'workflows/wf_1.json'), JSON.stringify({ workflowName: 'rain' }))
  put(join(project, session, 'workflows/scripts/rain-wf_1.js'), 'return 1\n')
  put(join(project, session, 'custom-title.json'), JSON.stringify({ customTitle: 'Moss' }))
  put(join(project, 'memory/MEMORY.md'), '# Moss\n')
  put(join(home, '.claude/history.jsonl'), [
    { display: 'Water the moss', timestamp: 1793527260000, project: '/x' },
  ])
  put(join(home, `.claude/todos/${session}-agent-${session}.json`), '[]')
  put(join(home, '.claude/plans/moss.md'), 'First the hose.\n')
  const state = join(home, '.openclaw')
  putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
  putOpenclaw(home, 'b.jsonl.reset.2026-11-01T00-00-00.000Z', [openclaw.header('b'), openclaw.user(1, 'Old')])
  const deleted = [openclaw.header('c'), openclaw.user(1, 'Gone')]
  putOpenclaw(home, 'c.jsonl.deleted.2026-11-01T00-00-00.000Z', deleted)
  putSessionIndex(home, { 'agent:main:main': { sessionId: 'a' }, 'agent:main:cron:1': { sessionId: 'b' } })
  put(join(state, 'cron/jobs.json'), JSON.stringify({ version: 1, jobs: [{ id: 'j1', name: 'Water' }] }))
  put(join(state, 'cron/runs/j1.jsonl'), [{ ts: 1793527260000, jobId: 'j1', status: 'ok' }])
  putRuns(home, { runId: 'r1', task: 'x' })
  put(join(state, 'workspace/SOUL.md'), 'Calm.\n')
  put(join(state, 'workspace/memory/2026-11-01.md'), 'Rain.\n')
  const made = agentDatabase(state, 23, 'lab')
  made.session('moss', [openclaw.header('moss'), openclaw.user(1, 'In a database')])
  made.close()
  const database = stateDatabase(state, 'late')
  database.job('j2', { name: 'Feed' })
  database.subagent('r2', { runId: 'r2', task: 'y' })
  database.close()
  return home
}

const recordsIn = (home: string) => deliveredTo(archiveOf(home))
const kindsOf = (home: string): Record<string, number> => {
  const kinds: Record<string, number> = {}
  for (const { kind } of recordsIn(home)) kinds[kind] = (kinds[kind] ?? 0) + 1
  return kinds
}

const idOf = (line: string): string => (line === '' ? '' : (JSON.parse(line) as { id: string }).id)

describe('collect', () => {
  it('delivers every row of the tables, each record in its own envelope', () => {
    const home = fullHome()
    const { code, stderr } = collect(home)
    expect([code, stderr]).toEqual([0, ''])
    expect(kindsOf(home)).toEqual({
      transcript: 9,
      'session-index': 4,
      'subagent-meta': 2,
      'prompt-history': 1,
      todo: 1,
      plan: 1,
      memory: 2,
      persona: 1,
      'cron-jobs': 2,
      'cron-runs': 1,
      'subagent-runs': 2,
    })
    for (const record of recordsIn(home))
      expect(envelopeSchema.safeParse(record).error?.issues).toBe(undefined)
  })

  it('lists beforehand what it delivers and what is never opened', async () => {
    const home = fullHome()
    put(join(home, '.claude/settings.json'), '{}')
    const { stdout } = run(['collect', '--list'], home)
    const names = identities.map(({ name }) => name)
    // A file for each platform, so that another one does not change them.
    for (const [index, section] of stdout.split(new RegExp(`^(?=(?:${names.join('|')})$)`, 'm')).entries()) {
      const id = identities.find(({ name }) => section.startsWith(`${name}\n`))?.id ?? `all-${index}`
      const frozen = join(import.meta.dirname, `output/collect-list/${id}.txt`)
      await expect(section).toMatchFileSnapshot(frozen)
    }
  })

  it('omits deleted sessions unless requested', () => {
    const home = fullHome()
    collect(home)
    expect(JSON.stringify(recordsIn(home))).not.toContain('Gone')
    run(['collect', '--deleted'], home)
    expect(recordsIn(home).filter(({ state }) => state === 'deleted')).toHaveLength(2)
  })

  it('has a row for every transcript and document that any command reads', () => {
    const home = fullHome()
    const environment = { home, variables: {}, deleted: true }
    const { artifacts, documents } = discover(environment)
    const paths = new Set(inventory(environment).sources.map(({ path }) => path))
    expect([...artifacts, ...documents].map(({ path }) => path).filter((path) => !paths.has(path))).toEqual(
      [],
    )
  })

  it('redacts secrets, reports their number, and gives equal ones equal tags', () => {
    const home = fullHome()
    putClaude(home, uuid(5), [claude.user(1, `again ${TOKEN}`), claude.user(2, `${TOKEN} and ${TOKEN}`)])
    const { stdout } = collect(home)
    expect(stdout).toContain('4 secrets redacted')
    const output = JSON.stringify(recordsIn(home))
    expect(output).not.toContain(TOKEN)
    expect(new Set(output.match(/\[REDACTED:[^\]]+\]/g)).size).toBe(1)
    expect(
      recordsIn(home)
        .map(({ redactions }) => redactions)
        .filter((count) => count > 0),
    ).toEqual([1, 1, 2])
  })
})

describe('a first delivery', () => {
  it('requires a choice of history, once', () => {
    const home = fullHome()
    const { code, stderr, stdout } = run(['collect'], home)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--history all, --history none')
    expect(collect(home).code).toBe(0)
    expect(run(['collect'], home).stdout).toContain('Nothing new')
  })

  it('with no history delivers only later records, and with a span the recent ones', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'old')])
    expect(collect(home, '--history', 'none').stdout).toContain('1 record from before the history you chose')
    append(path, claude.user(2, 'new', { timestamp: new Date(Date.now() + 1000).toISOString() }))
    run(['collect'], home)
    expect(recordsIn(home).map(({ line }) => line)).toEqual([2])
    const other = join(home, 'other')
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
    putClaude(home, uuid(2), [
      claude.user(3, 'x', { timestamp: day(9) }),
      claude.user(4, 'y', { timestamp: day(2) }),
    ])
    collect(home, `file:${other}`, '--history', '7d')
    expect(deliveredTo(other).map(({ session, line }) => [session?.slice(-1), line])).toEqual([
      ['1', 2],
      ['2', 2],
    ])
  })
})

describe('a later delivery', () => {
  it('sends only what is new, with correct lines and offsets', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one'), claude.user(2, 'two')])
    collect(home)
    const size = statSync(path).size
    appendFileSync(path, `${JSON.stringify(claude.user(3, 'three'))}\n{"half":`)
    const { stdout } = collect(home)
    expect(stdout).toContain('Delivered 1 record ')
    expect(recordsIn(home).at(-1)).toMatchObject({ line: 3, offset: size, generation: 1 })
    appendFileSync(path, 'true}\n')
    collect(home)
    expect(recordsIn(home).map(({ line }) => line)).toEqual([1, 2, 3, 4])
    expect(recordsIn(home).at(-1)?.raw).toEqual({ half: true })
  })

  it('sends a rewritten file again, with the same ids for the same records', () => {
    const home = temporaryHome()
    const records = (...numbers: number[]) => numbers.map((number) => claude.user(number, `words ${number}`))
    putClaude(home, uuid(1), records(1, 2, 3, 4))
    collect(home)
    const before = recordsIn(home)
    putClaude(home, uuid(1), records(1, 2, 9))
    collect(home)
    const after = recordsIn(home).slice(before.length)
    expect(after.map(({ generation, line }) => [generation, line])).toEqual([
      [2, 1],
      [2, 2],
      [2, 3],
    ])
    expect(keyed(recordsIn(home)).size).toBe(5)
  })

  it('does not send a renamed file again, and sends a copy in another session as records of that', () => {
    const home = temporaryHome()
    const path = putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
    collect(home)
    renameSync(path, `${path}.reset.2026-11-01T00-00-00.000Z`)
    expect(collect(home).stdout).toContain('Nothing new')
    copyFileSync(`${path}.reset.2026-11-01T00-00-00.000Z`, join(path, '../b.jsonl'))
    collect(home)
    expect(recordsIn(home).map(({ session }) => session)).toEqual(['a', 'a', 'b', 'b'])
    expect(keyed(recordsIn(home)).size).toBe(4)
  })

  it('does not send a file again that its client compressed, nor one that it unpacked and continued', () => {
    const home = temporaryHome()
    const path = join(home, `.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-${uuid(7)}.jsonl`)
    const line = (number: number) => `${JSON.stringify({ type: 'message', id: `m${number}` })}\n`
    const sent = () => collect(home, 'file:archive', '--history', 'all').stdout
    put(path, line(1) + line(2))
    expect(sent()).toContain('Delivered 2 records')
    put(`${path}.zst`, zstdCompressSync(readFileSync(path)))
    rmSync(path)
    expect(sent()).toContain('Nothing new')
    put(path, line(1) + line(2) + line(3))
    rmSync(`${path}.zst`)
    expect(sent()).toContain('Delivered 1 record')
    put(`${path}.zst`, zstdCompressSync(`${line(4)}${line(2)}${line(3)}`))
    rmSync(path)
    expect(sent()).toContain('Delivered 3 records')
  })

  it('names links to files of a table, which it does not follow', () => {
    const home = temporaryHome()
    put(join(home, 'notes/MEMORY.md'), 'Water the moss.')
    mkdirSync(join(home, '.openclaw/workspace/memory'), { recursive: true })
    symlinkSync(join(home, 'notes/MEMORY.md'), join(home, '.openclaw/workspace/MEMORY.md'))
    symlinkSync(join(home, 'notes'), join(home, '.openclaw/workspace-ops'))
    for (const args of [['collect', '--history', 'all'], ['memory']]) {
      const { code, stderr } = run(args, home)
      expect(code).toBe(3)
      expect(stderr).toContain('workspace/MEMORY.md: is a link and was not followed; make it a file')
      expect(stderr).toContain('workspace-ops: is a link and was not followed; make it a directory')
    }
  })

  it('reports once that a file is gone, and sends what reappears under its name', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    collect(home)
    rmSync(path)
    expect(collect(home).stdout).toContain('1 source deleted since')
    expect(recordsIn(home).at(-1)).toMatchObject({ kind: 'artifact', state: 'gone', session: uuid(1) })
    expect(collect(home).stdout).toContain('Nothing new')
    putClaude(home, uuid(1), [claude.user(1, 'one'), claude.user(2, 'two')])
    collect(home)
    expect(recordsIn(home)).toHaveLength(4)
    expect(keyed(recordsIn(home)).size).toBe(3)
  })

  it('sends only the changed entries of a session index', () => {
    const home = fullHome()
    collect(home)
    const changed = {
      'agent:main:main': { sessionId: 'a', skillsSnapshot: { prompt: 'x'.repeat(2_000_000) } },
    }
    putSessionIndex(home, { ...changed, 'agent:main:cron:1': { sessionId: 'b' } })
    collect(home)
    const index = recordsIn(home).filter(({ path }) => path.endsWith('sessions.json'))
    expect(index).toHaveLength(3)
    expect(index.at(-1)?.raw).toEqual(changed)
  })

  it('leaves a session index that is just being written for the next pass, and sends no entry twice', () => {
    const home = fullHome()
    collect(home)
    const index = join(home, '.openclaw/agents/main/sessions/sessions.json')
    const whole = readFileSync(index, 'utf8')
    const sent = () => recordsIn(home).filter(({ path }) => path.endsWith('sessions.json'))
    const before = sent().length
    writeFileSync(index, whole.slice(0, 20))
    const torn = run(['collect'], home)
    expect(torn.code).toBe(3)
    expect(torn.stderr).toContain('sessions.json changed while it was read')
    expect(sent()).toHaveLength(before)
    const past = Date.now() / 1000 - 60
    utimesSync(index, past, past)
    collect(home)
    expect(sent().at(-1)).toMatchObject({ raw: { content: whole.slice(0, 20) }, malformed: true })
    writeFileSync(index, whole)
    collect(home)
    expect(sent()).toHaveLength(before + 1)
  })

  it('leaves a document that is just being written for the next pass', () => {
    const home = temporaryHome()
    cpSync(join(checkout, 'demo/.cline'), join(home, '.cline'), { recursive: true })
    const name = readdirSync(join(home, '.cline'), { recursive: true, encoding: 'utf8' }).find((each) =>
      each.endsWith('.messages.json'),
    )!
    const path = join(home, '.cline', name)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, whole.slice(0, whole.length / 2))
    const { code, stderr } = run(['collect', '--history', 'all'], home)
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('changed while it was read'),
    })
    expect(recordsIn(home).filter((each) => each.path.endsWith(name))).toEqual([])
    writeFileSync(path, whole)
    collect(home)
    const sent = recordsIn(home).filter((each) => each.path.endsWith(name))
    expect(sent.length).toBeGreaterThan(1)
    expect(sent.filter(({ malformed }) => malformed)).toEqual([])
  })

  it('sends a last line without a newline once nobody writes any more, and only once', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    appendFileSync(path, JSON.stringify(claude.user(2, 'two')))
    collect(home)
    expect(recordsIn(home)).toHaveLength(1)
    const past = Date.now() / 1000 - 60
    utimesSync(path, past, past)
    collect(home)
    expect(recordsIn(home)).toHaveLength(2)
    expect(collect(home).stdout).toContain('Nothing new')
    appendFileSync(path, `\n${JSON.stringify(claude.user(3, 'three'))}\n`)
    collect(home)
    expect(recordsIn(home).map(({ line }) => line)).toEqual([1, 2, 3])
  })

  it('sends it again only if it has become another record', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    const past = Date.now() / 1000 - 60
    const collectAtRest = (): void => {
      utimesSync(path, past, past)
      collect(home)
    }
    // Two records, and then a third on the same line.
    appendFileSync(path, JSON.stringify(claude.user(2, 'two')) + JSON.stringify(claude.user(3, 'three')))
    collectAtRest()
    appendFileSync(path, '\n')
    collectAtRest()
    expect(recordsIn(home).map(({ line, part }) => [line, part])).toEqual([
      [1, undefined],
      [2, 0],
      [2, 1],
    ])
    const begun = JSON.stringify(claude.user(4, 'four'))
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, whole + begun)
    collectAtRest()
    writeFileSync(path, `${whole}${begun.replace('four', 'FOUR')}\n`)
    collectAtRest()
    expect(
      recordsIn(home)
        .slice(3)
        .map(({ raw }) => (raw as { message: { content: string } }).message.content),
    ).toEqual(['four', 'FOUR'])
  })

  it('sends lines that are not JSON as text, two records on one line as two, and stubs of records that are too large', () => {
    const home = temporaryHome()
    const one = JSON.stringify(claude.user(1, 'one'))
    const two = JSON.stringify(claude.user(2, 'two'))
    put(join(home, '.claude/projects/-a/s.jsonl'), `{torn\n${one}${two}\n\n${'y'.repeat(3000)}\n`)
    collect(home, '--record-limit', '2k')
    const facts = recordsIn(home).map(({ line, part, malformed, stub }) => [
      line,
      part,
      malformed,
      stub?.bytes,
    ])
    expect(facts).toEqual([
      [1, undefined, true, undefined],
      [2, 0, undefined, undefined],
      [2, 1, undefined, undefined],
      [4, undefined, true, 3000],
    ])
    expect(recordsIn(home)[0]?.raw).toBe('{torn')
  })
})

describe('destinations', () => {
  it('take another choice of how much of the past they get together with --redeliver only, and say so', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    const ask = (...flags: string[]) => run(['collect', 'file:one', ...flags], home)
    ask('--history', 'none')
    const again = ask('--history', 'all')
    expect(deliveredTo(join(home, 'one'))).toHaveLength(0)
    expect(again.stderr).toContain('was begun with --history none, which stays.')
    expect(again.stderr).toContain('scrollback collect file:one --history all --redeliver')
    expect(ask('--history', 'all', '--redeliver').stderr).toBe('')
    expect(deliveredTo(join(home, 'one'))).toHaveLength(1)
    expect(ask('--history', 'all').stderr).toBe('')
  })

  it('have their own checkpoints', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    collect(home, 'file:one')
    putClaude(home, uuid(2), [claude.user(2, 'two')])
    collect(home, 'file:two', 'file:one')
    expect(deliveredTo(join(home, 'one'))).toHaveLength(2)
    expect(deliveredTo(join(home, 'two'))).toHaveLength(2)
  })

  it('receive nothing but all records if they are a pipe', () => {
    const home = fullHome()
    const { stdout, stderr } = collect(home, 'stdout:', '--json')
    expect(stderr).toBe('')
    const lines = stdout.split('\n').slice(0, -1)
    expect(lines.map((line) => (JSON.parse(line) as { v: number }).v)).toEqual(lines.map(() => 1))
    // A pipe is not remembered: the second time it receives the same records under the same ids.
    expect(collect(home, 'stdout:').stdout.split('\n').map(idOf)).toEqual(stdout.split('\n').map(idOf))
    expect(run(['collect', '--status', '--json'], home).stdout).not.toContain('stdout:')
    const state = ['--state', join(home, 'pipe.sqlite')]
    expect(collect(home, 'stdout:', ...state).stdout).not.toBe('')
    expect(collect(home, 'stdout:', ...state).stdout).toBe('')
  })

  it('lose nothing if a pipe closes', () => {
    const home = temporaryHome()
    putClaude(
      home,
      uuid(1),
      Array.from({ length: 3000 }, (_, number) => claude.user(number + 1, 'x'.repeat(500))),
    )
    const flags = 'collect stdout: --history all --state pipe.sqlite'
    const shell = `"${process.execPath}" "${program}" ${flags}`
    const env = variablesOf(home)
    const first = String(execFileSync('sh', ['-c', `${shell} | head -n 5`], { env, cwd: home }))
    const rest = String(execFileSync('sh', ['-c', shell], { env, cwd: home, maxBuffer: 1 << 28 }))
    const records = `${first}${rest}`.trim().split('\n')
    expect(new Set(records.map((each) => JSON.parse(each).line)).size).toBe(3000)
  })

  it('are read whole by a reader that begins when the pipe is long full, and so is a session', () => {
    const home = temporaryHome()
    const words = Array.from({ length: 600 }, (_, number) =>
      claude.user(number + 1, `${number} ${'x'.repeat(500)}`),
    )
    putClaude(home, uuid(1), words)
    const env = variablesOf(home)
    for (const flags of ['collect stdout: --history all', `read ${uuid(1)}`]) {
      const late = `"${process.execPath}" "${program}" ${flags} | (sleep 2; cat)`
      const printed = String(execFileSync('sh', ['-c', late], { env, cwd: home, maxBuffer: 1 << 28 }))
      for (const number of [0, 300, 599]) expect(printed).toContain(`${number} xxx`)
    }
  })

  it('are rejected if their type is unknown, with a way out', () => {
    const home = temporaryHome()
    expect(collect(home, 'ftp://x/y')).toMatchObject({ code: 2, stdout: '' })
    expect(collect(home, 'https://ann:secret@example.org/').stderr).toContain('--token-env')
  })
})

describe('the state of deliveries', () => {
  it('is shown by --status, with exit code 3 if the lag is too large', () => {
    const home = temporaryHome()
    expect(run(['collect', '--status'], home).stdout).toContain('Nothing was delivered yet')
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    collect(home)
    expect(run(['collect', '--status', '--max-lag', '1h'], home)).toMatchObject({ code: 0 })
    append(path, claude.user(2, 'two'), claude.user(3, 'three'))
    const late = run(['collect', '--status', '--max-lag', '1h', '--json'], home)
    expect(late.code).toBe(3)
    expect(JSON.parse(late.stdout)).toMatchObject({
      status: [{ records: 1, backlog: { records: 2, oldestAt: '2026-11-01T10:02:00.000Z' }, behind: true }],
    })
    expect(run(['collect', '--status'], home).stdout).toContain('waiting    2 records')
  })

  it('contains no text of messages', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'canary-of-the-state')])
    collect(home)
    const state = join(home, '.local/share/scrollback/collect.sqlite')
    expect(readFileSync(state, 'latin1')).not.toContain('canary-of-the-state')
    expect(statSync(state).mode & 0o777).toBe(0o600)
  })

  it('is not changed by --dry-run', () => {
    const home = fullHome()
    const { stdout } = run(['collect', '--dry-run'], home)
    expect(stdout).toMatch(/^Would deliver 26 records .*\n {2}1 secret redacted\.\n$/)
    expect(run(['collect', '--status'], home).stdout).toContain('Nothing was delivered yet')
  })
})

it('a file that is unpacked from an archive has its original time, not that of unpacking', () => {
  const home = temporaryHome()
  const old = new Date('2026-03-01T10:00:00.000Z')
  const notes = put(join(home, '.openclaw/workspace/MEMORY.md'), '# Ferns\n\nWater them daily.\n')
  const path = putClaude(home, uuid(1), [claude.user(1, 'Water the ferns')])
  for (const each of [notes, path]) utimesSync(each, old, old)
  collect(home, '--history', 'all')
  const from = ['--from', archiveOf(home), '--json']
  const memory = run(['memory', ...from], home).stdout
  expect(memory).toContain('2026-03-01T10:00:00.000Z')
  const { sessions } = JSON.parse(run(['sessions', '--all', ...from], home).stdout)
  expect(sessions[0].modifiedAt).toBe('2026-11-01T10:01:00.000Z')
})

it("a record that names a session by its key has the session's id, from the key itself or from the session index", () => {
  const home = temporaryHome()
  putOpenclaw(home, `${uuid(5)}.jsonl`, [openclaw.header(uuid(5)), openclaw.user(1, 'x')])
  const key = 'agent:main:subagent:1'
  putSessionIndex(home, { [key]: { sessionId: uuid(5) } })
  putRuns(home, { runId: 'r1', childSessionKey: key, task: 'x' })
  put(join(home, '.openclaw/cron/runs/a.jsonl'), [
    { jobId: 'a', ts: 1790000000000, action: 'finished', sessionKey: `agent:main:cron:a:run:${uuid(6)}` },
    { jobId: 'a', ts: 1790000000001, action: 'finished', sessionKey: key },
  ])
  collect(home)
  const sessions = (kind: string) =>
    recordsIn(home).flatMap((each) => (each.kind === kind ? [each.session] : []))
  expect(sessions('subagent-runs')).toEqual([uuid(5)])
  expect(sessions('cron-runs')).toEqual([uuid(6), uuid(5)])
})

describe('an archive', () => {
  it('is verified frame by frame, and repaired after an unfinished write', () => {
    const home = fullHome()
    collect(home)
    const folder = archiveOf(home)
    const segment = join(folder, readdirSync(folder).find((name) => name.endsWith('.zst'))!)
    expect(run(['collect', '--verify', folder], home).stdout).toContain('whole')
    appendFileSync(segment, Buffer.from('half a frame'))
    expect(run(['collect', '--verify', folder], home)).toMatchObject({ code: 0 })
    putClaude(home, uuid(8), [claude.user(8, 'later')])
    collect(home)
    expect(recordsIn(home).at(-1)?.session).toBe(uuid(8))
    const bytes = readFileSync(segment)
    bytes[120]! ^= 0xff
    writeFileSync(segment, bytes)
    const { stdout, code } = run(['collect', '--verify', folder], home)
    expect(code).toBe(3)
    expect(stdout).toMatch(/damaged at byte 0: a frame is damaged; \d+ records missing/)
  })

  it('is written by one process at a time, and so is the state', () => {
    const home = fullHome()
    collect(home)
    putClaude(home, uuid(8), [claude.user(8, 'later')])
    for (const name of ['archive/.lock', 'collect.sqlite.lock']) {
      const lock = holdLock(join(home, '.local/share/scrollback', name))
      const { stderr, code } = collect(home)
      lock?.release()
      expect(stderr).toContain('Another process is')
      expect([1, 3]).toContain(code)
    }
    expect(collect(home).stdout).toContain('Delivered 1 record')
  })
})
