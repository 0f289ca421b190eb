import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { erasHome, WEED } from '../eras-home.ts'
import { type Json, printed, run } from '../program.ts'
import { openclaw, put, sharedHome, text, uuid } from '../records.ts'

const home = sharedHome()
erasHome(home)

const ask = (...args: string[]): Json => JSON.parse(printed(home, ...args, '--json'))
const sessions = (...args: string[]): Json[] => ask('sessions', '--all', ...args).sessions
const hits = (...words: string[]): Json[] => ask('search', ...words).hits
/** Speaker and text of each hit, with the number of its locations. */
const locations = (word: string): string[] =>
  hits(word)
    .map(({ who, text, copies = [] }) => `${who}: ${text} ×${1 + copies.length}`)
    .sort()
const sum = (rows: readonly Json[], of: (row: Json) => number): number =>
  rows.reduce((all, row) => all + of(row), 0)

/** The first run creates the store, the second reads from it. */
describe.each(['first', 'second'])('a home with every era of OpenClaw, at the %s run', () => {
  it('lists every session once, wherever its copies are', () => {
    const rows = sessions()
    const by = (agent: string) => rows.filter((row) => row.agent === agent).length
    // In files: basil, fern, moss, thyme, mint, sage, dill, the fork, rose, bee, the sprinkler's run; in the
    // older directory lilac, ivy.
    expect(by('main')).toBe(13)
    // Schema 4: tulip, of which an import archive contains a copy.
    expect(by('ops')).toBe(1)
    // Schema 14: clover.
    expect(by('field')).toBe(1)
    // Schema 19: peony, which was reset, and lupin.
    expect(by('shop')).toBe(2)
    // Schema 23: cedar, of which an archive contains a copy, birch, maple, alder; willow as a file that the
    // migration left.
    expect(by('lab')).toBe(5)
    // 13 + 1 + 1 + 2 + 5
    expect(rows).toHaveLength(22)
    expect(new Set(rows.map(({ id, agent }) => `${agent} ${id}`)).size).toBe(22)
  })

  it('counts messages of humans and agents, and errors', () => {
    const rows = sessions()
    // One each of fern, moss, thyme, mint, sage, dill, lilac, ivy and the nine in databases (8 + 9 = 17), 2
    // of basil, 3 of its fork, 2 of rose, and one pending prompt of cedar's agent: 17 + 8.
    expect(sum(rows, ({ messages }) => messages.human)).toBe(25)
    // The same except for the pending one, and the replies to the program's prompts of bee and the sprinkler:
    // 24 + 2.
    expect(sum(rows, ({ messages }) => messages.agent)).toBe(26)
    // The command of basil, and its copy in the fork.
    expect(sum(rows, ({ toolCalls }) => toolCalls)).toBe(2)
    expect(sum(rows, ({ errors }) => errors)).toBe(2)
  })

  it('shows the state and kind of every session', () => {
    const rows = sessions()
    const having = (of: (row: Json) => boolean) => rows.filter(of).length
    // Files in three formats: fern, moss, thyme; willow next to a database; peony and birch inside one.
    expect(having(({ state }) => state === 'reset')).toBe(6)
    // Sage. Copies in import archives are not listed next to their originals.
    expect(having(({ state }) => state === 'archived')).toBe(1)
    expect(having(({ state }) => state === 'live')).toBe(15)
    expect(rows.filter(({ kind }) => kind !== 'human').map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      `subagent ${uuid(10)}`,
      'cron run-0001',
    ])
  })

  it('finds every message once, with all its locations', () => {
    expect(locations('basil')).toEqual([
      // Each occurs twice. The first pair is in the session, its fork and the older directory; the second not
      // in the last.
      'agent: basil done ×2',
      'agent: basil done ×3',
      'human: basil please ×2',
      'human: basil please ×3',
    ])
    // In the database and the archive of its migration; the archive of cedar ends before the reply.
    expect(locations('tulip')).toEqual(['agent: tulip done ×2', 'human: tulip please ×2'])
    expect(locations('cedar')).toEqual(['agent: cedar done ×1', 'human: cedar please ×2'])
    // The session and its fork.
    expect(locations('who:error water')).toEqual(['error: no water ×2'])
    // Sent once, rewritten under other ids, and one more sent: two of each.
    expect(locations('rose')).toEqual([
      'agent: rose done ×1',
      'agent: rose done ×1',
      'human: rose please ×1',
      'human: rose please ×1',
    ])
    // Two of a session, and two memory documents.
    expect(hits('fern')).toHaveLength(4)
    for (const word of 'moss thyme mint sage dill lupin clover peony birch maple alder willow ivy'.split(' '))
      expect(locations(word)).toEqual([`agent: ${word} done ×1`, `human: ${word} please ×1`])
    // It is pending until its agent consumes it.
    expect(locations('hazel')).toEqual(['human: hazel please ×1'])
    for (const word of ['bee', 'sprinkler'])
      expect(locations(word)).toEqual([`agent: ${word} done ×1`, `program: ${word} please ×1`])
  })

  it('reads no file that is named like a copy or is in a copy of a state directory', () => {
    const { stdout, stderr, code } = run(['search', WEED, '--json'], home)
    expect([JSON.parse(stdout).hits, stderr, code]).toEqual([[], '', 1])
    const { artifacts, refused } = ask('doctor')
    for (const { path } of artifacts) expect(path).not.toMatch(/backup|_copy|checkpoint|trajectory|\.bak/)
    // Two backups, a checkpoint, a trajectory, an ACP stream; two deleted files.
    expect(refused).toHaveLength(7)
  })

  it('accounts for every line of every file', () => {
    const { ok, artifacts, store } = ask('doctor', '--deep')
    expect(ok).toBe(true)
    expect(artifacts.flatMap(({ problems }: Json) => problems)).toEqual([])
    // The 22 that are listed, and three copies, of which one is in the older directory and two in import
    // archives.
    expect(artifacts).toHaveLength(25)
    // Basil 7, its fork 9, rose 7; 19 others of 3 lines each; of the copies 3, 3 and 2; the pending prompt:
    // 23 + 57 + 8 + 1.
    expect(sum(artifacts, ({ lines }) => lines)).toBe(89)
    // Basil 6 with its command and error, its fork 2, rose 4; 19 others of 2 each; 4 memory documents; the
    // pending prompt: 12 + 38 + 4 + 1.
    expect(store.messages).toBe(55)
    // Again 6 in the fork; of the copies 2 of basil, 2 of tulip, 1 of cedar: 55 + 11.
    expect(store.occurrences).toBe(66)
  })

  it('assigns every session to its agent', () => {
    const { projects } = ask('projects')
    const row = ({ name, sessions, messages: { human, agent } }: Json) =>
      `${name} ${sessions} ${human} ${agent}`
    // Of `main` 25 minus the 9 in databases, the pending one and 2 that the fork repeats, and 26 minus 9 and 2.
    expect(projects.map(row).sort()).toEqual([
      'openclaw:field 1 1 1',
      'openclaw:lab 5 6 5',
      'openclaw:main 13 13 15',
      'openclaw:ops 1 1 1',
      'openclaw:shop 2 2 2',
    ])
  })

  it('reads a session in order, and all sessions without duplicates', () => {
    const { items } = ask('read', uuid(9))
    expect(items.map(({ who, text }: Json) => `${who}: ${text}`)).toEqual([
      'human: rose please',
      'agent: rose done',
      'human: rose please',
      'agent: rose done',
    ])
    const all: Json[] = ask('read', '--all', '--kind', 'all').items
    // As they are counted above, minus the two of each that the fork repeats: 25 - 2 and 26 - 2.
    expect(all.filter(({ who }) => who === 'human')).toHaveLength(23)
    expect(all.filter(({ who }) => who === 'agent')).toHaveLength(24)
  })

  it('lists the jobs of files and of the database once', () => {
    const jobs: Json[] = ask('cron').jobs
    // Ferns in both, the report only in the database, the hose only in the old file.
    expect(jobs.map(({ id, gone }) => `${id}${gone ? ' gone' : ''}`).sort()).toEqual([
      'ferns',
      'hose gone',
      'report',
    ])
    // One run is in the old log and in the database, another only in the database.
    expect(ask('cron', 'ferns').runs).toHaveLength(2)
  })

  it('lists the memory of all directories', () => {
    // Two of `main`, one of `ops`, and one of `main` in the older directory.
    expect(ask('memory').documents).toHaveLength(4)
  })
})

it('a deleted session in such a home is only listed on request', () => {
  // Poppy and orchid as files, larch in a database: 22 + 3.
  const rows = sessions('--deleted')
  expect(rows).toHaveLength(25)
  expect(
    rows
      .filter(({ state }) => state === 'deleted')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([uuid(5), uuid(30), uuid(53)].sort())
  expect(sessions()).toHaveLength(22)
})

it('a new session in such a home is listed next to the others', () => {
  const folder = join(home, '.openclaw/agents/main/sessions')
  put(join(folder, `${uuid(70)}.jsonl`), [
    openclaw.header(uuid(70)),
    openclaw.user(7001, 'quince please'),
    openclaw.reply(7002, [text('quince done')]),
  ])
  expect(locations('quince')).toEqual(['agent: quince done ×1', 'human: quince please ×1'])
  // 22 + 1
  expect(sessions()).toHaveLength(23)
})
