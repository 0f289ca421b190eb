import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'
import { ScrollbackError } from '../../errors.ts'
import { storeAddress } from './team-store.ts'

const refused = (text: string): string => {
  try {
    storeAddress(text, {})
  } catch (error) {
    if (error instanceof ScrollbackError) return `${error.message} ${error.wayOut}`
  }
  return 'accepted'
}

describe('the address of a team store', () => {
  it('uses TLS, and the port of ClickHouse for it', () => {
    expect(storeAddress('clickhouse://ann@db.example.org/team', { password: 'p' })).toEqual({
      ...{ url: 'https://db.example.org:8443', user: 'ann', password: 'p', database: 'team' },
    })
    expect(storeAddress('clickhouse://db.example.org:9443/team', {})).toMatchObject({
      ...{ url: 'https://db.example.org:9443', user: 'default', password: '' },
    })
  })

  it.each(['127.0.0.1', 'localhost', '[::1]'])('may do without TLS on %s', (host) => {
    expect(storeAddress(`clickhouse://ann@${host}/team?tls=off`, {}).url).toBe(`http://${host}:8123`)
  })

  it.each([
    ['clickhouse://ann@db.example.org/team?tls=off', 'plain text'],
    ['clickhouse://ann@127.0.0.1.example.org/team?tls=off', 'plain text'],
    ['clickhouse://ann@db.example.org/team?tls=maybe', 'tls is on or off'],
    ['clickhouse://ann@db.example.org/team?user=ann', 'no parameters but tls'],
    ['clickhouse://ann@db.example.org/team?secure=1&tls=on', 'no parameters but tls'],
    ['clickhouse://ann@db.example.org/team#ann', 'no parameters but tls'],
    ['clickhouse://ann@db.example.org', 'no database'],
    ['clickhouse://ann@db.example.org/team;DROP', 'no database'],
    ['postgres://ann@db.example.org/team', 'not the address'],
    ['team', 'not the address'],
  ])('is refused if it is %s', (address, words) => {
    expect(refused(address)).toContain(words)
  })

  it.each([
    'clickhouse://ann:pass-of-ann@db.example.org/team',
    'clickhouse://ann@db.example.org/team?password=pass-of-ann',
    'clickhouse://ann@db.example.org/team?tls=on&Password=pass-of-ann',
    'clickhouse://db.example.org/team?user=ann&pwd=pass-of-ann',
    'clickhouse://db.example.org/team?access_token=pass-of-ann',
    'clickhouse://db.example.org/team?%70assword=pass-of-ann',
  ])('is refused with a password in it, which is not repeated: %s', (address) => {
    const said = refused(address)
    expect(said).toContain('SCROLLBACK_STORE_PASSWORD')
    expect(said).not.toContain('pass-of-ann')
  })

  it('takes the password from a file that only its owner can read', () => {
    const path = join(temporaryHome(), 'password')
    writeFileSync(path, 'from-file\n', { mode: 0o600 })
    const read = () => storeAddress('clickhouse://ann@db.example.org/team', { passwordFile: path }).password
    expect(read()).toBe('from-file')
    chmodSync(path, 0o644)
    expect(read).toThrow(/other users/)
  })
})
