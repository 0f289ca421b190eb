import { createRandom } from './invent.ts'
import { drawer, inventIdentifier, type Language, pick } from './language.ts'

const PROJECTS = 40
const PATHS = 400

/** Names and files of the projects that the conversations are about. */
export interface Project {
  name: string
  folder: string
  paths: readonly string[]
}

export function inventProjects({ words }: Language): Project[] {
  const random = createRandom(41)
  const some = (): string => words[500 + Math.floor(random() * 8000)]!
  return Array.from({ length: PROJECTS }, () => {
    const name = `${some()}-${some()}`
    const folders = Array.from({ length: 12 }, some)
    const kinds = ['.ts', '.ts', '.py', '.test.ts', '.md']
    const paths = Array.from(
      { length: PATHS },
      () => `src/${pick(random, folders)}/${some()}-${some()}${pick(random, kinds)}`,
    )
    return { name, folder: `/home/dev/code/${name}`, paths }
  })
}

export const hex = (random: () => number, length: number): string => {
  let text = ''
  while (text.length < length)
    text += Math.floor(random() * 0x100000000)
      .toString(16)
      .padStart(8, '0')
  return text.slice(0, length)
}

export type Speech = ReturnType<typeof createSpeech>

/** Generates texts in the language. */
export function createSpeech(random: () => number, language: Language) {
  const word = drawer(random, language.words)
  const phrase = drawer(random, language.phrases)
  const identifier = drawer(random, language.identifiers)
  const eastern = drawer(random, language.eastern)
  const path = drawer(
    random,
    Array.from({ length: PATHS }, (_, index) => index),
  )
  /** Log-normal, like the lengths of real messages. */
  const length = (middle: number, most: number): number => {
    const bell = Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random())
    return Math.max(1, Math.min(most, Math.round(middle * Math.exp(bell))))
  }
  const name = (): string => (random() < 0.1 ? inventIdentifier(random, word) : identifier())
  const unit = (topic: readonly string[], project: Project): string => {
    const kind = random()
    if (kind < 0.78) return word()
    if (kind < 0.9) return pick(random, topic)
    if (kind < 0.94) return phrase()
    if (kind < 0.975) return name()
    if (kind < 0.985) return project.paths[path()]!
    return kind < 0.997 ? String(Math.floor(random() * 10_000)) : hex(random, 7)
  }
  return {
    name,
    word,
    pathIn: (project: Project): string => project.paths[path()]!,
    /** The topic of a session. Few sessions use Chinese, Japanese or Korean. */
    topic: () => ({
      words: Array.from({ length: 30 }, () => language.words[100 + Math.floor(random() * 39_000)]!),
      east: random() < 0.03,
    }),
    say(
      middle: number,
      most: number,
      topic: { words: readonly string[]; east: boolean },
      project: Project,
    ): string {
      let text = ''
      let sentence = 0
      for (let left = length(middle, most); left > 0; left--) {
        const next = topic.east && random() < 0.8 ? eastern() : unit(topic.words, project)
        text += sentence === 0 ? `${next[0]!.toUpperCase()}${next.slice(1)}` : next
        const ends = left === 1 || (++sentence > 5 && random() < 0.1)
        if (ends) sentence = 0
        text += ends ? (random() < 0.2 ? '.\n\n' : '. ') : topic.east && random() < 0.7 ? '' : ' '
      }
      return text.trimEnd()
    },
  }
}
