import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

/** A home with the sessions of the demo. */
function home(): string {
  const folder = temporaryHome()
  for (const name of ['.claude', '.openclaw'])
    cpSync(join(checkout, 'demo', name), join(folder, name), { recursive: true })
  return folder
}

const CHECKOUT = '640ab4c7'
const ids = (folder: string, ...args: string[]): string[] =>
  JSON.parse(run([...args, '--json'], folder).stdout).sessions.map(({ id }: { id: string }) => id.slice(0, 8))

describe('a tag', () => {
  it('selects its sessions in every listing and in search, also after the index is rebuilt', () => {
    const folder = home()
    expect(
      run(['tag', CHECKOUT, 'payments', '--star', '--name', 'The refund decision'], folder),
    ).toMatchObject({
      stdout: `${CHECKOUT}  ★ The refund decision\nTags: payments\n`,
      stderr: '',
      code: 0,
    })
    for (const again of [false, true]) {
      if (again) expect(run(['index', '--rebuild'], folder).code).toBe(0)
      expect(ids(folder, 'sessions', '--all', '--tag', 'PAYMENTS')).toEqual([CHECKOUT])
      expect(ids(folder, 'sessions', '--all', '--starred')).toEqual([CHECKOUT])
      expect(ids(folder, 'sessions', '--all', '--title', 'refund dec')).toEqual([CHECKOUT])
      expect(run(['sessions', '--all'], folder).stdout).toContain('★ [payments] The refund decision')
      const hits = JSON.parse(run(['search', 'tag:payments is:starred', '--json'], folder).stdout).hits
      expect(new Set(hits.map(({ session }: { session: string }) => session.slice(0, 8)))).toEqual(
        new Set([CHECKOUT]),
      )
    }
    const others = JSON.parse(run(['search', 'tea -tag:payments', '--json'], folder).stdout).hits
    expect(others.some(({ session }: { session: string }) => session.startsWith(CHECKOUT))).toBe(false)
    expect(others.length).toBeGreaterThan(0)
    expect(run(['read', '--all', '--tag', 'payments'], folder).stdout).toContain('round the tax')
  })

  it('can be taken away, with the star and the name', () => {
    const folder = home()
    run(['tag', CHECKOUT, 'payments', 'urgent', '--star', '--name', 'x'], folder)
    const { stdout } = run(
      ['tag', CHECKOUT, '--remove', 'payments,urgent', '--no-star', '--name', ''],
      folder,
    )
    expect(stdout).toBe(`${CHECKOUT}  Checkout and payments\nNo tags.\n`)
    expect(run(['tag'], folder).stdout).toMatch(/^No session has a star, a name or a tag\./)
  })

  it('of a rule follows the sessions that the rule finds', () => {
    const folder = home()
    run(['tag', '--rule', 'refunds', '--when', 'refund'], folder)
    expect(ids(folder, 'sessions', '--all', '--tag', 'refunds')).toContain(CHECKOUT)
    const { tags } = JSON.parse(run(['tag', '--json'], folder).stdout)
    expect(tags).toEqual([{ tag: 'refunds', sessions: 2, queries: ['refund'] }])
    expect(run(['search', 'tag:refunds tax'], folder).stdout).toContain('Checkout and payments')
    expect(run(['tag', '--remove-rule', 'refunds'], folder).code).toBe(0)
    expect(ids(folder, 'sessions', '--all', '--tag', 'refunds')).toEqual([])
    expect(run(['tag', '--remove-rule', 'refunds'], folder)).toMatchObject({ code: 1 })
  })

  it.each([
    [['tag', CHECKOUT, 'two words'], 'not a valid tag'],
    [['tag', '--star'], 'The session is missing'],
    [['tag', '--rule', 'x'], '--when is missing'],
    [['tag', '--when', 'x'], '--rule is missing'],
    [['tag', '--rule', 'x', '--when', 'tag:y'], 'a rule cannot search for tags'],
    [['tag', '--rule', 'x', '--when', 'before:soon y'], 'before:soon is not a valid time'],
    [['tag', 'ffffffff', 'x'], 'ffffffff'],
  ])('fails for %j, and changes nothing', (args, message) => {
    const folder = home()
    const { stderr, code } = run(args, folder)
    expect(stderr).toContain(message)
    expect(code).toBeGreaterThan(0)
    expect(JSON.parse(run(['tag', '--json'], folder).stdout)).toMatchObject({ tags: [], sessions: [] })
  })

  it('that nobody uses is reported, with existing ones', () => {
    const folder = home()
    run(['tag', CHECKOUT, 'payments'], folder)
    expect(run(['search', 'tag:paymets tea'], folder).stderr).toContain(
      'tag:paymets: no such tag in any session. Did you mean payments?',
    )
  })

  it('is reported as unreadable if its file is damaged, and the answer still comes', () => {
    const folder = home()
    const env = { SCROLLBACK_HOME: join(folder, 'own') }
    run(['tag', CHECKOUT, 'payments'], folder, { env })
    writeFileSync(join(folder, 'own/annotations.sqlite'), 'no database'.repeat(500))
    const { stdout, stderr, code } = run(['sessions', '--all'], folder, { env })
    expect(stdout).toContain('Checkout and payments')
    expect(stderr).toContain('annotations.sqlite cannot be read: the file is damaged')
    expect(code).toBe(3)
    expect(run(['tag', CHECKOUT, 'x'], folder, { env }).code).toBe(1)
  })
})
