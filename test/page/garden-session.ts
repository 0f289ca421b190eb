import { join } from 'node:path'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { call, claude, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { served, sharedServed } from './browser.ts'

/** The sessions of the home, the newest first. */
export const NEWER = uuid(300)
export const GARDEN = uuid(200)
export const OLDER = uuid(100)

/** Questions, runs of calls and answers in turn. The line of a record is its number minus 20. */
const LINES = [
  claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
  claude.reply(22, [text('In the shade.')]),
  claude.user(23, 'And in winter?'),
  claude.reply(24, [call('toolu_24', 'Bash', { command: 'ls /srv/garden' })]),
  claude.result(25, 'toolu_24', 'ferns.md'),
  claude.reply(26, [call('toolu_26', 'Read', { file_path: '/srv/garden/ferns.md' })]),
  claude.result(27, 'toolu_26', 'They sleep under leaves.'),
  claude.reply(28, [text('They sleep.')]),
  claude.user(29, 'And the moss?'),
  claude.reply(30, [text('It stays green.')]),
]

/** A server over a home with three sessions, of which the middle one has all kinds of rows. */
export async function servedGarden(lines: readonly object[] = LINES) {
  const { flags, data, ...garden } = plantGarden(temporaryHome(), lines)
  return { ...(await served(flags, { data })), ...garden }
}

/** The same for all tests of a file that change nothing of it. */
export function sharedGarden(lines: readonly object[]) {
  const garden = plantGarden(sharedHome(), lines)
  return { ...garden, server: sharedServed(garden.flags, garden) }
}

function plantGarden(home: string, lines: readonly object[]) {
  const of = (sessionId: string, records: readonly object[]): string =>
    putClaude(
      home,
      sessionId,
      records.map((record) => ({ ...record, sessionId })),
    )
  of(OLDER, [claude.user(11, 'Who waters the ivy?', { parentUuid: null })])
  of(NEWER, [claude.user(51, 'Who cuts the hedge?', { parentUuid: null })])
  const path = of(GARDEN, lines)
  const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
  return { home, path, flags, data: join(home, 'data') }
}
