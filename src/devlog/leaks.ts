import { isIPv6 } from 'node:net'
import { GAP } from './sentences.ts'

/** Something in a text that should perhaps not be published. */
export interface Leak {
  kind: string
  /** The text itself, or null for a secret. */
  value: string | null
  times: number
}

/** A finding of the redactor: its kind and where it is. */
interface Finding {
  kind: string
  start: number
  end: number
}

export interface LeakOptions {
  /** Finds secrets, home directories, e-mail addresses, phone numbers and users. */
  find(text: string): readonly Finding[]
  /** The name of this machine. */
  device: string
  /** Names of people who wrote in the sessions. */
  people: readonly string[]
}

const IDENTITIES: ReadonlySet<string> = new Set(['home', 'email', 'phone', 'user'])

/**
 * What reveals people and machines besides what the redactor knows. A group `value` is the part that does.
 */
const RULES: readonly { kind: string; words: RegExp; isLeak?(value: string): boolean }[] = [
  {
    kind: 'home',
    words:
      /(?<![\w/])\/(?:data|export|mnt|srv|usr)\/home\/[\w.-]+|(?<![\w/])\/Volumes\/(?:[\w.-]+(?: [\w.-]+)?(?=\/)|[\w.-]+)|(?<![\w~/])~[a-z_][\w-]+(?=\/)|[A-Z]:\\Users\\[\w.-]+(?: [\w.-]+)?(?=\\)/g,
  },
  { kind: 'host', words: /\\\\[A-Za-z][\w.-]+\\[\w$.-]+/g },
  {
    kind: 'email',
    words:
      /\b[\w.+-]+ ?[([{](?:at|AT|ät)[)\]}] ?[\w-]+(?: ?(?:\.|[([{](?:dot|DOT|punkt)[)\]}]| dot ) ?[\w-]+)+/g,
  },
  // Names of machines that only an own network knows, and addresses other than loopback.
  {
    kind: 'host',
    words:
      /(?<![\w.@/-])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:internal|local|lan|corp|intra|intranet|localdomain|home\.arpa|ts\.net)\b(?!\.\w|\()/gi,
    isLeak: (value) => !/^(?:env|settings|config|[\w-]*\.env)\.local$/i.test(value),
  },
  {
    kind: 'host',
    words: /\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b(?![.\d])/g,
    isLeak: (value) => value.split('.').every((part) => Number(part) <= 255),
  },
  {
    kind: 'host',
    words: /(?<![\w:.])(?:[a-f\d]{0,4}:){2,7}[a-f\d]{0,4}(?![\w:])/gi,
    isLeak: (value) => isIPv6(value) && !/^::1?$/.test(value) && /[a-f\d]{3}/i.test(value),
  },
  {
    kind: 'host',
    words:
      /(?<![\w.-])[a-z][a-z\d]*(?:-[a-z\d]+)*-(?:prod|staging|stage|dev|test|db|web|node|worker|server|vm|host)-?\d{1,3}\b(?![\w.-])/gi,
  },
  {
    kind: 'host',
    words: /\b[\w-]+@(?<value>[a-z\d.-]+\.[a-z]{2,}):(?=[\w~/.])/gi,
    isLeak: (value) => !PUBLIC.test(value),
  },
  { kind: 'host', words: /\b(?:s3|gs|abfss?|ssh|sftp|rsync|smb|nfs):\/\/(?:[^\s/@]*@)?[\w.-]+/gi },
  // The hosts of links, except those where everybody's code is.
  {
    kind: 'host',
    words: /\bhttps?:\/\/(?:[^\s/@]*@)?(?<value>[a-z\d.-]+\.[a-z]{2,})/gi,
    isLeak: (value) => !PUBLIC.test(value),
  },
  {
    kind: 'phone',
    words:
      /(?:\b(?:tel|phone|mobile|cell|call|fax|telefon|handy|tél|teléfono|telefone)\b\.?|电话|電話|手机|手機)[:：]?\s*(?<value>\+?\d[\d ()/-]{5,18}\d)/gi,
  },
  {
    kind: 'phone',
    words: /(?<![\w.,:-])0[1-9]\d{1,4}[ /-]\d{3,4}[ -]?\d{3,5}(?![\w.,:-])|(?<![\w.-])1[3-9]\d{9}(?![\w.-])/g,
  },
  {
    kind: 'account',
    words: /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g,
    isLeak: isAccount,
  },
  {
    kind: 'card',
    words: /(?<![\w.-])\d{4}(?:[ -]?\d{4}){2,3}(?![\w.-])|(?<![\w.-])\d{4}[ -]?\d{6}[ -]?\d{5}(?![\w.-])/g,
    isLeak: isCard,
  },
]

/** Whether the check digits of an IBAN (ISO 13616) fit. */
function isAccount(value: string): boolean {
  const plain = value.replace(/ /g, '')
  const digits = (plain.slice(4) + plain.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  return BigInt(digits) % 97n === 1n
}

/** Whether the check digit of a card number (ISO 7812) fits. */
function isCard(value: string): boolean {
  const digits = value.replace(/\D/g, '').split('').reverse().map(Number)
  const sum = digits.reduce(
    (total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  )
  return digits.length >= 13 && sum % 10 === 0 && new Set(digits).size > 1
}

const PUBLIC =
  /(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org|npmjs\.com|pypi\.org|crates\.io|wikipedia\.org|mozilla\.org|example\.(?:com|org|net)|pris\.ly)$/i
const LEAST_NAME = 3
/** Names of accounts that every machine has, and words that are names of nobody. */
const NOBODY =
  /^(?:root|admin|administrator|user|ubuntu|runner|node|app|dev|test|guest|answer|human|agent|assistant|me|you)$/i

/** What a text reveals, most frequent first. Secrets are counted and never repeated. */
export function leaksIn(text: string, { find, device, people }: LeakOptions): Leak[] {
  const leaks = new Map<string, Leak>()
  const add = (kind: string, value: string | null, times = 1): void => {
    const key = `${kind} ${value}`
    const leak = leaks.get(key) ?? { kind, value, times: 0 }
    leak.times += times
    leaks.set(key, leak)
  }
  const taken: { from: number; to: number }[] = []
  for (const { kind, words, isLeak } of RULES)
    for (const match of text.matchAll(words)) {
      const value = match.groups?.value ?? match[0]
      const from = match.index + match[0].indexOf(value)
      const to = from + value.length
      if (isLeak && !isLeak(value)) continue
      if (taken.some((other) => from < other.to && to > other.from)) continue
      taken.push({ from, to })
      add(kind, value)
    }
  for (const { kind, start, end } of find(text)) {
    const value = text.slice(start, end)
    if (taken.some(({ from, to }) => start < to && end > from)) continue
    if (!IDENTITIES.has(kind)) add(kind, null)
    else if (kind !== 'user' || !NOBODY.test(value)) add(kind, value)
  }
  for (const name of new Set([device, ...people])) {
    if (name.length < LEAST_NAME || NOBODY.test(name)) continue
    const times = wordsEqual(text, name)
    if (times > 0) add(name === device ? 'host' : 'person', name, times)
  }
  return [...leaks.values()].sort((a, b) => b.times - a.times)
}

const wordsEqual = (text: string, name: string): number =>
  text.match(
    new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu'),
  )?.length ?? 0

/**
 * A function that replaces values in a text by the mark of a gap, so that the rest of a quote can still be
 * checked.
 */
export function replacer(values: readonly string[]): (text: string) => string {
  const longestFirst = [...values].sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((done, value) => done.replaceAll(value, GAP), text)
}
