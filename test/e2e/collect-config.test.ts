import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveredTo } from '../deliveries.ts'
import { program, run, variablesOf } from '../program.ts'
import { append, claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

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
