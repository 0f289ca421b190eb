import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asSystem, run } from '../program.ts'
import { claude, putClaude, temporaryHome, userLines, uuid } from '../records.ts'

const DAY = 86_400

interface Manager {
  /** The program that the service manager of the system has, and the system, unless it is this one. */
  program?: string
  system?: string
  /** In a shell: what the program does with its arguments, after it has noted them. */
  does?: string
}

/** A home with an old session, a new one, and a service manager that notes what it is asked for. */
function homeWithService({ program = 'systemctl', system, does = 'exit 0' }: Manager = {}) {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), userLines(1, 2))
  putClaude(home, uuid(2), userLines(3, 1))
  const old = Date.now() / 1000 - 26 * DAY
  utimesSync(path, old, old)
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const log = join(home, 'asked.log')
  writeFileSync(
    join(bin, program),
    `#!/bin/sh\nfor word; do printf '%s|' "$word"; done >> ${log}\necho >> ${log}\n${does}\n`,
  )
  chmodSync(join(bin, program), 0o755)
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    SCROLLBACK_HOME: join(home, 'data & "more"'),
    ...(system === undefined ? {} : { NODE_OPTIONS: asSystem(system) }),
  }
  const scrollback = (...args: string[]) => run(args, home, { env })
  return {
    home,
    path,
    unit: join(home, '.config/systemd/user/scrollback-collect.service'),
    scrollback,
    json: (...args: string[]) => JSON.parse(scrollback(...args, '--json').stdout),
    asked: () => (existsSync(log) ? readFileSync(log, 'utf8').split('|\n').filter(Boolean) : []),
  }
}

/** With the project and the day. */
const DELETES = /deletes 1 transcript of garden within 7 days \(the first on \d{4}-\d\d-\d\d\)/
const ASKS = '--user|is-active|--quiet|scrollback-collect'

