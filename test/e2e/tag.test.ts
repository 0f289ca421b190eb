import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoHome, type Json, json, printed, run } from '../program.ts'

const CHECKOUT = '640ab4c7'
const ids = (folder: string, ...args: string[]): string[] =>
  json(folder, ...args).sessions.map(({ id }: Json) => id.slice(0, 8))

describe('a tag', () => {
  it('selects its sessions in every listing and in search, also after the index is rebuilt', () => {
    const folder = demoHome()
    expect(printed(folder, 'tag', CHECKOUT, 'payments', '--star', '--name', 'The refund decision')).toBe(
      `${CHECKOUT}  ★ The refund decision\nTags: payments\n`,
    )
    for (const again of [false, true]) {
      if (again) expect(run(['index', '--rebuild'], folder).code).toBe(0)
      expect(ids(folder, 'sessions', '--all', '--tag', 'PAYMENTS')).toEqual([CHECKOUT])
      expect(ids(folder, 'sessions', '--all', '--starred')).toEqual([CHECKOUT])
      expect(ids(folder, 'sessions', '--all', '--title', 'refund dec')).toEqual([CHECKOUT])
      expect(run(['sessions', '--all'], folder).stdout).toContain('★ [payments] The refund decision')
      const { hits } = json(folder, 'search', 'tag:payments is:starred')
      expect(new Set(hits.map(({ session }: Json) => session.slice(0, 8)))).toEqual(new Set([CHECKOUT]))
    }
    const others = json(folder, 'search', 'tea -tag:payments').hits
    expect(others.some(({ session }: Json) => session.startsWith(CHECKOUT))).toBe(false)
    expect(others.length).toBeGreaterThan(0)
    expect(run(['read', '--all', '--tag', 'payments'], folder).stdout).toContain('round the tax')
  })

  it('can be taken away, with the star and the name', () => {
    const folder = demoHome()
    run(['tag', CHECKOUT, 'payments', 'urgent', '--star', '--name', 'x'], folder)
    const { stdout } = run(
      ['tag', CHECKOUT, '--remove', 'payments,urgent', '--no-star', '--name', ''],
      folder,
    )
    expect(stdout).toBe(`${CHECKOUT}  Checkout and payments\nNo tags.\n`)
    expect(run(['tag'], folder).stdout).toMatch(/^No session has a star, a name or a tag\./)
  })

  it('of a rule follows the sessions that the rule finds', () => {
    const folder = demoHome()
    run(['tag', '--rule', 'refunds', '--when', 'refund'], folder)
    expect(ids(folder, 'sessions', '--all', '--tag', 'refunds')).toContain(CHECKOUT)
    expect(json(folder, 'tag').tags).toEqual([{ tag: 'refunds', sessions: 2, queries: ['refund'] }])
    expect(run(['search', 'tag:refunds tax'], folder).stdout).toContain('Checkout and payments')
    expect(run(['tag', '--remove-rule', 'refunds'], folder).code).toBe(0)
    expect(ids(folder, 'sessions', '--all', '--tag', 'refunds')).toEqual([])
    expect(run(['tag', '--remove-rule', 'refunds'], folder)).toMatchObject({ code: 1 })
  })

  it('changes nothing if its command is wrong', () => {
    const folder = demoHome()
    for (const [args, message] of [
      [[CHECKOUT, 'two words'], 'not a valid tag'],
      [['--star'], 'The session is missing'],
      [['--rule', 'x'], '--when is missing'],
      [['--when', 'x'], '--rule is missing'],
      [['--rule', 'x', '--when', 'tag:y'], 'a rule cannot search for tags'],
      [['--rule', 'x', '--when', 'before:soon y'], 'before:soon is not a valid time'],
      [['ffffffff', 'x'], 'ffffffff'],
    ] as const) {
      const { stderr, code } = run(['tag', ...args], folder)
      expect(stderr).toContain(message)
      expect(code, message).toBeGreaterThan(0)
    }
    expect(json(folder, 'tag')).toMatchObject({ tags: [], sessions: [] })
  })

  it('that nobody uses is reported, with existing ones', () => {
    const folder = demoHome()
    run(['tag', CHECKOUT, 'payments'], folder)
    expect(run(['search', 'tag:paymets tea'], folder).stderr).toContain(
      'tag:paymets: no such tag in any session. Did you mean payments?',
    )
  })

  it('is reported as unreadable if its file is damaged, and the answer still comes', () => {
    const folder = demoHome()
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
