import { call, claude, text, uuid } from './records.ts'

const queued = (operation: string, content?: string) => ({
  ...{ type: 'queue-operation', operation, ...(content && { content }) },
  timestamp: '2026-11-01T10:20:00Z',
})

/** The lines of a transcript that a version before the state had parts has read. */
export const olderLines: readonly object[] = [
  claude.user(1, 'Water the moss'),
  claude.reply(2, [text('I will.'), call('toolu_1', 'Bash', { command: 'water moss' })]),
  claude.result(3, 'toolu_1', 'No such plant', true),
  claude.user(4, 'Then the fern', { parentUuid: uuid(3) }),
  claude.reply(5, [text('The fern has water.')]),
  claude.user(6, 'The rose instead', { parentUuid: uuid(3) }),
  claude.reply(7, [text('The rose has water.')]),
  queued('enqueue', 'and the beans'),
  queued('remove'),
  claude.user(8, 'Below a lost record', { parentUuid: uuid(30) }),
]

/** Lines that follow. Each of them changes something about the lines before. */
export const laterLines: readonly object[] = [
  claude.user(9, 'and the beans', { parentUuid: uuid(7) }),
  claude.reply(10, [text('Done.')]),
  claude.user(1, 'Water the moss'),
  claude.user(30, 'The lost record', { parentUuid: uuid(5) }),
  claude.reply(31, [text('Back at the fern.')], { parentUuid: uuid(8) }),
  claude.reply(32, [call('toolu_1', 'Bash', { command: 'water moss' })]),
]
