import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, json, run } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const [ONE, TWO] = [uuid(41), uuid(42)]

/** Sessions whose beginning is only in copies, and other files next to them. */
function home(): string {
  const folder = temporaryHome()
  const later = [openclaw.user(5, 'And the roses?'), openclaw.reply(6, [text('Dry too.')])]
  const first = [openclaw.user(1, 'Water the ferns'), openclaw.reply(2, [text('Watered.')])]
  putOpenclaw(folder, `${ONE}.jsonl`, [openclaw.header(ONE), ...later])
  putOpenclaw(folder, `${ONE}.jsonl.full_backup`, [openclaw.header(ONE), ...first, ...later])
  putOpenclaw(folder, 'notes.md', Buffer.from('x'))
  putOpenclaw(folder, `${ONE}.jsonl.gz`, Buffer.from('x'))
  const [asked, more] = [claude.user(1, 'Prune the ivy'), claude.user(2, 'Now the moss')]
  putClaude(folder, TWO, [more])
  put(join(folder, '.claude/projects/-home-ann-garden', `${TWO}.jsonl.old`), [asked, more])
  put(join(folder, '.claude/projects/-home-ann-garden/sessions-index.json'), '{}')
  return folder
}

describe('a file next to sessions that is not a transcript', () => {
  it('is counted and named', () => {
    const folder = home()
    const doctor = run(['doctor'], folder)
    expect(doctor.code).toBe(0)
    const output = doctor.stdout.replaceAll(ONE, 'one').replaceAll(TWO, 'two')
    expect(
      output.slice(output.indexOf('Files next to'), output.indexOf('Nothing of')),
    ).toMatchInlineSnapshot(`
      "Files next to sessions that were not read (5 files, 1.7 kB):
        ~/.claude/projects/-home-ann-garden/two.jsonl.old (651 B: a copy of a transcript)
        ~/.claude/projects/-home-ann-garden/sessions-index.json (2 B: a session index of older clients, which repeats the transcripts)
        ~/.openclaw/agents/main/sessions/one.jsonl.full_backup (1.0 kB: a copy of a transcript)
        ~/.openclaw/agents/main/sessions/one.jsonl.gz (1 B: compressed in a format that is not read)
        ~/.openclaw/agents/main/sessions/notes.md (1 B: not a file that this version knows)
      2 copies of transcripts may contain messages that are nowhere else: scrollback sessions --all --backups

      "
    `)
    expect(output).toContain('Nothing of what is read is missing')
    expect(run([], folder).stdout).toContain('5 files next to sessions were not read')
    expect(run(['index'], folder).stdout).toContain('5 files next to sessions were not read')
    expect(json(folder, 'doctor').unread).toHaveLength(5)
  })

  it('is skipped silently if it belongs there', () => {
    const folder = temporaryHome()
    putOpenclaw(folder, `${ONE}.jsonl`, [openclaw.header(ONE), openclaw.user(1, 'x')])
    for (const name of ['sessions.json', `${ONE}.jsonl.lock`]) putOpenclaw(folder, name, Buffer.from('{}'))
    expect(run(['doctor'], folder).stdout).not.toContain('were not read')
    expect(run([], folder).stdout).not.toContain('not read')
  })
})

describe('copies of transcripts', () => {
  it('are read on request: messages that are only in a copy come first, and every message is shown once', () => {
    const folder = home()
    expect(run(['read', ONE], folder).stdout).not.toContain('Water the ferns')
    for (const id of [ONE, TWO]) {
      const output = run(['read', id, '--backups'], folder).stdout
      expect(output).toContain(id === ONE ? 'Water the ferns' : 'Prune the ivy')
      expect(output.match(/And the roses|Now the moss/g)?.length).toBeLessThanOrEqual(3)
      expect(output.indexOf(id === ONE ? 'Water the ferns' : 'Prune the ivy')).toBeLessThan(
        output.indexOf('that are already in a session above'),
      )
    }
    const states = (...args: string[]) =>
      json(folder, 'sessions', '--all', ...args)
        .sessions.map(({ state }: Json) => state)
        .sort()
    expect(states('--backups')).toEqual(['backup', 'backup', 'live', 'live'])
    expect(states()).toEqual(['live', 'live'])
    expect(run(['search', 'ferns', '--backups'], folder).stdout).toContain('Water the')
    expect(run(['search', 'ferns'], folder).stdout).toContain('Nothing matches')
    expect(states()).toEqual(['live', 'live'])
    expect(run(['doctor', '--backups'], folder).stdout).not.toContain('full_backup (')
  })

  it('are not collected, and collect reports that', () => {
    const list = run(['collect', '--list'], home()).stdout
    expect(list).toContain('a copy of a transcript')
  })
})
