import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { trajectory } from '../agent-trajectory.ts'
import { type Json, json, printed, run } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  TOKEN,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const PROJECT = '.claude/projects/-home-ann-garden'

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

/** Sessions of three clients. The first has a secret, a subagent and a record with unusual numbers. */
function garden(): string {
  const home = temporaryHome()
  cpSync(join(fixtures, 'codex/items/.codex'), join(home, '.codex'), { recursive: true })
  putClaude(home, uuid(1), [
    claude.user(1, `Prune the fern with ${TOKEN}.`),
    claude.reply(2, [
      { type: 'thinking', thinking: `The key is ${TOKEN}.`, signature: 'x' },
      text('I prune it.'),
      call('t1', 'Bash', { command: `prune --key ${TOKEN}`, depth: { leaves: [1, 2] } }),
      call('t2', 'Read', { file_path: '/fern' }),
    ]),
    claude.result(3, 't2', 'no such file', true),
    claude.result(4, 't1', `pruned with ${TOKEN}`),
    claude.user(5, 'Thank you'),
    claude.reply(6, [call('t3', 'Agent', { prompt: 'Look for lice' })]),
  ])
  const side = { isSidechain: true, agentId: 'a1', sessionId: uuid(1) }
  putClaude(home, `${uuid(1)}/subagents/agent-a1`, [claude.user(7, 'Look for lice', side)])
  putOpenclaw(home, 'moss.jsonl', [
    openclaw.header('moss'),
    openclaw.user(1, 'Water the moss'),
    openclaw.reply(2, [text('It is wet.')]),
  ])
  return home
}

describe('scrollback export --format native', () => {
  it('writes the records of each client as they are, in files that their clients find', () => {
    const home = garden()
    const { stdout, stderr, code } = run(['export', '--all', '--format', 'native', '--out', 'traces'], home)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('subagent') })
    expect(stdout).toMatch(/^Exported \d+ sessions to \d+ files in .*traces\n$/)
    const names = readdirSync(join(home, 'traces'))
    expect(names).toEqual(expect.arrayContaining([`${uuid(1)}.jsonl`, 'moss.jsonl']))
    expect(statSync(join(home, 'traces/moss.jsonl')).mode & 0o777).toBe(0o600)
    const originals = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /^\.(?:claude|codex|openclaw)\b.*\.jsonl$/.test(name) && !name.includes('subagents'),
    )
    expect(names).toHaveLength(originals.length)
    for (const name of originals) {
      const exported = readFileSync(join(home, 'traces', name.replace(/^.*\//, '')), 'utf8')
      const original = readFileSync(join(home, name), 'utf8')
      expect(exported).toBe(original.replaceAll(TOKEN, '[REDACTED:github-token]'))
    }
    // Another machine reads the same from it.
    const elsewhere = temporaryHome()
    mkdirSync(join(elsewhere, PROJECT), { recursive: true })
    cpSync(join(home, `traces/${uuid(1)}.jsonl`), join(elsewhere, PROJECT, `${uuid(1)}.jsonl`))
    expect(run(['resume', uuid(1)], elsewhere).stdout).toContain(`claude --resume=${uuid(1)}`)
    const items = (where: string) =>
      json(where, 'read', uuid(1), '--full').items.map(({ who, text: words, line, input }: Json) => [
        who,
        words,
        line,
        input,
      ])
    expect(items(elsewhere)).toEqual(items(home))
  })

  it('leaves out lines that are no records, and says so', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    const line = readFileSync(path, 'utf8')
    put(path, Buffer.from(`{"type":"us\n${line}\n${line.trimEnd()}${line.trimEnd()}\n{"type":`))
    const { stdout, stderr, code } = run(['export', uuid(1), '--format', 'native', '--out', '-'], home)
    expect({ code, stdout }).toEqual({ code: 3, stdout: line.repeat(3) })
    expect(stderr).toContain('2 lines of')
  })

  it('says what it cannot write: a transcript that is gone, several sessions in one stream, a part', () => {
    const home = garden()
    printed(home, 'index')
    rmSync(join(home, PROJECT, `${uuid(1)}.jsonl`))
    const gone = run(['export', uuid(1), '--format', 'native'], home)
    expect(gone).toMatchObject({ code: 3, stdout: 'Nothing to export.\n' })
    expect(gone.stderr).toContain(`scrollback restore ${uuid(1)}`)
    const refused: [string[], string][] = [
      [['--all', '--out', '-'], 'one stream'],
      [['moss', '--full', '--out', '-'], '--full'],
      [['moss', '--identities', '--out', '-'], '--identities'],
      [['moss:2', '--out', '-'], 'line 2'],
    ]
    for (const [words, reason] of refused) {
      const { code, stdout, stderr } = run(['export', ...words, '--format', 'native'], home)
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' })
      expect(stderr).toContain(reason)
    }
    printed(home, 'export', 'moss', '--format', 'native')
    expect(run(['export', 'moss', '--format', 'native'], home).stderr).toContain('already exists')
  })

  it('writes the lines of a database, and says that its client does not read them', () => {
    const demo = run(
      ['export', 'ses_5c1154d7', '--demo', '--format', 'native', '--out', '-'],
      temporaryHome(),
    )
    expect(demo.stderr).toContain('which OpenCode does not read')
    for (const line of demo.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object')
  })
})

