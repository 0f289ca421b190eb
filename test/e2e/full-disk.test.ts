import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program, variablesOf } from '../program.ts'
import { createRandom } from '../random.ts'
import { claude, put, putClaude, temporaryHome, text, userLines, uuid } from '../records.ts'

const anyFolder = realpathSync(tmpdir())
const mountable =
  spawnSync('unshare', [
    ...['-r', '-m', 'sh', '-c'],
    // Not every system lets an unprivileged user make it larger.
    `mount -t tmpfs -o size=1m tmpfs '${anyFolder}' && mount -o remount,size=2m '${anyFolder}'`,
  ]).status === 0

describe.skipIf(!mountable)('a full disk (skipped where no small one can be mounted)', () => {
  it('is reported, loses nothing that was stored, and commands use the stored content', () => {
    const home = temporaryHome()
    const disk = join(home, 'disk')
    mkdirSync(disk)
    putClaude(home, uuid(1), userLines(1, 2))
    const words = (number: number) => Array.from({ length: 60 }, (_, each) => `w${number}x${each}`).join(' ')
    put(
      join(home, 'more'),
      Array.from({ length: 2000 }, (_, number) => claude.reply(number + 9, [text(words(number))])),
    )
    const script = `
      mount -t tmpfs -o size=1500k tmpfs disk
      tell() { echo "$ $*"; "$NODE" "$PROGRAM" "$@" 2>&1 | sed "s|$HOME|~|g; s| in [0-9.]* [kM]B.*||"; echo "exit \${PIPESTATUS[0]}"; }
      tell index
      cat more >> .claude/projects/-home-ann-garden/${uuid(1)}.jsonl
      tell index
      tell search fern
      cat /dev/zero > disk/filler 2>/dev/null
      tell search fern
      tell index
      rm disk/filler
      mount -o remount,size=100m disk
      tell index
      tell search fern
      tell doctor --deep`
    const { stdout } = spawnSync('unshare', ['-r', '-m', 'bash', '-c', script], {
      encoding: 'utf8',
      cwd: home,
      env: variablesOf(home, { SCROLLBACK_HOME: disk, NODE: process.execPath, PROGRAM: program }),
    })
    expect(stdout).toMatchInlineSnapshot(`
      "$ index
      Read 638 B of 1 file; 0 files unchanged.
      The store contains 2 messages of 1 transcript
      exit 0
      $ index
      scrollback: The disk is full: the store at ~/disk/store.sqlite could not be written.
      Nothing stored before is lost. Free some space, or set SCROLLBACK_HOME to a folder on another disk.
      exit 1
      $ search fern
      The disk is full: the store at ~/disk/store.sqlite could not be written. This answer shows what was stored before.
      Incomplete: searched 0 of 1 file.
      ━━ 2026-11-01 · garden · Claude Code · fern 1
        :2 26-11-01 10:02  You     fern 2
        :1 26-11-01 10:01  You     fern 1
        scrollback read 0a1b2c3d:2

      2 matches in 1 session
      exit 3
      $ search fern
      The store ~/disk/store.sqlite is read-only: this answer is as old as its last update.
      ━━ 2026-11-01 · garden · Claude Code · fern 1
        :2 26-11-01 10:02  You     fern 2
        :1 26-11-01 10:01  You     fern 1
        scrollback read 0a1b2c3d:2

      2 matches in 1 session
      exit 3
      $ index
      scrollback: Nothing was indexed: the store at ~/disk/store.sqlite cannot be written.
      Make room on its disk, or make it and its folder writable, or set SCROLLBACK_HOME to another folder.
      exit 1
      $ index
      Read 2.0 MB of 1 file; 0 files unchanged.
      The store contains 2,002 messages of 1 transcript
      exit 0
      $ search fern
      ━━ 2026-11-01 · garden · Claude Code · fern 1
        :2 26-11-01 10:02  You     fern 2
        :1 26-11-01 10:01  You     fern 1
        scrollback read 0a1b2c3d:2

      2 matches in 1 session
      exit 0
      $ doctor --deep
      ✓ ~/.claude (default)
      · ~/.openclaw (default) is missing

      1 file, 2.0 MB, 2,002 lines: 2,002 indexed, 0 skipped on purpose, 0 of unknown type, 0 damaged.
      The store contains 2,002 messages with 2,002 occurrences

      Nothing is missing; every file was read again and compared.
      exit 0
      "
    `)
  })

  it.each([
    ['for the archive', 'data'],
    ['for archive and state', 'disk'],
  ])('%s: collect reports how many records are in the archive, and delivers the rest later', (_, data) => {
    const home = temporaryHome()
    const random = createRandom(20261122)
    const noise = () => Array.from({ length: 120 }, () => random(2 ** 31).toString(36)).join('')
    for (let file = 1; file <= 4; file++)
      putClaude(
        home,
        uuid(file),
        Array.from({ length: 900 }, (_, number) => claude.user(file * 1000 + number, noise())),
      )
    mkdirSync(join(home, 'disk'))
    const script = `
      mount -t tmpfs -o size=1m tmpfs disk
      tell() { "$NODE" "$PROGRAM" collect "$@" 2>/dev/null; echo "exit $?"; }
      tell file:disk/archive --history all --json
      tell --verify disk/archive --json
      mount -o remount,size=100m disk
      tell file:disk/archive --json
      tell --verify disk/archive --json`
    const { stdout } = spawnSync('unshare', ['-r', '-m', 'bash', '-c', script], {
      ...{ encoding: 'utf8', cwd: home, maxBuffer: 1 << 24 },
      env: variablesOf(home, { SCROLLBACK_HOME: join(home, data), NODE: process.execPath, PROGRAM: program }),
    })
    const answers = stdout.split(/^exit (\d)\n/m)
    const [full, , verified, , rest, , whole] = answers.map((text) =>
      text.startsWith('{') ? JSON.parse(text) : undefined,
    )
    expect([1, 3, 5, 7].map((at) => answers[at])).toEqual(['3', '0', '0', '0'])
    const [{ records, error }] = full.destinations
    expect(error).toContain('disk is full')
    expect(records).toBeGreaterThan(0)
    expect(records).toBe(verified.verified.records)
    expect(verified.verified.torn).toEqual([])
    expect(rest.destinations[0].error).toBe(null)
    expect(whole.verified.distinct).toBe(3600)
    expect(whole.verified.records).toBe(records + rest.destinations[0].records)
  })
})