describe.runIf(process.platform === 'linux')('keep', () => {
  it('warns of what is deleted soon, archives it, and the warning says so', () => {
    const { scrollback, json, path } = homeWithService()
    const before = scrollback('doctor', '--vanishing')
    expect(before.code).toBe(3)
    expect(before.stdout).toContain('1 session is in no archive. To keep all of it: scrollback keep')
    expect(scrollback().stdout).toMatch(DELETES)
    expect(json('statusline', '--refresh').line).toContain('1 to be deleted: scrollback keep')
    expect(scrollback('keep', '--yes').code).toBe(0)
    const after = scrollback('doctor', '--vanishing')
    expect(after.code).toBe(0)
    expect(json('doctor', '--vanishing').vanishing).toMatchObject([
      { id: uuid(1), archive: expect.any(String) },
    ])
    expect(scrollback().stdout).toContain(`has it. To put it back: scrollback restore ${uuid(1)}\n`)
    expect(json('statusline', '--refresh').line).not.toContain('to be deleted')
    // The client deletes it, and it comes back byte for byte.
    const bytes = readFileSync(path)
    rmSync(path)
    expect(scrollback('restore', uuid(1), '--yes').code).toBe(0)
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('warns of nothing that has outlived the starts of its client, unless the days are stated', () => {
    const { scrollback, path } = homeWithService()
    // The file itself cannot be made older, so the client starts later.
    const start = new Date(Date.now() + 8 * DAY * 1000).toISOString()
    putClaude(join(path, '../../../..'), uuid(3), [claude.user(1, 'Water it', { timestamp: start })])
    const { code, stdout, stderr } = scrollback('doctor', '--vanishing')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No client deletes a session within a week.\n' })
    expect(stderr).toContain('outlive the default of Claude Code')
    expect(scrollback('doctor', '--vanishing', '--retention', '30').code).toBe(3)
    expect(scrollback('doctor', '--vanishing', '--retention', '90').code).toBe(0)
  })

  it('changes nothing without being told to', () => {
    const { scrollback, unit, asked, json } = homeWithService()
    for (const args of [['keep'], ['keep', '--dry-run'], ['keep', '--status']]) {
      expect(scrollback(...args).code).toBe(0)
      expect(existsSync(unit)).toBe(false)
      expect(json(...args).archive).toMatchObject({ bytes: 0, deliveredAt: null })
    }
    expect(asked().filter((each) => each !== ASKS)).toEqual([])
  })

  it('counts what it will archive: no session whose file is gone or empty', () => {
    const { scrollback, json, path } = homeWithService()
    const extent = () => json('keep', '--dry-run').steps[0].why
    expect(extent()).toMatch(/^2 sessions, [^;]+ before compression$/)
    rmSync(path)
    writeFileSync(join(path, '..', `${uuid(5)}.jsonl`), '')
    expect(extent()).toMatch(
      /^1 session, .+ compression; without 1 whose file is gone and 1 whose file is empty$/,
    )
    scrollback('keep', '--yes')
    const { archive } = json('keep', '--status')
    const archived = scrollback('sessions', '--all', '--kind', 'all', '--json', '--from', archive.path)
    expect(JSON.parse(archived.stdout).sessions).toHaveLength(1)
  })

  it('starts a service that goes on, and removes it again without the archive', () => {
    const { scrollback, unit, asked, json } = homeWithService()
    scrollback('keep', '--yes')
    expect(readFileSync(unit, 'utf8')).toMatch(
      /ExecStart=.* collect "file:.*archive" --history all .*--tool-results --watch/,
    )
    expect(asked().slice(0, 5)).toEqual([
      ASKS,
      '--user|daemon-reload',
      '--user|enable|scrollback-collect',
      '--user|restart|scrollback-collect',
      ASKS,
    ])
    expect(json('keep', '--status')).toMatchObject({
      service: { installed: true, running: true },
      vanishing: { sessions: 1, archived: 1 },
      steps: [],
    })
    expect(scrollback('keep', '--off', '--yes').code).toBe(0)
    expect(existsSync(unit)).toBe(false)
    expect(asked()).toContain('--user|disable|--now|scrollback-collect')
    expect(json('keep', '--status').archive.bytes).toBeGreaterThan(0)
  })

  it('archives in any case, and says how to go on if the service cannot start', () => {
    const { scrollback, json } = homeWithService({
      does: 'if [ $2 = enable ]; then echo "no room" >&2; exit 1; fi',
    })
    const { stdout, code } = scrollback('keep', '--yes')
    expect(code).toBe(3)
    expect(stdout).toContain('enable scrollback-collect (no room)')
    expect(stdout).toContain('Keep this running yourself: scrollback collect ')
    expect(json('keep', '--status').vanishing).toEqual({ sessions: 1, archived: 1 })
  })

  it('writes no unit where systemd does not run, and says what to run instead', () => {
    const { scrollback, json, unit, asked } = homeWithService({ does: 'echo "no bus" >&2; exit 1' })
    const { stdout, code } = scrollback('keep', '--yes')
    expect(stdout).toContain('no service manager is here: no bus; keep this running yourself: scrollback ')
    expect({ code, there: existsSync(unit) }).toEqual({ code: 0, there: false })
    expect(new Set(asked())).toEqual(new Set([ASKS]))
    expect(json('keep', '--status')).toMatchObject({
      service: { installed: false, running: null },
      vanishing: { archived: 1 },
    })
  })

  it('uses launchd on macOS, and the Task Scheduler on Windows', () => {
    const uid = process.getuid!()
    // It has the service from its creation to its removal.
    const knows = (made: string, removed: string, missing: number) =>
      `cd "$(dirname "$0")"; case $1 in ${made}) touch known;; ${removed}) rm known;; print|/Query) [ -e known ] || exit ${missing};; esac`
    const mac = homeWithService({
      program: 'launchctl',
      system: 'darwin',
      does: knows('bootstrap', 'bootout', 113),
    })
    const [plist, service] = [
      join(mac.home, 'Library/LaunchAgents/scrollback.collect.plist'),
      `gui/${uid}/scrollback.collect`,
    ]
    const [load, unload] = [`bootstrap|gui/${uid}|${plist}`, `bootout|${service}`]
    const windows = homeWithService({
      program: 'schtasks',
      system: 'win32',
      does: knows('/Create', '/Delete', 1),
    })
    const task = join(windows.home, 'data & "more"/scrollback-collect.xml')
    const [end, create, start] = [
      '/End|/TN|scrollback-collect',
      `/Create|/TN|scrollback-collect|/XML|${task}|/F`,
      '/Run|/TN|scrollback-collect',
    ]
    for (const { manager, file, steps, running } of [
      { manager: mac, file: plist, steps: [load, unload, load, unload], running: true },
      {
        manager: windows,
        file: task,
        steps: [create, start, end, create, start, end, '/Delete|/TN|scrollback-collect|/F'],
        running: null,
      },
    ]) {
      const { scrollback, json, asked } = manager
      for (const round of [1, 2]) expect(scrollback('keep', '--yes'), `${round}`).toMatchObject({ code: 0 })
      expect(json('keep', '--status').service).toEqual({ path: file, installed: true, running })
      expect(scrollback('keep', '--off', '--yes').code).toBe(0)
      expect(json('keep', '--status').service).toEqual({ path: file, installed: false, running: false })
      expect(asked().filter((each) => !/^(?:print|\/Query)\|/.test(each))).toEqual(steps)
    }
  })

  it('uses the days that were stated once, everywhere, until they are taken back', () => {
    const { scrollback, json, home } = homeWithService()
    const seen = () => ({
      doctor: scrollback('doctor', '--vanishing').code,
      start: DELETES.test(scrollback().stdout),
      line: json('statusline', '--refresh').line.includes('1 to be deleted'),
      retention: json('keep', '--status').retention,
    })
    const warned = { doctor: 3, start: true, line: true, retention: null }
    expect(seen()).toEqual(warned)
    expect(scrollback().stdout).toContain('state yours once: scrollback keep --remember --retention 30)')
    scrollback('keep', '--remember', '--retention', '90', '--dry-run')
    expect(seen()).toEqual(warned)
    expect(scrollback('keep', '--remember', '--retention', '90').stdout).toContain(
      'after 90 days as you stated',
    )
    expect(seen()).toEqual({ doctor: 0, start: false, line: false, retention: 90 })
    expect(statSync(join(home, 'data & "more"/retention.json')).mode & 0o777).toBe(0o600)
    expect(scrollback('doctor', '--vanishing', '--retention', '30').code).toBe(3)
    scrollback('keep', '--remember', '--retention', '27')
    expect(scrollback().stdout).toContain('if it keeps them for 27 days, as you stated')
    scrollback('keep', '--remember')
    expect(seen()).toEqual(warned)
  })

  it('says how to fill an archive again that is lost, or has something else in its place', () => {
    const { scrollback, home } = homeWithService()
    const archive = join(home, 'kept')
    expect(scrollback('keep', '--to', archive, '--dry-run').stdout).toMatch(
      /2 sessions, .+ before compression/,
    )
    expect(scrollback('keep', '--to', archive, '--yes').code).toBe(0)
    rmSync(archive, { recursive: true })
    writeFileSync(archive, 'no folder')
    // Nothing else fails on it.
    expect(scrollback('doctor', '--vanishing').code).toBe(3)
    expect(scrollback('restore', 'nothing-of-this-name', '--dry-run').stderr).toContain(
      'There is no archive on this machine',
    )
    rmSync(archive)
    const { code, stderr } = scrollback('keep', '--status')
    expect(code).toBe(3)
    const line = /fill it again: scrollback (.+)/.exec(stderr)![1]!
    expect(scrollback(...line.split(' ')).code).toBe(0)
    expect(scrollback('keep', '--status').code).toBe(0)
    expect(scrollback('--from', archive).stdout).not.toContain('deletes')
  })

  it('is about this machine only', () => {
    expect(homeWithService().scrollback('keep', '--demo').stderr).toContain(
      'archives only the sessions of this machine',
    )
  })
})
