import { call, claude, text } from './records.ts'

export const HOUR = 3_600_000
export const UTC = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetMs: 0 }]
/** Records are numbered in minutes from here. */
export const BEGIN = Date.UTC(2026, 10, 1, 10)
/** In records. */
export const DAY = 1440

/** Everything that is counted, on five days, and something without a time. */
export const lines = (first = 1): object[] => [
  claude.user(first, 'Water the roses'),
  ...[0, 1, 2, 3, 4].flatMap((day) => {
    const number = first + day * DAY + 1
    return [
      claude.user(number, `Day ${day} of it`),
      claude.reply(number + 1, [
        text('I do.'),
        call(`t${number}`, 'Edit', { file_path: `/srv/${day}.ts`, old_string: 'a', new_string: 'b' }),
      ]),
      claude.result(number + 2, `t${number}`, 'no such file', true),
    ]
  }),
  { ...claude.user(first + 9, 'Nobody knows when'), timestamp: undefined },
]
