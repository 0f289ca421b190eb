/**
 * What tools write before the text of a line: signs of a diff, line numbers, times, levels, names of files,
 * programs and containers, and frames.
 */
const pieces = [
  // Steps of a build.
  String.raw`#\d{1,3} \d{1,5}\.\d{1,3}`,
  // Diffs, quotations, frames, prompts, comments and lists.
  '[-+<>|│┃▏*$#!]{1,2}|//|remote:',
  // Times.
  String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?\]?`,
  String.raw`\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?`,
  String.raw`[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?: [\w.-]{1,60})?`,
  // Numbers of lines, whose tab may be escaped.
  String.raw`\d{1,6}(?:\t|\\{1,16}t| {0,4}[→|│:-]|\.? )`,
  // Levels and streams.
  String.raw`\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|NOTICE|LOG|stdout|stderr)\]?(?: F)?:?`,
  // Names of programs, containers and files.
  String.raw`\[[\w .:/@-]{1,40}\]:?`,
  String.raw`[\w.-]{1,40}\[\d{1,7}\]:`,
  String.raw`[\w.-]{1,40} {1,20}[|│]`,
  String.raw`[\w./@-]{1,120}[:-]\d{1,6}[:-]`,
]

/** The source of a pattern. Matches nothing as well, and a bounded number of characters. */
export const linePrefix = String.raw`(?:[ \t]{0,12}(?:${pieces.join('|')})){0,5}[ \t]{0,12}`

/** A line begins, in a text whose line ends may be escaped, or a text in quotes. */
export const lineBegins = String.raw`(?:^|[\n\r"'\x60]|\\[nr])`

/**
 * The source of a look-behind: a sign of a diff, which belongs to no word, is before the position. Only at
 * the beginning of a line, so that at most one position of a line is affected.
 */
export const afterSign = String.raw`(?<=(?:^|[\n\r"]|\\[nr])[-+]{1,2})`
