import { rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { json, printed, run } from '../program.ts'
import { claude, put, putClaude, TOKEN, temporaryHome } from '../records.ts'

let home = ''
beforeEach(() => {
  home = temporaryHome()
  write('workspace/SOUL.md', '# Soul\n\nCalm.\n', '2026-10-01')
  write('workspace/MEMORY.md', '# Memory\n\nRound once per order.\n\nHolds last 15 minutes.\n', '2026-10-02')
  write('workspace/memory/2026-10-03.md', 'Counted the ferns.\n', '2026-10-03')
  write('workspace-ops/USER.md', 'Likes graphs.\n', '2026-10-04')
})

function write(name: string, text: string, day: string, root = '.openclaw'): string {
  const path = put(join(home, root, name), text)
  const at = Date.parse(`${day}T12:00:00Z`) / 1000
  utimesSync(path, at, at)
  return path
}

const shown = (...args: string[]): string => printed(home, 'memory', ...args)
const documents = (...args: string[]) => JSON.parse(shown('--json', ...args)).documents
/** Expects an answer without documents. */
const none = (...args: string[]): void => {
  const { stdout, stderr, code } = run(['memory', '--json', ...args], home)
  expect([JSON.parse(stdout).documents, stderr, code]).toEqual([[], '', 1])
}

describe('the memory of agents', () => {
  it('is listed by agent: memory, personality, instructions, and logs with the newest first', () => {
    write('workspace/memory/2026-10-05-late.md', 'Watered them.\n', '2026-10-05')
    write('workspace/orders.csv', 'a,b\n', '2026-10-05')
    expect(shown()).toMatchInlineSnapshot(`
      "OF	KIND	CHANGED	SIZE	SINCE	TEXT
      main	memory	2026-10-02 12:00	56 B	-	MEMORY.md
      main	personality	2026-10-01 12:00	14 B	-	SOUL.md
      main	log	2026-10-05 12:00	14 B	-	memory/2026-10-05-late.md
      main	log	2026-10-03 12:00	19 B	-	memory/2026-10-03.md
      ops	personality	2026-10-04 12:00	14 B	-	USER.md

      5 texts. Show one: scrollback memory main MEMORY.md
      "
    `)
  })

  it('is shown by a part of the name of a document', () => {
    expect(shown('main', 'SOUL')).toMatchInlineSnapshot(`
      "━━ main · SOUL.md · 2026-10-01 12:00
      # Soul

      Calm.
      "
    `)
    expect(documents('ops', 'user')[0].text).toBe('Likes graphs.')
  })

  it('is stored in every version that was read', () => {
    shown()
    const path = write(
      'workspace/MEMORY.md',
      '# Memory\n\nRound once per order.\nNever per line.\n\nHolds last 20 minutes.\n',
      '2026-10-10',
    )
    expect(documents('main', 'MEMORY')[0]).toMatchObject({
      versions: 2,
      change: { since: '2026-10-02T12:00:00.000Z', added: 2, removed: 1 },
    })
    expect(shown('--diff')).toMatchInlineSnapshot(`
      "━━ main · MEMORY.md · 2026-10-10 12:00
      --- MEMORY.md	2026-10-02T12:00:00.000Z
      +++ MEMORY.md	2026-10-10T12:00:00.000Z
      @@ -2,4 +2,5 @@
       
       Round once per order.
      +Never per line.
       
      -Holds last 15 minutes.
      +Holds last 20 minutes.
      "
    `)
    expect(documents('main', 'MEMORY', '--at', '2026-10-09')[0].text).toBe(
      '# Memory\n\nRound once per order.\n\nHolds last 15 minutes.',
    )
    const early = run(['memory', 'main', '--json', '--at', '2026-09-01'], home)
    expect([JSON.parse(early.stdout).documents, early.stderr, early.code]).toEqual([
      [],
      '--at: no version is that old. The first is of 2026-10-01 12:00.\n',
      1,
    ])
    rmSync(path)
    expect(documents('main', 'MEMORY')[0].goneSince).toBeDefined()
    expect(documents('main', 'MEMORY')[0].text).toContain('Never per line.')
  })

  describe('of several versions', () => {
    beforeEach(() => {
      shown()
      write('workspace/SOUL.md', '# Soul\n\nCalm.\nKind.\n', '2026-10-08')
      shown()
      write('workspace/SOUL.md', '# Soul\n\nCalm.\nKind.\nCurious.\n', '2026-10-09')
    })

    it('are shown by the time that is printed of each, to which a file system adds parts of a millisecond', () => {
      const path = join(home, '.openclaw/workspace/SOUL.md')
      const at = Date.parse('2026-10-10T12:00:00.123Z') / 1000 + 0.000_456
      write('workspace/SOUL.md', '# Soul\n\nWise.\n', '2026-10-10')
      utimesSync(path, at, at)
      const [{ history }] = documents('main', 'SOUL', '--versions')
      expect(history).toHaveLength(3)
      expect(statSync(path).mtimeMs % 1).not.toBe(0)
      for (const { modifiedAt } of history)
        expect(documents('main', 'SOUL', '--at', modifiedAt)).toMatchObject([{ modifiedAt }])
    })

    it('lists them, the newest first, and the printed commands show them', () => {
      expect(shown('main', 'SOUL', '--versions')).toMatchInlineSnapshot(`
        "━━ main · SOUL.md
        VERSION	WRITTEN	SIZE	CHANGED
        v3	2026-10-09 12:00	29 B	+1 −0
        v2	2026-10-08 12:00	20 B	+1 −0
        v1	2026-10-01 12:00	14 B	-

        Show one: scrollback memory main SOUL.md --at v1
        What changed: scrollback memory main SOUL.md --diff --since v1
        "
      `)
      expect(shown('main', 'SOUL.md', '--at', 'v1')).toBe(
        '━━ main · SOUL.md · 2026-10-01 12:00\n# Soul\n\nCalm.\n',
      )
      expect(documents('main', 'SOUL', '--versions')).toMatchObject([
        {
          number: 3,
          history: [
            { number: 3, bytes: 29, change: { since: '2026-10-08T12:00:00.000Z', added: 1, removed: 0 } },
            { number: 2, modifiedAt: '2026-10-08T12:00:00.000Z', change: { added: 1 } },
            { number: 1, change: null },
          ],
        },
      ])
    })

    it('shows the change of a version, and that between any two of them', () => {
      expect(shown('main', 'SOUL.md', '--diff', '--since', 'v1')).toMatchInlineSnapshot(`
        "━━ main · SOUL.md · 2026-10-09 12:00
        --- SOUL.md	2026-10-01T12:00:00.000Z
        +++ SOUL.md	2026-10-09T12:00:00.000Z
        @@ -2,2 +2,4 @@
         
         Calm.
        +Kind.
        +Curious.
        "
      `)
      const lines = (...args: string[]): string[] =>
        documents('main', 'SOUL', '--diff', ...args)[0]
          .diff.split('\n')
          .filter((line: string) => /^[+-]\w/.test(line))
      expect(lines('--at', 'v2')).toEqual(['+Kind.'])
      expect(lines('--since', 'v1', '--at', 'v2')).toEqual(['+Kind.'])
      expect(lines('--since', '2026-10-08')).toEqual(['+Kind.', '+Curious.'])
      expect(lines('--since', 'v3', '--at', 'v1')).toEqual(['-Kind.', '-Curious.'])
      expect(documents('--diff', '--since', 'v1')).toHaveLength(1)
      none('--diff', '--since', '2026-10-10')
      none('main', 'SOUL', '--diff', '--at', 'v1')
    })

    it('refuses a version that no text has, and --since without --diff', () => {
      const refused = (...args: string[]): string => run(['memory', ...args], home).stderr
      expect(refused('main', 'SOUL', '--at', 'v4')).toMatchInlineSnapshot(`
        "scrollback: No such version: v4.
        The text has 3 versions. To list them: --versions
        "
      `)
      expect(refused('main', 'SOUL', '--diff', '--since', 'v0')).toContain('No such version: v0.')
      expect(refused('main', '--since', 'v1')).toMatchInlineSnapshot(`
        "scrollback: --since: only with --diff.
        To compare two versions: --diff --since v1 --at v2
        "
      `)
    })
  })

  it('has no new version if only the time of a file changed', () => {
    shown()
    write('workspace/SOUL.md', '# Soul\n\nCalm.\n', '2026-11-01')
    expect(documents('main', 'SOUL')[0]).toMatchObject({ versions: 1, change: null })
  })

  it('has no new version if everything is read again', () => {
    shown()
    run(['index', '--rebuild'], home)
    expect(documents('main', 'SOUL')[0]).toMatchObject({ versions: 1, change: null })
  })

  it('is found by a search in any version, and removed text is marked', () => {
    shown()
    write('workspace/MEMORY.md', '# Memory\n\nHolds last 15 minutes.\n', '2026-10-10')
    const hits = (query: string) => json(home, 'search', query).hits
    expect(hits('who:memory holds')).toMatchObject([{ session: 'MEMORY.md', who: 'memory', agent: 'main' }])
    expect(hits('who:memory holds')[0].goneSince).toBeUndefined()
    expect(hits('who:memory round')[0].goneSince).toBeDefined()
    expect(run(['search', 'ferns'], home).stdout).toContain('scrollback memory main memory/2026-10-03.md')
  })

  it('is stored and shown without its secrets', () => {
    write('workspace/TOOLS.md', `The token is ${TOKEN}.\n`, '2026-10-06')
    expect(shown('main', 'TOOLS')).toContain('The token is [REDACTED:')
    expect(run(['memory', '--no-redact'], home).stderr).toContain('the store contains no secrets')
  })

  it('is not read as sessions if it is gone', () => {
    shown()
    rmSync(join(home, '.openclaw/workspace/MEMORY.md'))
    const read = run(['read', '--all'], home)
    expect([read.stderr, read.code]).toEqual(['', 1])
  })

  it('of Claude Code belongs to its projects, which have their names if sessions say where they are', () => {
    write('projects/-srv-fern/memory/plants.md', 'Ferns like shade.\n', '2026-10-07', '.claude')
    expect(documents('fern')).toMatchObject([
      { platform: 'claude-code', project: 'srv-fern', name: 'plants.md', kind: 'note' },
    ])
    putClaude(home, 'a', [claude.user(1, 'Water them.', { cwd: '/srv/fern' })], '-srv-fern')
    expect(documents('fern')).toMatchObject([{ project: 'fern', name: 'plants.md' }])
    expect(documents('srv-fern', 'plants')[0].text).toBe('Ferns like shade.')
  })

  it('of an unknown agent is an error that lists the agents', () => {
    const { stderr, code } = run(['memory', 'nobody'], home)
    expect(stderr).toBe('scrollback: No memory of nobody.\nThere is memory of: main, ops\n')
    expect(code).toBe(1)
  })

  it('is empty if there is none, and the searched directories are shown', () => {
    rmSync(join(home, '.openclaw'), { recursive: true })
    expect(run(['memory'], home)).toMatchObject({
      stdout: expect.stringContaining('No memory found'),
      stderr: '',
      code: 1,
    })
  })
})
