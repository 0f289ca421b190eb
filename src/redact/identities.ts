import type { Finding } from './findings.ts'

export interface Identities {
  /** The home directory of the user. Its last part is treated as the user's name. */
  home?: string
  /** Further user names. */
  users?: readonly string[]
}

/** The kind of a redacted home directory. */
export const HOME_KIND = 'home'
/** Kinds that identify people, written as `[EMAIL#1]`. */
export const identityKinds: readonly string[] = ['email', 'phone', 'user']

/** Requires that none of these characters precedes, except for the letter of an escape. */
const behind = (characters: string): string =>
  String.raw`(?:(?<![${characters}])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))`
const name = '[A-Za-z0-9._-]{1,64}'

/**
 * Home directories of Linux, macOS and Windows, with backslashes at any depth of JSON. The path after the
 * name remains. All of these patterns check what precedes in a look-behind after the literal, which is
 * faster.
 */
const homes: readonly RegExp[] = [
  new RegExp(String.raw`\/home\/(?<=${behind('\\w.~-')}\/home\/)${name}`, 'g'),
  new RegExp(
    String.raw`\/Users\/(?<=${behind('\\w.~:-')}(?<before>(?:\/(?:mnt\/)?[a-z])?)\/Users\/)${name}`,
    'g',
  ),
  new RegExp(
    String.raw`[\\/]Users(?:\\{1,16}|\/)(?<=${behind('A-Za-z0-9')}(?<before>[A-Za-z]:\\{0,15})[\\/]Users(?:\\{1,16}|\/))${name}`,
    'g',
  ),
]
/** Slugs of Claude Code. */
const slugs = /(?<=(?<![\w-])-(?:home|Users)-)[A-Za-z0-9]{1,64}(?=-)/g
/** In an address with a password, the part before the @ is not a person. */
const email = new RegExp(
  String.raw`@(?<=${behind('A-Za-z0-9._%+\\\\-')}(?<!:\/\/[^\s/@"]{0,128})(?<before>[A-Za-z0-9][A-Za-z0-9._%+-]{0,63})@)(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9-])`,
  'g',
)
/** Not e-mail addresses: Git remotes, versions, and file names that contain an @. */
const noEmail =
  /^git@|@(?:v?\d|\d+x\.)|\.(?:png|jpe?g|gif|svg|webp|ico|s?css|m?[jt]sx?|json|html?|ya?ml|toml|lock)$/i
/** With an international prefix, or in North American notation. */
const international = new RegExp(
  String.raw`\+[1-9](?<=${behind('\\w+./:-')}..)\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}(?![\w-]|[.:]\d)`,
  'g',
)
const american = new RegExp(
  String.raw`(?:\(\d{3}\) ?|${behind('\\w+./:-')}\d{3}[.-])\d{3}[ .-]\d{4}(?![\w-]|[.:]\d)`,
  'g',
)
/** Home directories of machines and shared accounts: common words that identify no person. */
const nobody = new Set(
  'root user users admin dev home node app test guest build runner ubuntu debian vagrant docker git www web ec2-user'.split(
    ' ',
  ),
)
/** Shorter names are words or parts of words. */
const LEAST_NAME = 3
const LEAST_DIGITS = 8

/**
 * Creates a function that finds home directories, user names, e-mail addresses and phone numbers. Findings
 * may overlap.
 */
export function createIdentityFinder({ home = '', users = [] }: Identities): (text: string) => Finding[] {
  const own = home.split(/[\\/]/).findLast((part) => part !== '')
  const names = [...new Set([...users, ...(own === undefined || nobody.has(own) ? [] : [own])])]
    .filter((each) => each.length >= LEAST_NAME)
    .map(escaped)
  const always = (): boolean => true
  const isLong = (value: string): boolean => value.replace(/\D/g, '').length >= LEAST_DIGITS
  const patterns: [kind: string, pattern: RegExp, counts: (value: string) => boolean][] = [
    ...homes.map((pattern): [string, RegExp, () => boolean] => [HOME_KIND, pattern, always]),
    ['user', slugs, (value) => !nobody.has(value)],
    ['email', email, (value) => !noEmail.test(value)],
    ['phone', international, isLong],
    ['phone', american, isLong],
  ]
  // A home directory elsewhere, such as /srv/ann.
  if (home.length > 1) patterns.push([HOME_KIND, whole(escaped(home), '\\w.~-', 'g'), always])
  if (names.length > 0) patterns.push(['user', whole(names.join('|'), 'A-Za-z0-9', 'gi'), always])
  return (text) =>
    patterns.flatMap(([kind, pattern, counts]) =>
      Array.from(text.matchAll(pattern), ({ 0: value, index, groups }) => {
        const start = index - (groups?.before?.length ?? 0)
        return { kind, start, end: index + value.length }
      }).filter(({ start, end }) => counts(text.slice(start, end))),
    )
}

/** Requires that none of the given characters is on either side. */
const whole = (literals: string, around: string, flags: string): RegExp =>
  new RegExp(`(?:${literals})(?<=${behind(around)}(?:${literals}))(?![${around}])`, flags)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
