/** A name in a statement, in backticks. Any text is a name. */
export const identifier = (name: string): string =>
  `\`${name.toWellFormed().replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\\0')}\``
