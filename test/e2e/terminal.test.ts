import { describe, expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { inTerminal, KEYS, type Typed } from '../terminal.ts'

/** The installed package, in a terminal of 80 columns and 24 lines. */
const shown = (args: string, home: string, types: Typed[] = [], env: NodeJS.ProcessEnv = {}) =>
  inTerminal(`${process.execPath} ${installed().program} ${args}`, { cwd: home, types, env })

function home(): string {
  const made = temporaryHome()
  for (const [number, name] of ['eastore', 'eastore-web', 'shed'].entries())
    putClaude(
      made,
      uuid(number + 1),
      [claude.user(number + 1, `about ${name}`, { cwd: `/home/ann/${name}` })],
      `-home-ann-${name}`,
    )
  return made
}

describe('a question in a terminal', { timeout: 120_000 }, () => {
  it('offers what a name may mean, and takes what is chosen', async () => {
    const first = await shown('sessions eastore', home(), [{ after: '\x1b[?25l', keys: KEYS.enter }])
    expect(first.text).toContain('Which one is "eastore"?')
    expect(first).toMatchObject({ code: 0, text: expect.stringContaining('1 session;') })
    const all = await shown('sessions eastore', home(), [
      { after: '\x1b[?25l', keys: KEYS.up },
      { after: 'All of them', keys: KEYS.enter },
    ])
    expect(all).toMatchObject({ code: 0, text: expect.stringContaining('2 sessions;') })
  })

  it('ends in the list where nobody chooses', async () => {
    const { text, code } = await shown('sessions eastore', home(), [
      { after: '\x1b[?25l', keys: KEYS.escape },
    ])
    expect(text).toContain('may mean any of 2')
    expect(code).toBe(2)
  })

  it('is not asked by a name that is whole', async () => {
    const { raw, code } = await shown('sessions eastore-web', home())
    expect(raw).not.toContain('\x1b[?25l')
    expect(code).toBe(0)
  })
})
