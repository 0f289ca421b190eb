import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextFor } from '../../../test/context.ts'
import { put, temporaryHome } from '../../../test/records.ts'
import { type CollectFlags, readConfiguration, settingsFrom } from './settings.ts'

const NO_FLAGS: CollectFlags = { destination: [], identities: false, normalized: false }

describe('the redaction of a configuration', () => {
  const written = (toml: string) => readConfiguration(put(join(temporaryHome(), 'collect.toml'), toml))
  const redaction = (toml: string, flags: Partial<CollectFlags> = {}, redact = true) =>
    settingsFrom(
      { ...NO_FLAGS, ...flags },
      written(toml),
      contextFor({ home: '/home/ann', variables: {} }, { redact }),
    ).redact

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

  it('has no pattern that could not be used, and names its line', () => {
    const own = '[redact]\nlevel = "strict"\n\n[[redact.patterns]]\nkind = "acme"\npattern = "(a+)+x"\n'
    expect(() => written(own)).toThrow(/collect\.toml:6: redact\.patterns\.0\.pattern: repeats a repetition/)
    expect(() => written('[redact]\nallow = [{ pattern = "(" }]\n')).toThrow(
      /toml:2: .*no regular expression/,
    )
  })
})

describe('the batches and records of a destination', () => {
  const settings = (flags: Partial<CollectFlags>) => () =>
    settingsFrom({ ...NO_FLAGS, ...flags }, {}, contextFor({ home: '/home/ann', variables: {} }))

  it('are not empty, and are skipped by types or beginnings of types', () => {
    expect(settings({ maxRecords: 0 })).toThrow('--max-records: a batch has at least one record')
    expect(settings({ skip: 'us*er' })).toThrow('skip: us*er has a * that is not at its end')
    expect(settings({ skip: 'user, api-*' })().destinations[0]!.skip).toEqual(['user', 'api-*'])
  })
})
