/** How much of a target is shown, in characters. That of a patch names all files, and may be longer. */
export const TARGET_SHOWN = 300

/** A target as a line shows it. */
export const shortTarget = (target: string): string =>
  target.length > TARGET_SHOWN ? `${target.slice(0, TARGET_SHOWN - 1)}…`.toWellFormed() : target

/** Between the files of one patch in the target of its call. */
const SEPARATOR = ', '

/** The target of a call that writes to these files. A name that looks like several is in quotes. */
export const targetOfFiles = (names: Iterable<string>): string =>
  [...names].map((name) => (name.includes(SEPARATOR) ? `"${name}"` : name)).join(SEPARATOR)

/**
 * The files that a call with this target writes to.
 *
 * @example
 * filesWritten({ name: 'apply_patch', target: 'a.ts, "b, c.ts"' }) // => ['a.ts', 'b, c.ts']
 */
export const filesWritten = ({ name, target }: { name: string; target: string }): string[] =>
  name === 'apply_patch'
    ? [...target.matchAll(/(?:^|, )(?:"([^"]+)"(?=, |$)|((?:(?!, ).)+))/g)].map(
        ([, quoted, plain]) => quoted ?? plain!,
      )
    : [target]
