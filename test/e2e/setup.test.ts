import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { checkout, run } from '../program.ts'
import { put, putProgram, temporaryHome } from '../records.ts'
import { inTerminal, KEYS } from '../terminal.ts'

/** Agent programs that record how they were started, and end with a given exit code. */
function homeWith(...programs: { name: string; exit?: number }[]): { home: string; env: NodeJS.ProcessEnv } {
  const home = temporaryHome()
  for (const { name, exit = 0 } of programs)
    putProgram(home, name, `echo "${name} $*" >> "$HOME/started"\nexit ${exit}`)
  return { home, env: { PATH: `${join(home, 'bin')}:${process.env.PATH}` } }
}

const started = (home: string): string =>
  existsSync(join(home, 'started')) ? readFileSync(join(home, 'started'), 'utf8') : ''

const ours = readFileSync(join(checkout, 'skills/scrollback/SKILL.md'), 'utf8')

describe('scrollback setup', () => {
  it.each([
    ['claude', { CLAUDE_CONFIG_DIR: '~/agents/claude' }, 'agents/claude'],
    ['openclaw', { OPENCLAW_HOME: '~/agents' }, 'agents/.openclaw'],
    ['openclaw', { OPENCLAW_STATE_DIR: '~/state' }, 'state'],
  ])('installs the skill for %s in the directory that %o determines', (agent, variables, folder) => {
    const { home, env } = homeWith({ name: agent }, { name: 'scrollback' })
    run(['setup', agent, '--yes'], home, { env: { ...env, ...variables } })
    expect(readFileSync(join(home, folder, 'skills/scrollback/SKILL.md'), 'utf8')).toBe(ours)
  })

  it('only shows its changes if nobody can be asked', () => {
    const { home, env } = homeWith({ name: 'claude' }, { name: 'scrollback' })
    const { stdout, code } = run(['setup', 'claude'], home, { env })
    expect(stdout).toBe(`· write ~/.claude/skills/scrollback/SKILL.md
· run claude mcp add scrollback --scope user -- scrollback mcp

Nothing was changed. To do it without a question: scrollback setup claude --yes

For the status line, add this to ~/.claude/settings.json:
  "statusLine": {"type":"command","command":"scrollback statusline"}
`)
    expect([code, started(home), existsSync(join(home, '.claude'))]).toEqual([0, '', false])
  })

  it.each([
    [
      'claude',
      '.claude',
      'claude mcp add scrollback --scope user -- scrollback mcp',
      'claude mcp remove --scope user scrollback',
    ],
    [
      'openclaw',
      '.openclaw',
      'openclaw mcp add scrollback --command scrollback --arg mcp',
      'openclaw mcp unset scrollback',
    ],
  ])(
    'installs the skill and the tools for %s, reports a second time, and undoes both',
    (agent, folder, added, removed) => {
      const { home, env } = homeWith({ name: agent }, { name: 'scrollback' })
      const path = join(home, folder, 'skills/scrollback/SKILL.md')
      expect(run(['setup', agent, '--yes'], home, { env }).stdout).toContain(
        `✓ write ~/${folder}/skills/scrollback/SKILL.md\n✓ run ${added}\n`,
      )
      expect(readFileSync(path, 'utf8')).toBe(ours)
      const again = JSON.parse(run(['setup', agent, '--json'], home, { env }).stdout)
      expect(again.steps[0]).toMatchObject({ state: 'unchanged', why: 'is there already' })
      expect(run(['setup', agent, '--undo', '--yes'], home, { env }).code).toBe(0)
      expect(existsSync(join(home, folder))).toBe(false)
      expect(started(home)).toBe(`${added}\n${removed}\n`)
    },
  )

  it.each(['claude', 'openclaw'])('of %s ends well twice, after an update, and undone twice', (agent) => {
    const { home, env } = homeWith({ name: 'scrollback' })
    const settings = join(home, 'server')
    // Like the clients, it refuses to add what is there, and to remove or show what is not.
    const client = `case "$2" in
add) [ -e "$HOME/server" ] && { echo "MCP server scrollback already exists" >&2; exit 1; }; echo "$*" > "$HOME/server" ;;
remove|unset) rm "$HOME/server" 2> /dev/null || { echo "No MCP server named scrollback" >&2; exit 1; } ;;
get|show) [ -e "$HOME/server" ] ;;
esac`
    putProgram(home, agent, client)
    const setup = (...flags: string[]) => run(['setup', agent, '--yes', ...flags], home, { env })
    expect(setup()).toMatchObject({ code: 0, stderr: '' })
    put(settings, 'add scrollback /old/place/scrollback.js mcp')
    const again = setup()
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('(replaces the earlier one)')
    expect(readFileSync(settings, 'utf8')).not.toContain('/old/place')
    expect(setup('--undo')).toMatchObject({ code: 0, stderr: '' })
    const nothing = setup('--undo')
    expect(nothing).toMatchObject({ code: 0, stderr: '' })
    expect(nothing.stdout).toContain('(it is not there)')
    expect(existsSync(settings)).toBe(false)
  })

  it.each([
    ['pi', '.pi/agent/skills'],
    ['opencode', '.config/opencode/skills'],
  ])(
    'installs the skill alone for a client to which no command adds a server, and removes it: %s',
    (client, folder) => {
      const { home, env } = homeWith({ name: client })
      const path = join(home, folder, 'scrollback/SKILL.md')
      expect(run(['setup', client, '--yes'], home, { env }).stdout).toBe(
        `✓ write ~/${folder}/scrollback/SKILL.md\n`,
      )
      expect([readFileSync(path, 'utf8'), started(home)]).toEqual([ours, ''])
      expect(run(['setup', client, '--undo', '--yes'], home, { env }).code).toBe(0)
      expect(existsSync(path)).toBe(false)
    },
  )

  it('says what the status line needs, which is added by hand', () => {
    const { home, env } = homeWith({ name: 'claude' }, { name: 'scrollback' })
    const { stdout } = run(['setup', 'claude', '--yes'], home, { env })
    expect(stdout).toContain(`For the status line, add this to ~/.claude/settings.json:
  "statusLine": {"type":"command","command":"scrollback statusline"}`)
    expect(run(['setup', 'openclaw'], home, { env }).stdout).not.toContain('status line')
    expect(run(['setup', 'claude', '--undo'], home, { env }).stdout).toContain(
      'To do it without a question: scrollback setup claude --undo --yes',
    )
  })

  it('leaves the files of others, next to the skill or in its place', () => {
    const { home, env } = homeWith()
    const path = put(join(home, '.claude/skills/scrollback/SKILL.md'), 'somebody else wrote this\n')
    expect(run(['setup', 'claude', '--undo', '--yes'], home, { env }).stdout).toContain(
      '(is no skill of ours)',
    )
    expect(existsSync(path)).toBe(true)
    put(path, ours)
    put(join(home, '.claude/skills/scrollback/notes.md'), 'mine\n')
    expect(run(['setup', 'claude', '--undo', '--yes'], home, { env }).stdout).toContain('✓ delete')
    expect(existsSync(join(home, '.claude/skills/scrollback/notes.md'))).toBe(true)
  })

  it('reports what failed, and what is not installed', () => {
    const failing = homeWith({ name: 'claude', exit: 3 })
    const { stdout, code } = run(['setup', 'claude', '--yes'], failing.home, { env: failing.env })
    expect(stdout).toContain('(it ended with 3)')
    expect(code).toBe(3)
    const without = homeWith()
    expect(run(['setup', 'openclaw', '--yes'], without.home, { env: without.env }).stdout).toContain(
      'openclaw is not installed, or not on your PATH',
    )
    expect(run(['setup'], without.home)).toMatchObject({ code: 2, stdout: '' })
    expect(run(['setup', 'cursor'], without.home)).toMatchObject({ code: 2, stdout: '' })
  })

  it('asks in a terminal, and does nothing if the answer is no', async () => {
    const { home, env } = homeWith({ name: 'claude' })
    const line = `${process.execPath} ${installed().program} setup claude`
    const types = (keys: string) => [{ after: '\x1b[?25l', keys }]
    const no = await inTerminal(line, { cwd: home, env, types: types(`${KEYS.down}${KEYS.enter}`) })
    expect(no.text).toContain('Nothing was changed')
    expect(existsSync(join(home, '.claude'))).toBe(false)
    const yes = await inTerminal(line, { cwd: home, env, types: types(KEYS.enter) })
    expect(yes.text).toContain('✓ write')
    expect(started(home)).toContain('claude mcp add')
  })
})
