import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveredTo } from '../deliveries.ts'
import { type Json, json, printed, program, run, variablesOf } from '../program.ts'
import { append, claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'

const ADDRESS = 'ann@example.org'

const home = (): string => {
  const made = temporaryHome()
  putClaude(made, uuid(1), [
    claude.user(1, `write to ${ADDRESS}`),
    { ...claude.user(2, 'note'), type: 'fern-note' },
  ])
  return made
}

const CONFIG = `
device = "from the file"
state = "own.sqlite"
[redact]
identities = true
[[destinations]]
url = "file:one"
history = "all"
skip = ["fern-*"]
[[destinations]]
url = "file:two"
history = "all"
normalized = true
`

describe('collect --config', () => {
  it('delivers to the destinations of the file, with the options of each', () => {
    const made = home()
    const config = put(join(made, 'collect.toml'), CONFIG)
    expect(run(['collect', '--config', config], made)).toMatchObject({ code: 0, stderr: '' })
    const one = deliveredTo(join(made, 'one'))
    const two = deliveredTo(join(made, 'two'))
    expect([one.length, two.length]).toEqual([1, 2])
    expect(JSON.stringify(one)).not.toContain('fern-note')
    expect(JSON.stringify(two)).toContain('fern-note')
    expect([...one, ...two].every(({ device }) => device === 'from the file')).toBe(true)
    expect(JSON.stringify([one, two])).not.toContain(ADDRESS)
    expect(one.some((record) => 'normalized' in record)).toBe(false)
    expect(two.some((record) => 'normalized' in record)).toBe(true)
    expect(existsSync(join(made, 'own.sqlite'))).toBe(true)
    expect(existsSync(join(made, '.local/share/scrollback/collect.sqlite'))).toBe(false)
  })

  it('is overridden by flags, and by named destinations', () => {
    const made = home()
    const config = put(join(made, 'collect.toml'), CONFIG)
    const flags = ['--device', 'from the flag', '--skip', 'nothing', '--state', 'other.sqlite']
    expect(run(['collect', 'file:one', '--config', config, ...flags], made).code).toBe(0)
    const one = deliveredTo(join(made, 'one'))
    expect(JSON.stringify(one)).toContain('fern-note')
    expect(one.every(({ device }) => device === 'from the flag')).toBe(true)
    expect(existsSync(join(made, 'two'))).toBe(false)
    expect(existsSync(join(made, 'other.sqlite'))).toBe(true)
  })

  it('sets the lag above which --status warns', () => {
    const made = home()
    const config = put(join(made, 'collect.toml'), `maxLag = "1h"\n${CONFIG}`)
    run(['collect', '--config', config], made)
    const status = (...flags: string[]) =>
      run(['collect', '--status', '--config', config, ...flags], made).code
    expect(status()).toBe(0)
    const path = join(made, '.claude/projects/-home-ann-garden', `${uuid(1)}.jsonl`)
    append(path, claude.user(3, 'later'))
    expect(status()).toBe(3)
    expect(status('--max-lag', '36500d')).toBe(0)
  })

  it('rejects an unknown setting, with its line', () => {
    const made = home()
    const config = put(join(made, 'collect.toml'), 'device = "x"\ncolour = "green"\n')
    const { code, stderr } = run(['collect', '--config', config], made)
    expect(code).toBe(2)
    expect(stderr).toContain(`${config}:2: colour: there is no such setting`)
  })
})

describe('collect --watch', () => {
  /** The lines of output of a process, as they come. */
  function watching(
    made: string,
    ...args: string[]
  ): { child: ChildProcess; until(part: string): Promise<void> } {
    const child = spawn(process.execPath, [program, 'collect', '--watch', ...args], {
      cwd: made,
      env: variablesOf(made),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface(child.stderr!)[Symbol.asyncIterator]()
    return {
      child,
      async until(part) {
        for (;;) {
          const { done, value } = await lines.next()
          if (done) throw new Error(`it ended before it printed "${part}"`)
          if (value.includes(part)) return
        }
      },
    }
  }

  it('reads its settings again on SIGHUP, and uses them from then on', async () => {
    const made = home()
    const path = join(made, '.claude/projects/-home-ann-garden', `${uuid(1)}.jsonl`)
    const config = put(
      join(made, 'collect.toml'),
      CONFIG.replace(/\[\[destinations\]\]\nurl = "file:two"[\s\S]*/, ''),
    )
    const { child, until } = watching(made, '--config', config)
    await until('1 record')
    put(config, 'device = "changed"\nstate = "own.sqlite"\n[[destinations]]\nurl = "file:one"\n')
    child.kill('SIGHUP')
    await until('Reloading the settings.')
    append(path, claude.user(3, `again ${ADDRESS}`))
    await until('1 record')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    const records = deliveredTo(join(made, 'one'))
    expect(records.map(({ device, line }) => [device, line])).toEqual([
      ['from the file', 1],
      ['changed', 3],
    ])
    expect(JSON.stringify(records[0])).not.toContain(ADDRESS)
    expect(JSON.stringify(records[1])).toContain(ADDRESS)
  })

  it('retains its settings if the new ones are invalid, and reports the error', async () => {
    const made = home()
    const path = join(made, '.claude/projects/-home-ann-garden', `${uuid(1)}.jsonl`)
    const config = put(join(made, 'collect.toml'), CONFIG)
    const { child, until } = watching(made, '--config', config)
    await until('2 records')
    put(config, 'device = \n')
    child.kill('SIGHUP')
    await until(`${config}:1:`)
    await until('The previous settings remain in use.')
    append(path, claude.user(3, 'later'))
    await until('1 record')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    const two = deliveredTo(join(made, 'two'))
    expect(two.map(({ device }) => device)).toEqual(Array(3).fill('from the file'))
  })
})

const statusOf = (home: string): string[] =>
  json(home, 'collect', '--status').status.map(({ url }: Json) => url)

describe('a destination', () => {
  it('is forgotten by its given or its displayed name, and is new afterwards', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    run(['collect', 'file:one', 'file:two', '--history', 'all'], home)
    expect(statusOf(home)).toEqual([`file:${home}/one`, `file:${home}/two`])
    expect(run(['collect', '--forget', 'file:one'], home).stdout).toContain('Forgotten: ~/one')
    expect(statusOf(home)).toEqual([`file:${home}/two`])
    expect(json(home, 'collect', '--forget', `file:${home}/two`)).toMatchObject({
      forgotten: `file:${home}/two`,
    })
    expect(statusOf(home)).toEqual([])
    expect(run(['collect', 'file:two'], home)).toMatchObject({ code: 2 })
  })

  it('cannot be forgotten if it is unknown, and the known ones are listed', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    run(['collect', 'file:one', '--history', 'all'], home)
    const { code, stderr } = run(['collect', '--forget', 'file:other'], home)
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Known: file:${home}/one`)
  })
})

describe('the file of a service', () => {
  const given = (home: string, kind: string): string => {
    mkdirSync(join(home, 'my claude'))
    const flags = ['--claude-dir', 'my claude', '--deleted', '--skip', 'api-request*', '--no-redact']
    const env = { SCROLLBACK_HOME: join(home, 'ours & 50%'), SECRET: 'hush' }
    const answer = run(['collect', 'file:out', ...flags, '--token-env', 'SECRET', '--service', kind], home, {
      env,
    })
    expect(answer.code).toBe(0)
    expect(answer.stdout).not.toContain('hush')
    return answer.stdout
  }

  it('contains the folders, all flags and our own variables', () => {
    const home = temporaryHome()
    const unit = given(home, 'systemd')
    for (const words of [
      `"${home}/my claude"`,
      '--deleted',
      '--redact off',
      `file:${home}/out`,
      '"api-request*"',
      '--token-env SECRET',
    ])
      expect(unit).toContain(words)
    expect(unit).toContain(`Environment="SCROLLBACK_HOME=${home}/ours & 50%%"\nExecStart=`)
  })

  it('delivers the same from another folder', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'of the usual folder')])
    put(join(home, 'work/other/projects/-x', `${uuid(2)}.jsonl`), [claude.user(2, 'of the other folder')])
    putOpenclaw(home, 'fern.jsonl.deleted.2026-11-01T10-00-00.000Z', [
      openclaw.header('fern'),
      openclaw.user(3, 'of a deleted session'),
    ])
    const lines = [
      openclaw.header('moss'),
      openclaw.user(4, 'to be left out'),
      { type: 'fern-note', id: 'x' },
    ]
    putOpenclaw(home, 'moss.jsonl', lines)
    const flags = ['--history', 'all', '--deleted', '--claude-dir', 'other', '--device', 'my device']
    const dirs = ['--dir', `openclaw=${join(home, '.openclaw')}`, '--skip', 'fern-note']
    const asked = ['collect', 'file:out', '--service', 'systemd', '--no-redact', ...flags, ...dirs]
    const { stdout, code } = run(asked, home, { cwd: join(home, 'work') })
    expect(code).toBe(0)
    expect(stdout).not.toContain('Environment=')
    const line = /^ExecStart=(.*) --watch$/m.exec(stdout)![1]!
    execFileSync('sh', ['-c', line], { cwd: '/', env: variablesOf(home), stdio: 'pipe' })
    const records = deliveredTo(join(home, 'work/out'))
    const text = JSON.stringify(records)
    expect(text).toContain('of the other folder')
    expect(text).toContain('of a deleted session')
    expect(text).not.toContain('of the usual folder')
    expect(text).not.toContain('fern-note')
    expect(new Set(records.map(({ device }) => device))).toEqual(new Set(['my device']))
  })
})

/** Some records have an id, some a time, and some neither: theirs comes from the records before them. */
const lines = [
  claude.user(1, 'Water the moss'),
  { type: 'api-request', id: 'r1', timestamp: '2026-11-01T10:02:00.000Z', params: { model: 'x' } },
  { type: 'api-request-blob', hash: 'a', message: { role: 'user', content: 'Water the moss' } },
  { type: 'mode', mode: 'normal', sessionId: uuid(0) },
  { type: 'api-request-blob', hash: 'b', message: { role: 'user', content: 'again' } },
  { type: 'mode', mode: 'plan', sessionId: uuid(0) },
  claude.user(2, 'And the fern'),
]

const collected = (...args: string[]) => {
  const home = temporaryHome()
  putClaude(home, uuid(0), lines)
  const output = printed(home, 'collect', 'stdout:', '--history', 'all', ...args)
    .trim()
    .split('\n')
  return output.map((each): Json => JSON.parse(each)).filter(({ kind }) => kind === 'transcript')
}

describe('collect --skip', () => {
  it('omits only records of these types, and changes no id of the others', () => {
    const all = collected()
    const some = collected('--skip', 'api-request*')
    expect(all).toHaveLength(lines.length)
    const others = all.filter(({ raw }) => !raw.type.startsWith('api-request'))
    expect(some.map(({ id }) => id)).toEqual(others.map(({ id }) => id))
    expect(collected('--skip', 'mode, api-request').map(({ raw }) => raw.type)).toEqual([
      'user',
      'api-request-blob',
      'api-request-blob',
      'user',
    ])
  })

  it('prints how many of each type, and does not deliver them later', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines)
    const deliver = (...args: string[]) => run(['collect', 'file:archive', '--history', 'all', ...args], home)
    expect(deliver('--dry-run', '--skip', 'api-reqest*').stdout).toContain('skipped: 0 api-reqest*.')
    const { stdout } = deliver('--skip', 'api-request*')
    expect(stdout).toContain('skipped: 2 api-request-blob, 1 api-request')
    const answer = JSON.parse(deliver('--json').stdout)
    expect(answer.destinations[0]).toMatchObject({ records: 0, skipped: {} })
  })

  it('can be set in the configuration file', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines)
    const settings = { destinations: [{ url: 'stdout:', history: 'all', skip: ['api-request*'] }] }
    const config = put(join(home, 'settings.json'), JSON.stringify(settings))
    const { stdout } = run(['collect', '--config', config], home)
    expect(stdout).not.toContain('api-request')
    expect(stdout).toContain('And the fern')
  })
})

it('prints a schema and a unit as they are, in a narrow terminal, too', () => {
  const home = temporaryHome()
  const { stdout } = run(['collect', '--schema'], home, { env: { COLUMNS: '60' } })
  expect(JSON.parse(stdout)).toHaveProperty('properties.generation')
  const unit = (columns: string) =>
    run(['collect', '--service', 'systemd', '--history', 'all'], home, { env: { COLUMNS: columns } }).stdout
  expect(unit('60')).toBe(unit('600'))
})
