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
/** Names of machines that only an own network knows, and addresses other than loopback. */
const HOSTS =
  /\b(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:internal|local|lan|corp|intra|intranet|localdomain|home\.arpa)\b|\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b(?![.\d])/gi
/** The hosts of links, except those where everybody's code is. */
const LINKS = /\bhttps?:\/\/(?:[^\s/@]*@)?([a-z\d.-]+\.[a-z]{2,})/gi
const PUBLIC =
  /(?:^|\.)(?:github\.com|gitlab\.com|npmjs\.com|pypi\.org|crates\.io|wikipedia\.org|mozilla\.org|example\.(?:com|org|net))$/i
const LEAST_NAME = 3

/** What a text reveals, most frequent first. Secrets are counted and never repeated. */
export function leaksIn(text: string, { find, device, people }: LeakOptions): Leak[] {
  const leaks = new Map<string, Leak>()
  const add = (kind: string, value: string | null): void => {
    const key = `${kind} ${value}`
    const leak = leaks.get(key) ?? { kind, value, times: 0 }
    leak.times++
    leaks.set(key, leak)
  }
  for (const { kind, start, end } of find(text))
    add(kind, IDENTITIES.has(kind) ? text.slice(start, end) : null)
  for (const [host] of text.matchAll(HOSTS)) add('host', host)
  for (const [, host] of text.matchAll(LINKS)) if (!PUBLIC.test(host!)) add('host', host!)
  for (const name of new Set([device, ...people])) {
    if (name.length < LEAST_NAME) continue
    const times = wordsEqual(text, name)
    for (let n = 0; n < times; n++) add(name === device ? 'host' : 'person', name)
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
