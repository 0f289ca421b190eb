import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { runSources } from '../program.ts'
import { claude, put, temporaryHome, text, uuid } from '../records.ts'
import { hitsFor } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'
import { addressOf, CHOSEN, team } from './team.ts'

describe.runIf(hasServer)('a store that two machines fill', () => {
  it('has the files of both, at the same path', () => {
    const { server, path } = team()
    const own = openClickHouseStore({ ...server, device: 'oak' })
    expect([...own.known().keys()].filter((each) => each.endsWith(path)).sort()).toEqual([
      path,
      `elm:${path}`,
    ])
    expect(own.messages(path).map((each) => each.text)).toEqual(['Water the fern', 'Watered.'])
    const all = openClickHouseStore({ ...server, device: 'pine' })
    expect([...all.known().keys()].filter((each) => each.endsWith(path)).sort()).toEqual([
      `elm:${path}`,
      `oak:${path}`,
    ])
    expect(all.messages(`elm:${path}`)[0]!.text).toBe('Cut the hedge')
    expect(
      all
        .sessions()
        .map(({ session }) => `${session.device} ${session.person}`)
        .sort(),
    ).toEqual(['elm bob', 'elm bob', 'elm bob', 'oak ann', 'oak ann'])
    own.close()
    all.close()
  })

  it('counts and finds what both have once', () => {
    const { server } = team()
    const store = openClickHouseStore({ ...server, device: 'pine' })
    const [hit, ...others] = hitsFor(store, 'bench')
    expect([hit!.copies.length, others]).toEqual([1, []])
    const human = [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
      .flatMap(({ messages }) => messages)
      .filter(({ who }) => who === 'human')
      .reduce((sum, { count }) => sum + count, 0)
    expect(human).toBe(4)
    expect(store.statistics()).toMatchObject({ messages: 6, occurrences: 7 })
    store.close()
  })

  it('answers every reading command, by machine and by person', () => {
    const { ask, path } = team()
    expect(ask('sessions', '--all', '--json').stdout).toContain(`oak:${path}`)
    const list = ask('sessions', '--all').stdout
    expect(list).toMatch(/^ID\t.*\tPERSON\t/)
    expect(list).toMatch(/\tann\t.*Water the fern/)
    expect(ask('session', uuid(3)).stdout).toMatch(/^ *Machine +elm\n *Person +bob$/m)
    expect(ask('search', 'hedge', 'person:bob').stdout).toContain('Cut the hedge')
    expect(ask('search', 'hedge', 'device:oak').stdout).toContain('Nothing matches')
    const titles = (...words: string[]): string[] =>
      JSON.parse(ask('sessions', ...words, '--json').stdout)
        .sessions.map(({ title }: { title: string }) => title)
        .sort()
    expect(titles('person:ann')).toEqual(['The bench is shared', 'Water the fern'])
    expect(titles('device:el', '--title', 'e')).toEqual([
      'Cut the hedge',
      'Sweep the path',
      'The bench is shared',
    ])
    expect(ask('read', 'device:oak:latest').stdout).toContain('The bench is shared')
    const { project, rows } = JSON.parse(ask('stats', 'person:bob', '--by', 'person', '--json').stdout)
    expect({ project, rows }).toMatchObject({ project: null, rows: [{ key: 'bob' }] })
    expect(ask('sessions', 'person:eve').stderr).toContain('"person:eve": no such project, agent or session')
    expect(ask('stats', '--by', 'person').stdout).toMatch(/^bob\t.*\n^ann\t/m)
    const { stdout, stderr } = ask('read', uuid(3), '--full')
    expect(stdout).toContain('Sweep the path')
    expect(stderr).toContain('This transcript is on elm')
    const full = ask('read', uuid(3), '--full', '--json')
    expect(JSON.parse(full.stdout).sessions).toMatchObject([{ device: 'elm', person: 'bob' }])
    expect(full.stderr).toContain('This transcript is on elm')
    expect(ask('stats').code).toBe(0)
  }, 600_000)

  it('never shows its password, and says what is wrong with it', () => {
    const { at, home } = team()
    const { stdout, stderr, code } = runSources(['sessions', '--store', at, '--json'], home, {
      SCROLLBACK_STORE_PASSWORD: 'wrong-password',
    })
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('does not accept this user and password')
    expect(stdout + stderr).not.toContain('wrong-password')
  }, 600_000)

  it('is not for commands about this machine', () => {
    const { ask } = team()
    expect(ask('cron')).toMatchObject({ code: 2 })
    expect(ask('sessions', '--demo').stderr).toContain('--store: not with --demo')
  }, 600_000)
})

describe.runIf(hasServer)('a space that `collect` fills', () => {
  const filled = () => {
    const server = emptyServer()
    const at = addressOf(server)
    const { password } = server
    const home = temporaryHome()
    const path = join(home, '.claude/projects/-home-ann-garden', `${uuid(1)}.jsonl`)
    put(path, [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
    put(join(path, '..', `${uuid(2)}.jsonl`), [claude.user(5, 'Prune the rose', { sessionId: uuid(2) })])
    const ask = (...words: string[]) => runSources(words, home, { SCROLLBACK_STORE_PASSWORD: password })
    const titles = (): string[] =>
      JSON.parse(ask('sessions', '--all', '--store', at, '--json').stdout)
        .sessions.map(({ title }: { title: string }) => title)
        .sort()
    return { at, home, path, ask, titles, password }
  }

  it('gets nothing until projects and a person are named, once', () => {
    const { at, ask, titles } = filled()
    const first = ask('collect', at)
    expect(first).toMatchObject({ stdout: '', code: 2 })
    expect(first.stderr).toMatch(
      /which projects should it get\? Whoever may read it sees them\.\n.*--projects/,
    )
    expect(ask('collect', at, '--projects', '*').stderr).toContain('--person <name>')
    expect(ask('sessions', '--all', '--store', at, '--json').stdout).toContain('"sessions": []')
    expect(ask('collect', at, ...CHOSEN).code).toBe(0)
    expect(titles()).toEqual(['Prune the rose', 'Water the fern'])
    expect(ask('collect', at).stdout).toContain('Nothing new')
    expect(ask('collect', 'status').stdout).toMatch(/projects {3}\*\n {2}as {9}ann on .+\n {2}has {8}2 files/)
  })

  it('has the projects that were chosen, and loses those that are no longer', () => {
    const { at, home, ask, titles } = filled()
    put(join(home, '.claude/projects/-home-ann-shop', `${uuid(4)}.jsonl`), [
      claude.user(41, 'Open the shop', { sessionId: uuid(4), cwd: '/home/ann/shop-front' }),
    ])
    expect(ask('collect', 'run', at, '--projects', 'shop*', '--person', 'ann').code).toBe(0)
    expect(titles()).toEqual(['Open the shop'])
    expect(ask('collect', at, '--projects', 'garden').stdout).toContain('1 source removed there')
    expect(titles()).toEqual(['Prune the rose', 'Water the fern'])
    expect(ask('search', 'shop', '--store', at).stdout).toContain('Nothing matches')
    expect(ask('collect', 'status', '--json').stdout).toContain('"garden"')
  })

  it('keeps what it has when the machine forgets it as a destination, and gets it again later', () => {
    const { at, ask, titles } = filled()
    ask('collect', at, ...CHOSEN)
    expect(ask('collect', 'forget', at)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Forgotten: '),
    })
    expect(ask('collect', 'status').stdout).not.toContain('clickhouse')
    expect(titles()).toEqual(['Prune the rose', 'Water the fern'])
    expect(ask('collect', at).code).toBe(2)
    expect(ask('collect', at, ...CHOSEN).stdout).toContain('Delivered 3 messages')
    expect(titles()).toEqual(['Prune the rose', 'Water the fern'])
  })

  it('has what is new after each run, once', () => {
    const { at, path, ask, titles } = filled()
    expect(ask('collect', at, ...CHOSEN)).toMatchObject({
      stdout: expect.stringMatching(/^Delivered 3 messages \(.+\) to clickhouse:/),
      code: 0,
    })
    expect(titles()).toEqual(['Prune the rose', 'Water the fern'])
    put(path, [
      claude.user(1, 'Water the fern'),
      claude.reply(2, [text('Watered.')]),
      claude.user(9, 'And the moss'),
    ])
    expect(ask('collect', at).stdout).toContain('Delivered 1 message ')
    expect(ask('read', uuid(1), '--store', at).stdout).toContain('And the moss')
  })

  it('is kept up to date by a service, which reads the password from a file', () => {
    const { at, ask, path, password } = filled()
    expect(ask('collect', at, '--service', 'systemd')).toMatchObject({ stdout: '', code: 2 })
    const file = put(join(path, '../../../../password'), password)
    const { stdout, code } = ask(
      'collect',
      at,
      ...CHOSEN,
      '--service',
      'systemd',
      '--store-password-file',
      file,
    )
    expect(code).toBe(0)
    expect(stdout).toContain('--watch')
    expect(stdout).toContain(`--store-password-file ${file}`)
    expect(stdout).not.toContain(password)
  })

  it('loses what is forgotten on the machine, and keeps no text of it', () => {
    const { at, ask, titles } = filled()
    ask('collect', at, ...CHOSEN)
    expect(ask('forget', uuid(2), '--yes').code).toBe(0)
    expect(ask('collect', at).code).toBe(0)
    expect(titles()).toEqual(['Water the fern'])
    expect(ask('search', 'rose', '--store', at).stdout).toContain('Nothing matches')
  })

  it('is refused with flags that are about records, and with a wrong password', () => {
    const { at, ask, password } = filled()
    for (const flag of [['--dry-run'], ['--skip', 'x'], ['--history', '30d'], ['file:there'], ['--status']])
      expect(ask('collect', at, ...flag)).toMatchObject({ stdout: '', code: 2 })
    for (const flag of [['--list'], ['--schema'], ['--verify', '.'], ['--repair', '.']])
      expect(ask('collect', at, ...flag)).toMatchObject({ stdout: '', code: 2 })
    expect(ask('collect', 'file:there', '--projects', '*')).toMatchObject({ stdout: '', code: 2 })
    expect(ask('sessions', '--all', '--store', at, '--json').stdout).toContain('"sessions": []')
    const refused = ask('collect', at.replace('//', '//nobody-'), ...CHOSEN)
    expect(refused).toMatchObject({ stdout: '', code: expect.any(Number) })
    expect(refused.stderr).toContain('does not accept this user')
    expect(refused.stderr).not.toContain(password)
    // Nothing was noted as sent.
    expect(ask('collect', at).stdout).toContain('Delivered 3 messages')
  })
})
