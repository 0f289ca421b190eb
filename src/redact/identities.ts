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

/** Homes of Linux, macOS and Windows, with backslashes at any depth of JSON; the part after the name stays. */
const homes =
  /(?<![\w.~-])(?:\/home\/|\/Users\/|\/(?:mnt\/)?[a-z]\/Users\/|[A-Za-z]:(?:\\{1,16}|\/)Users(?:\\{1,16}|\/))[A-Za-z0-9._-]{1,64}(?![A-Za-z0-9._-])/g
/** As Claude Code names the folder of a project. */
const slugs = /(?<=(?<![\w-])-(?:home|Users)-)[A-Za-z0-9]{1,64}(?=-)/g
const email =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9-])/g
/** Not of a person: a way to fetch code, and files whose names hold a sign. */
const noEmail =
  /^git@|@(?:v?\d|\d+x\.)|\.(?:png|jpe?g|gif|svg|webp|ico|css|s?css|m?[jt]sx?|json|md|html?|ya?ml|toml|lock|py|rs|go|sh)$/i
/** With the sign of an international number, or as North America writes its own. */
const phone =
  /(?<![\w+./:-])(?:\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4})(?![\w-]|[.:]\d)/g
/** Shorter ones are words, or parts of words. */
const LEAST_NAME = 3
const LEAST_DIGITS = 8

/** Makes what finds people: home directories, their own names, addresses of mail, numbers of phones. Findings may overlap. */
export function createIdentityFinder({ home = '', users = [] }: Identities): (text: string) => Finding[] {
  const own = home.split(/[\\/]/).findLast((part) => part !== '')
  const names = [...new Set([...users, ...(own === undefined ? [] : [own])])]
    .filter((name) => name.length >= LEAST_NAME && name !== 'root')
    .map(escaped)
  const patterns: [kind: string, pattern: RegExp, counts: (value: string) => boolean][] = [
    [HOME_KIND, homes, () => true],
    ['user', slugs, () => true],
    ['email', email, (value) => !noEmail.test(value)],
    ['phone', phone, (value) => value.replace(/\D/g, '').length >= LEAST_DIGITS],
  ]
  // A home that lies elsewhere, such as /srv/ann.
  if (home.length > 1)
    patterns.push([HOME_KIND, new RegExp(`(?<![\\w.~-])${escaped(home)}(?![\\w.-])`, 'g'), () => true])
  if (names.length > 0)
    patterns.push([
      'user',
      new RegExp(`(?<![A-Za-z0-9])(?:${names.join('|')})(?![A-Za-z0-9])`, 'gi'),
      () => true,
    ])
  return (text) =>
    patterns.flatMap(([kind, pattern, counts]) =>
      Array.from(text.matchAll(pattern), (match) => ({ match, value: match[0] }))
        .filter(({ value }) => counts(value))
        .map(({ match, value }) => ({ kind, start: match.index, end: match.index + value.length })),
    )
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