/**
 * How version 5.0.1 of `datasets`, the library behind the data sets of Hugging Face, recognizes traces: a
 * column with objects of more than one shape, and the client by the first type that it knows. Every line
 * has to be JSON, also where Python sees the end of a line.
 */
function hubClient(path: string): string | undefined {
  const records: Json[] = readFileSync(path, 'utf8')
    .trimEnd()
    .split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/)
    .map((line) => JSON.parse(line))
  const isMixed = (column: string): boolean => {
    const shapes = records.flatMap((record) => {
      const value = record[column]
      return value === undefined ? [] : [Object.keys(value).sort().join() + typeof value.content]
    })
    return new Set(shapes).size > 1
  }
  const known = {
    ...TYPES,
    session: records.find(({ type }) => type === 'session')?.cwd?.includes('/.openclaw/') ? 'openclaw' : 'pi',
  }
  const first = records
    .map(({ type }) => known[type as keyof typeof known])
    .find((name) => name !== undefined)
  return isMixed('message') || isMixed('payload') ? first : undefined
}

const TYPES = Object.fromEntries(
  Object.entries({
    'claude-code': ['user', 'assistant', 'system'],
    pi: ['message'],
    codex: ['session_meta', 'turn_context', 'response_item', 'event_msg'],
  }).flatMap(([client, types]) => types.map((type) => [type, client])),
)

it('the data sets of Hugging Face recognize what is exported of Claude Code, OpenClaw, Codex and pi', () => {
  const home = temporaryHome()
  for (const client of ['claude-code', 'openclaw', 'codex', 'pi']) {
    printed(
      home,
      ...['export', '--all', '--kind', 'all', '--demo'],
      '--platform',
      client,
      '--format',
      'native',
      '--out',
      `${client}/`,
    )
    const names = readdirSync(join(home, client))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect([name, hubClient(join(home, client, name))]).toEqual([name, client])
  }
})

describe('scrollback export --format atif', () => {
  it('writes a valid trajectory of every session of the demo, and one that is frozen', async () => {
    const home = temporaryHome()
    printed(home, 'export', '--all', '--kind', 'all', '--demo', '--format', 'atif', '--out', 'all/')
    const names = readdirSync(join(home, 'all'))
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) trajectory.parse(JSON.parse(readFileSync(join(home, 'all', name), 'utf8')))
    const { stdout } = run(['export', '640ab4c7', '--demo', '--format', 'atif', '--out', '-'], home)
    await expect(stdout).toMatchFileSnapshot(join(import.meta.dirname, 'output/export-atif.txt'))
  })

  it('has replies with their thoughts, calls, results and errors, and no secret', () => {
    const home = garden()
    expect(run(['export', '--all', '--kind', 'all', '--format', 'atif', '--out', 'all'], home).code).toBe(0)
    const all = readdirSync(join(home, 'all'))
    for (const name of all) trajectory.parse(JSON.parse(readFileSync(join(home, 'all', name), 'utf8')))
    const path = join(home, `all/${uuid(1)}.json`)
    expect(readFileSync(path, 'utf8')).not.toContain(TOKEN)
    const { agent, steps, final_metrics: totals } = JSON.parse(linesOf(path).join('\n'))
    expect(agent).toMatchObject({ name: 'claude-code' })
    expect(totals.total_steps).toBe(steps.length)
    expect(steps[1]).toMatchObject({
      source: 'agent',
      message: 'I prune it.',
      reasoning_content: 'The key is [REDACTED:github-token].',
      tool_calls: [
        {
          tool_call_id: 't1',
          function_name: 'Bash',
          arguments: { command: 'prune --key [REDACTED:github-token]', depth: { leaves: [1, 2] } },
        },
        { tool_call_id: 't2', function_name: 'Read', arguments: { file_path: '/fern' } },
      ],
      observation: {
        results: [
          { source_call_id: 't2', content: 'no such file', extra: { error: true } },
          { source_call_id: 't1', content: 'pruned with [REDACTED:github-token]' },
        ],
      },
    })
    expect(steps.map(({ source }: { source: string }) => source)).toEqual(['user', 'agent', 'user', 'agent'])
    // A call without a result has none.
    expect(steps[3].observation).toBeUndefined()
  })

  it('writes what the store has of a session that is gone, and says what is missing', () => {
    const home = garden()
    printed(home, 'index')
    rmSync(join(home, PROJECT, `${uuid(1)}.jsonl`))
    const { stdout, stderr } = run(['export', uuid(1), '--format', 'atif', '--out', '-'], home)
    expect(stderr).toContain('lost with the file')
    expect(trajectory.parse(JSON.parse(stdout)).steps[1]).toMatchObject({ message: 'I prune it.' })
  })

  it('writes a part without totals, and nothing of an empty session', () => {
    const home = garden()
    const part = JSON.parse(printed(home, 'export', `${uuid(1)}:5`, '--format', 'atif', '--out', '-'))
    expect(trajectory.parse(part).final_metrics).toEqual({ total_steps: part.steps.length })
    expect(part).toMatchObject({
      notes: expect.stringContaining('part'),
      steps: [{ message: 'Thank you' }, {}],
    })
    putClaude(home, uuid(8), [claude.reply(30, [])])
    expect(run(['export', uuid(8), '--format', 'atif', '--out', 'x.json'], home).code).toBe(1)
    expect(existsSync(join(home, 'x.json'))).toBe(false)
  })
})
