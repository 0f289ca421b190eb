import { hash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'

const grant = (home: string, ...words: string[]) =>
  run(['store', 'grant', '--database', 'team', '--passwords', join(home, 'keys'), ...words], home)

it.each([
  [[], 'the action is missing'],
  [['schema', '--reader', 'ann'], 'it does not take --reader, which is for grant'],
  [['grant', '--passwords', 'x', '--database', 'team'], 'no user is named'],
  [['grant', '--reader', 'ann', '--passwords', 'x'], '--database is missing'],
  [['grant', '--reader', 'ann', '--database', 'team'], '--passwords is missing'],
  [['grant', '--device', ''], 'a name is empty'],
  [['grant', '--device', ' '], 'a name is empty'],
  [['grant', '--reader', ''], 'a name is empty'],
  [['grant', '--admin', ''], 'a name is empty'],
  [['grant', '--reader', 'default'], 'administers the server'],
  [['grant', '--admin', 'default'], 'administers the server'],
  [
    ['grant', '--reader', 'root', '--store', 'clickhouse://root@db.example.org/team'],
    'administers the server',
  ],
  [['grant', '--reader', 'device_oak'], 'those of machines'],
  [['grant', '--admin', 'device_oak'], 'those of machines'],
  [['grant', '--reader', 'ann', '--admin', 'ann', '--database', 'team', '--passwords', 'x'], 'named twice'],
  [['status'], '--store is missing'],
  [['upgrade', '--dry-run'], '--store is missing'],
  [['frobnicate'], 'frobnicate'],
])('store says what is wrong with %j', (words, message) => {
  const { stdout, stderr, code } = run(['store', ...words], temporaryHome())
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
  expect(stderr).toContain(message)
  expect(stderr.trim().split('\n').length).toBeGreaterThan(1)
})

it.each([
  ['sessions', '--all', '--store', 'clickhouse://ann@127.0.0.1:1/team?tls=off&password=rosebud'],
  ['collect', 'clickhouse://ann@127.0.0.1:1/team?tls=off&password=rosebud'],
  ['store', 'copy', 'clickhouse://ann@127.0.0.1:1/team?password=rosebud', 'x.sqlite'],
  ['serve', '--store', 'clickhouse://ann@127.0.0.1:1/team?password=rosebud'],
])('an address of a team store with a password in it is refused, and not repeated: %s %s', (...words) => {
  const { stdout, stderr, code } = run(words, temporaryHome())
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
  expect(stderr).toContain('--store-password-file')
  expect(stdout + stderr).not.toContain('rosebud')
})

describe('store grant', () => {
  it('generates a password for each user, in a file that only its owner can read', () => {
    const home = temporaryHome()
    const machine = grant(home, '--device', 'oak')
    const readers = grant(home, '--reader', 'ann', '--reader', 'a/../b')
    expect([machine.code, readers.code]).toEqual([0, 0])
    const stdout = machine.stdout + readers.stdout
    const files = readdirSync(join(home, 'keys'))
    expect(files.sort()).toEqual(['a%2F..%2Fb.password', 'ann.password', 'device_oak.password'])
    for (const name of files) {
      const password = readFileSync(join(home, 'keys', name), 'utf8').trim()
      expect(statSync(join(home, 'keys', name)).mode & 0o077).toBe(0)
      expect(password.length).toBeGreaterThan(40)
      expect(stdout).not.toContain(password)
      expect(stdout).toContain(`sha256_hash BY '${hash('sha256', password, 'hex')}'`)
    }
    expect(grant(home, '--device', 'oak').stdout).toBe(machine.stdout)
  })

  it('needs no password for those whom an LDAP server knows', () => {
    const home = temporaryHome()
    const words = ['store', 'grant', '--database', 'team', '--reader', 'ann', '--ldap', "staff's"]
    const { stdout, code } = run(words, home)
    expect(code).toBe(0)
    expect(stdout).toContain("IDENTIFIED WITH ldap SERVER 'staff\\'s'")
    expect(stdout).toContain('-- "ann" reads everything in "team", within limits')
    expect(stdout).not.toContain('sha256')
  })

  it('refuses a password that others can read, and one that is easy to find from its hash', () => {
    const home = temporaryHome()
    grant(home, '--reader', 'ann')
    const file = join(home, 'keys/ann.password')
    chmodSync(file, 0o644)
    expect(grant(home, '--reader', 'ann').stderr).toContain('chmod 600')
    chmodSync(file, 0o600)
    writeFileSync(file, 'rosebud\n')
    const { stdout, stderr, code } = grant(home, '--reader', 'ann')
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain('shorter than 20 characters')
    expect(stderr).not.toContain('rosebud')
  })

  it('refuses names that do not look like what they are', () => {
    const home = temporaryHome()
    for (const name of ['ann\nDROP', 'a\u202enn', 'a\u001b[2Jnn', ''])
      expect(grant(home, '--reader', name)).toMatchObject({ stdout: '', code: 2 })
    expect(grant(home, '--reader', "o'hara`; --").stdout).toContain("`o'hara\\`; --`")
  })
})
