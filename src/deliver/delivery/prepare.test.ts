import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claude, put, putClaude, temporaryHome, uuid } from '../../../test/records.ts'
import type { Environment } from '../../model/artifact.ts'
import type { RedactSettings } from '../../redact/redactor.ts'
import { inventory } from './inventory.ts'
import { prepareSlice } from './prepare.ts'
import type { RecordSettings } from './slice.ts'

/** The envelopes of everything in a home. */
function envelopesOf(home: string, redact: RedactSettings): Record<string, unknown>[] {
  const environment: Environment = {
    home,
    variables: {},
    dirs: { 'claude-code': [join(home, '.claude')], openclaw: [] },
  }
  const settings: RecordSettings = {
    ...{ device: 'moss', deviceId: '0'.repeat(32), home, users: [], tagKey: '', redact },
    ...{ normalized: false, historyFromMs: null, maxRecords: 100, maxBytes: 1e6 },
  }
  return inventory(environment).sources.flatMap((source) => {
    const slice = prepareSlice({ source, settings, nowMs: Date.now() }, String)
    if ('fault' in slice) throw new Error(slice.fault)
    return slice.chunks.flatMap(({ bytes }) =>
      Buffer.from(bytes)
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  })
}

describe('a delivered record', () => {
  it('has what the patterns of the user describe replaced, but for the values they allow', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'The badge is ACME-12345678, not ACME-00000000.'),
      claude.user(2, 'Water the moss.'),
    ])
    put(join(home, '.claude/projects/-home-ann-garden/memory/badges.md'), 'Ask for ACME-87654321.\n')
    const contents = (redact: RedactSettings): string[] =>
      envelopesOf(home, redact).map(({ raw, redactions }) => `${redactions} ${JSON.stringify(raw)}`)
    const patterns = [{ kind: 'acme', pattern: 'ACME-[0-9]{8}' }]
    expect(contents({}).filter((each) => each.includes('ACME-12345678'))).toHaveLength(1)
    const found = contents({ patterns, allow: ['ACME-00000000'] })
    expect(found).toHaveLength(3)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^1 .*The badge is \[REDACTED:acme#\w+\], not ACME-00000000\./),
        expect.stringMatching(/^0 .*Water the moss\./),
        expect.stringMatching(/^1 .*Ask for \[REDACTED:acme#\w+\]\./),
      ]),
    )
  })
})
