import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { agentDatabase } from '../agent-databases.ts'
import { startFollowing } from '../follow/following.ts'
import { followBusySessions } from '../follow/harness.ts'
import { run } from '../program.ts'
import {
  append,
  call,
  claude,
  openclaw,
  putClaude,
  putOpenclaw,
  sharedHome,
  TOKEN,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A running `follow`, until it is stopped. */
async function following(home: string, ...args: string[]) {
  const screen = await startFollowing(home, args)
  onTestFinished(screen.kill)
  return {
    ...screen,
    /** Resolves when the words were shown, or fails. */
    async sees(words: string): Promise<void> {
      await screen.until(() => screen.stdout().includes(words))
      expect(screen.stdout()).toContain(words)
    },
  }
}

describe('scrollback follow', () => {
  let busy: ReturnType<typeof followBusySessions>
  const busyHome = sharedHome()
  // It mostly waits, and so goes on during all other tests.
  beforeAll(() => {
    busy = followBusySessions({ seconds: 4, seed: 7, folder: busyHome })
    busy.catch(() => {})
  })
  afterAll(() => busy.catch(() => {}))

  it('shows what is written, of every agent, and nothing older', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    const other = putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
    const rows = agentDatabase(join(home, '.openclaw'), 23)
    onTestFinished(() => rows.close())
    rows.session('moss', [openclaw.header('moss'), openclaw.user(1, 'Feed the moss')])
    const screen = await following(home)
    append(path, claude.reply(2, [text('I water it.'), call('t1', 'Bash', { command: 'hose' })]))
    await screen.sees('→ Bash hose')
    rows.append('moss', [openclaw.reply(2, [text('From a row.')])])
    await screen.sees('From a row.')
    append(other, openclaw.reply(2, [text('Morning.')]))
    await screen.sees('Morning.')
    putClaude(home, uuid(2), [claude.user(3, 'A new session', { timestamp: new Date().toISOString() })])
    await screen.sees('A new session')
    expect(screen.stdout()).not.toContain('  Water the moss')
    expect(screen.stdout()).not.toContain('  Good morning')
    expect(screen.stdout()).not.toContain('  Feed the moss')
    expect(screen.stdout()).toContain('━━ garden · Claude Code · 0a1b2c3d · Water the moss\n')
    expect(await screen.stop()).toBe(0)
  })

  it('ends when its reader is gone', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    const screen = await following(home)
    append(path, claude.reply(2, [text('I water it.')]))
    await screen.sees('I water it.')
    const ended = screen.closeOutput()
    append(path, claude.reply(3, [text('It is wet.')]))
    expect(await ended).toBe(0)
  })

  it('shows what another process of the program indexes first, and only that', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    const screen = await following(home)
    screen.pause()
    append(path, claude.user(2, 'And the fern'))
    putClaude(home, uuid(2), [claude.user(3, 'A new session', { timestamp: new Date().toISOString() })])
    expect(run(['index'], home).code).toBe(0)
    screen.resume()
    await screen.sees('And the fern')
    await screen.sees('A new session')
    expect(screen.stdout()).not.toContain('  Water the moss')
    await screen.stop()
  })

  it('waits for the first transcript, shows half a record once it is whole, and a growing reply only once', async () => {
    const home = temporaryHome()
    const screen = await following(home)
    const now = { timestamp: new Date().toISOString() }
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss', now)])
    await screen.sees('  Water the moss')
    const first = claude.reply(2, [text('First I look.')])
    const more = {
      ...claude.reply(3, [text('Then I pour.')]),
      message: { ...first.message, content: [text('Then I pour.')] },
    }
    const whole = line(first)
    appendFileSync(path, whole.slice(0, 40))
    await wait(100)
    appendFileSync(path, whole.slice(40))
    await screen.sees('First I look.')
    append(path, more)
    await screen.sees('Then I pour.')
    expect(screen.stdout().match(/First I look\./g)).toHaveLength(1)
    await screen.stop()
  })

  it('shows every line once, in order, whatever happens to the file', async () => {
    const home = temporaryHome()
    const written = (number: number) => line(openclaw.user(number, `words-${number}.`))
    const path = putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'words-1.')])
    const screen = await following(home)
    let content = line(openclaw.header('a')) + written(1)
    const write = async (number: number, how: (next: string) => void): Promise<void> => {
      content += written(number)
      how(content)
      await screen.sees(`words-${number}.`)
    }
    const append = (next: string) =>
      appendFileSync(path, next.slice(next.lastIndexOf('\n', next.length - 2) + 1))
    await write(2, append)
    await write(3, (next) => writeFileSync(path, next))
    await write(4, (next) => {
      writeFileSync(`${path}.new`, next)
      renameSync(`${path}.new`, path)
    })
    await write(5, (next) => {
      truncateSync(path, 0)
      appendFileSync(path, next)
    })
    // Both are detected by one check, the new file first.
    renameSync(path, `${path}.reset.2026-11-01T00-00-00.000Z`)
    content = line(openclaw.header('a'))
    await write(6, (next) => writeFileSync(path, next))
    rmSync(dirname(path), { recursive: true })
    await wait(300)
    mkdirSync(dirname(path), { recursive: true })
    await write(7, (next) => writeFileSync(path, next))
    await write(8, append)
    const numbers = [...screen.stdout().matchAll(/words-(\d+)\./g)].map((match) => Number(match[1]))
    expect(numbers.filter((number) => number > 1)).toEqual([2, 3, 4, 5, 6, 7, 8])
    await screen.stop()
  })

  it.each(['--jsonl', '--json'])(
    'accepts a project or a session, starts a little earlier, and prints JSON with %s',
    async (flag) => {
      const home = temporaryHome()
      const garden = putClaude(home, uuid(1), [claude.user(1, 'Water the moss'), claude.user(2, 'Now')])
      const shop = putClaude(home, uuid(2), [claude.user(3, 'Sell it', { cwd: '/srv/shop' })], '-srv-shop')
      const screen = await following(home, 'garden', '--last', '1', flag)
      append(shop, claude.user(4, 'Not this', { cwd: '/srv/shop' }))
      append(garden, claude.user(5, 'But this'))
      await screen.sees('But this')
      const lines = screen.stdout().trim().split('\n')
      expect(lines.map((each) => JSON.parse(each).text)).toEqual(['Now', 'But this'])
      await screen.stop()
    },
  )

  it('accepts an agent, includes the sessions that it starts, and shows no other without a project', async () => {
    const home = temporaryHome()
    const own = putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'x')], 'garden')
    const other = putOpenclaw(home, 'b.jsonl', [openclaw.header('b'), openclaw.user(1, 'x')], 'main')
    const screens = await Promise.all([following(home, 'garden'), following(home, '--agent', 'garden')])
    append(other, openclaw.reply(2, [text('of another agent')]))
    append(own, openclaw.reply(2, [text('of the garden')]))
    for (const screen of screens) await screen.sees('of the garden')
    const fresh = { ...openclaw.user(1, 'a new one'), timestamp: new Date().toISOString() }
    putOpenclaw(home, 'c.jsonl', [openclaw.header('c'), fresh], 'garden')
    for (const screen of screens) {
      await screen.sees('a new one')
      expect(screen.stdout()).not.toContain('of another agent')
      await screen.stop()
    }
  })

  it('shows a prompt once that waited and was consumed in the middle of a turn', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
    const queued = { type: 'queue-operation', timestamp: claude.user(2, '').timestamp, sessionId: uuid(1) }
    const screen = await following(home)
    append(path, { ...queued, operation: 'enqueue', content: 'and the fern' })
    await screen.sees('and the fern')
    const attachment = { type: 'queued_command', prompt: 'and the fern', commandMode: 'prompt' }
    const taken = { ...claude.user(3, ''), type: 'attachment', message: undefined, attachment }
    const written = 'Both are wet.'
    append(
      path,
      { ...queued, operation: 'remove', content: 'and the fern' },
      taken,
      claude.reply(4, [text(written)]),
      claude.user(5, 'and the fern'),
    )
    await screen.sees(written)
    await screen.until(() => screen.stdout().split('and the fern').length === 3, 1000)
    // A human who types the same again sends another message.
    expect(screen.stdout().split('and the fern')).toHaveLength(3)
    await screen.stop()
  })

  it('repeats nothing if a session is moved away and back, or if an idle one is forked', async () => {
    const home = temporaryHome()
    const lines = [claude.user(1, 'Water the moss'), claude.reply(2, [text('It is wet.')])]
    const silent = [claude.user(11, 'Count the pots'), claude.reply(12, [text('Nine pots.')])]
    const path = putClaude(home, uuid(1), lines)
    putClaude(home, uuid(2), silent)
    const away = join(dirname(path), '../-home-ann-garden-away', `${uuid(1)}.jsonl`)
    mkdirSync(dirname(away))
    const screen = await following(home)
    renameSync(path, away)
    append(away, claude.user(3, 'Now from afar'))
    await screen.sees('Now from afar')
    renameSync(away, path)
    append(path, claude.user(4, 'Home again'))
    await screen.sees('Home again')
    const now = new Date().toISOString()
    putClaude(home, uuid(3), [...silent, claude.user(13, 'And in the fork?', { timestamp: now })])
    await screen.sees('And in the fork?')
    for (const [words, times] of [
      ['Now from afar', 1],
      ['Home again', 1],
      ['  It is wet.', 0],
      ['  Nine pots.', 0],
    ] as const)
      expect([words, screen.stdout().split(words).length - 1]).toEqual([words, times])
    await screen.stop()
  })

  it.each([
    ['nothing', () => 0],
    ['half a line', (whole: string) => whole.indexOf('\n') >> 1],
    ['one line', (whole: string) => whole.indexOf('\n') + 1],
    ['half of all', (whole: string) => whole.length >> 1],
  ])('repeats nothing of an idle session if a fork of it is filled bit by bit, first %s', async (_, cut) => {
    const home = temporaryHome()
    const silent = [claude.user(11, 'Count the pots'), claude.reply(12, [text('Nine pots.')])]
    const path = putClaude(home, uuid(1), silent)
    const empty = putClaude(home, uuid(2), [])
    const screen = await following(home)
    const now = { timestamp: new Date().toISOString() }
    const forkOf = (number: number) =>
      [...silent, claude.user(number, `In fork ${number}`, now)].map(line).join('')
    const fork = join(dirname(path), `${uuid(3)}.jsonl`)
    const whole = forkOf(13)
    writeFileSync(fork, whole.slice(0, cut(whole)))
    await wait(200)
    appendFileSync(fork, whole.slice(cut(whole)))
    await screen.sees('In fork 13')
    appendFileSync(empty, forkOf(14))
    await screen.sees('In fork 14')
    for (const words of ['  Count the pots', '  Nine pots.']) expect(screen.stdout()).not.toContain(words)
    await screen.stop()
  })

  it('redacts secrets, and shows them on request', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, `Old ${TOKEN}`)])
    const [clean, plain] = await Promise.all([following(home), following(home, '--no-redact', '--last', '1')])
    expect(plain.stdout()).toContain(`Old ${TOKEN}`)
    append(path, claude.user(2, `New ${TOKEN}`))
    await clean.sees('New ')
    await plain.sees(`New ${TOKEN}`)
    expect(clean.stdout()).not.toContain(TOKEN)
    await clean.stop()
    await plain.stop()
  })

  it('shows every line once, in order, if all of that happens to several sessions at once', async () => {
    const report = await busy
    expect(report).toMatchObject({ lost: 0, doubled: 0, disordered: 0, examples: [] })
    expect(report.seen).toBeGreaterThan(20)
  })
})
