import { win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/any-character.ts'
import { encodedName, splitRoot } from './layout.ts'

/** What Windows rejects or changes in a name. */
const REFUSED = /[<>:"/\\|?*\0-\x1f]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

it.each([
  ['gemini-cli', '/tmp/ann/.gemini/projects.json', '/tmp/ann/.gemini'],
  ['gemini-cli', '~/.gemini/tmp/fern/chats/s.jsonl', '~/.gemini'],
  ['claude-code', '/srv/projects/ann/.claude/history.jsonl', '/srv/projects/ann/.claude'],
  ['claude-code', '/srv/projects/ann/.claude/projects/-a/s.jsonl', '/srv/projects/ann/.claude'],
  ['codex', '/srv/sessions/.codex/history.jsonl', '/srv/sessions/.codex'],
])('a folder above the root of %s may be named as one below: %s', (platform, path, root) =>
  expect(splitRoot(platform, path)?.[0]).toBe(root),
)

describe('a file name in an archive', () => {
  it('is valid on every system and stays in its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        const name = encodedName(text)
        expect(name).not.toMatch(REFUSED)
        expect(name.length).toBeLessThan(300)
        expect(win32.dirname(win32.join('C:\\archive', name))).toBe('C:\\archive')
      }),
    )
  })

  it.each(['CON', 'nul.jsonl', 'com1', 'Lpt9.txt', 'a.', 'a ', '..', 'c:', 'a:stream', 'C:\\Users'])(
    'made from "%s" is neither reserved nor changed by Windows',
    (text) => expect(encodedName(text)).not.toMatch(REFUSED),
  )

  it('differs for texts that differ in more than case', () => {
    const names = ['a b', 'a%20b', 'a_b', 'a/b', 'a\\b', 'a:b', 'a.b', 'a.b.', 'a.b ']
    expect(new Set(names.map((name) => encodedName(name).toLowerCase())).size).toBe(names.length)
  })
})
