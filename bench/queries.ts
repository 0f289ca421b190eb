import { WRITTEN_UNTIL } from './conversations.ts'
import { createRandom } from './invent.ts'
import { inventLanguage, pick } from './language.ts'
import { inventProjects } from './speech.ts'

export interface Asked {
  kind: string
  query: string
}

const DAY = 86_400_000

/** 200 queries of every kind over the invented conversations. Another seed gives others of the same kinds. */
export function mixedQueries(seed: number): Asked[] {
  const random = createRandom(seed)
  const language = inventLanguage()
  const projects = inventProjects(language)
  const { words, phrases, identifiers, eastern } = language
  const between = (from: number, to: number): string => words[from + Math.floor(random() * (to - from))]!
  const common = (): string => between(0, 50)
  const usual = (): string => between(100, 3000)
  const rare = (): string => between(15_000, words.length)
  const day = (): string =>
    new Date(WRITTEN_UNTIL - Math.floor(random() * 330) * DAY).toISOString().slice(0, 10)
  const inside = (word: string): string => word.slice(1, Math.max(5, word.length - 1))
  const filter = (): string =>
    pick(random, [
      () => `project:${pick(random, projects).name}`,
      () => `who:${pick(random, ['human', 'agent', 'tool'])}`,
      () => `after:${day()}`,
      () => `before:${day()}`,
      () => `tool:${pick(random, ['Bash', 'Read', 'Grep', 'WebSearch'])}`,
      () => 'is:error',
    ])()
  const kinds: [kind: string, count: number, one: () => string][] = [
    ['a rare word', 26, rare],
    ['a usual word', 16, usual],
    ['a common word', 16, common],
    ['two usual words', 18, () => `${usual()} ${usual()}`],
    ['a common and a usual word', 12, () => `${common()} ${usual()}`],
    ['two common words', 6, () => `${common()} ${common()}`],
    ['a phrase', 14, () => `"${pick(random, phrases)}"`],
    ['a phrase of common words', 4, () => `"${common()} ${common()}"`],
    ['a prefix', 12, () => `${usual().slice(0, 4)}*`],
    ['an identifier', 12, () => pick(random, identifiers)],
    ['a part of a word', 12, () => inside(pick(random, identifiers).slice(0, 12))],
    ['a path', 4, () => pick(random, pick(random, projects).paths)],
    ['Chinese, Japanese, Korean', 10, () => pick(random, eastern)],
    ['OR', 6, () => `${usual()} OR ${rare()}`],
    ['without a word', 6, () => `${usual()} -${common()}`],
    ['a word and a filter', 14, () => `${usual()} ${filter()}`],
    ['a common word and a filter', 4, () => `${common()} ${filter()}`],
    ['a filter alone', 4, filter],
    ['nothing to be found', 4, () => `zzq${inside(rare())}qzz`],
  ]
  return kinds.flatMap(([kind, count, one]) => Array.from({ length: count }, () => ({ kind, query: one() })))
}

/** Questions in whole sentences, each about some words that are common, usual and rare. */
export function sentences(seed: number, count: number): Asked[] {
  const random = createRandom(seed)
  const { words } = inventLanguage()
  const between = (from: number, to: number): string => words[from + Math.floor(random() * (to - from))]!
  const opening = ['how did we', 'why does the', 'when did I say that the', 'what was the', 'where do they']
  return Array.from({ length: count }, () => {
    const asked = [
      between(0, 50),
      between(0, 50),
      between(100, 3000),
      between(100, 3000),
      between(3000, 15_000),
    ]
    return { kind: 'a sentence', query: `${pick(random, opening)} ${asked.join(' ')}` }
  })
}
