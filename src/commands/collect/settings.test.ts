import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put, temporaryHome } from '../../../test/records.ts'
import { type CollectFlags, readConfiguration, settingsFrom } from './settings.ts'

const NO_FLAGS: CollectFlags = { destination: [], identities: false, normalized: false }

describe('the redaction of a configuration', () => {
  const written = (toml: string) => readConfiguration(put(join(temporaryHome(), 'collect.toml'), toml))
  const redaction = (toml: string, flags: Partial<CollectFlags> = {}, redact = true) =>
    settingsFrom({ ...NO_FLAGS, ...flags }, written(toml), {
      environment: { home: '/home/ann', variables: {} },
      now: 0,
      directory: '/home/ann',
      here: '/home/ann',
      threads: 1,
      machine: { device: 'moss', user: 'ann' },
      storePath: ':memory:',
      dataFolder: '/home/ann/.scrollback',
      redact,
    }).redact

  it('includes patterns and allowed values of the user, whatever the flags', () => {
    const toml = `[redact]
allow = ["ACME-00000000"]
[[redact.patterns]]
kind = "acme"
pattern = "ACME-[0-9]{8}"
`
    const own = { allow: ['ACME-00000000'], patterns: [{ kind: 'acme', pattern: 'ACME-[0-9]{8}' }] }
    expect(redaction(toml)).toEqual({ ...own, level: 'standard', identities: false })
    expect(redaction(toml, { redact: 'strict', identities: true })).toEqual({
      ...own,
      level: 'strict',
      identities: true,
    })
  })

  it('has the level of the flag, else the one of the file, which --no-redact turns off', () => {
    const toml = '[redact]\nlevel = "strict"\n'
    expect(redaction(toml).level).toBe('strict')
    expect(redaction(toml, { redact: 'standard' }).level).toBe('standard')
    expect(redaction(toml, {}, false).level).toBe('off')
    expect(redaction('').level).toBe('standard')
  })
})
