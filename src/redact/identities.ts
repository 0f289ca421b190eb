import type { Finding } from './findings.ts'

export interface Identities {
  /** The home directory of whoever runs the program; its last part is taken for their name. */
  home?: string
  /** Further names of people, as systems know them. */
  users?: readonly string[]
}

/** What a finding of a home directory becomes. */
export const HOME_KIND = 'home'
/** Kinds that tell people, and are written `[EMAIL#1]`. */
export const identityKinds: readonly string[] = ['email', 'phone', 'user']

/** Not behind one of these characters, but for the letter of an escape. */
const behind = (characters: string): string =>
  String.raw`(?:(?<![${characters}])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))`
const name = '[A-Za-z0-9._-]{1,64}'

/**
 * Homes of Linux, macOS and Windows, with backslashes at any depth of JSON; the part after the name stays. In all of these patterns
 * what may stand before comes after the literal that is looked for, because that is how they are fast.
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
/** As Claude Code names the folder of a project. */
const slugs = /(?<=(?<![\w-])-(?:home|Users)-)[A-Za-z0-9]{1,64}(?=-)/g
/** What stands before the sign in an address with a password is no person. */
const email = new RegExp(
  String.raw`@(?<=${behind('A-Za-z0-9._%+\\\\-')}(?<!:\/\/[^\s/@"]{0,128})(?<before>[A-Za-z0-9][A-Za-z0-9._%+-]{0,63})@)(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9-])`,
  'g',
)
/** Not of a person: a way to fetch code, versions, and files whose names hold a sign. */
const noEmail =
  /^git@|@(?:v?\d|\d+x\.)|\.(?:png|jpe?g|gif|svg|webp|ico|s?css|m?[jt]sx?|json|html?|ya?ml|toml|lock)$/i
/** With the sign of an international number, or as North America writes its own. */
const international = new RegExp(
  String.raw`\+[1-9](?<=${behind('\\w+./:-')}..)\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}(?![\w-]|[.:]\d)`,
  'g',
)
const american = new RegExp(
  String.raw`(?:\(\d{3}\) ?|${behind('\\w+./:-')}\d{3}[.-])\d{3}[ .-]\d{4}(?![\w-]|[.:]\d)`,
  'g',
)
/** Homes of machines and of everybody tell nobody, and their names are words. */
const nobody = new Set(
  'root user users admin dev home node app test guest build runner ubuntu debian vagrant docker git www web ec2-user'.split(
    ' ',
  ),
)
/** Shorter ones are words, or parts of words. */
const LEAST_NAME = 3
const LEAST_DIGITS = 8

/** Makes what finds people: home directories, their own names, addresses of mail, numbers of phones. Findings may overlap. */
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
  // A home that lies elsewhere, such as /srv/ann.
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

/** Where none of the given characters stands on either side. */
const whole = (literals: string, around: string, flags: string): RegExp =>
  new RegExp(`(?:${literals})(?<=${behind(around)}(?:${literals}))(?![${around}])`, flags)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
