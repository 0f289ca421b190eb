/** `<time>_<id>`, without the ending. The id is a UUID or what `--session-id` says, which may contain `_`. */
const TIMED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:-\d{3})?Z_(.+)$/

/** The id of the session in a file, by its name without the ending. Any other name is the id itself. */
export const sessionIdIn = (stem: string): string => TIMED.exec(stem)?.[1] ?? stem

/** Whether a name without the ending is that of a transcript. Its subagents are in a folder of that name. */
export const isTimedStem = (stem: string): boolean => TIMED.test(stem)

/** Whether a file is named as the client names its transcripts. */
export const isTimed = (name: string): boolean => name.endsWith('.jsonl') && isTimedStem(name.slice(0, -6))
