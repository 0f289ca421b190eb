/** A language that the rules know. `other` if a text has too few common words to tell. */
export type Language = 'en' | 'de' | 'es' | 'zh' | 'ja' | 'other'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu
const COMMON: readonly (readonly [Language, RegExp])[] = [
  ['en', /(?<!\p{L})(?:the|and|of|to|was|were|is|it|that|for|with|in|on|by|from|this|not|as)(?!\p{L})/giu],
  [
    'de',
    /(?<!\p{L})(?:der|die|das|und|nicht|ist|war|waren|wurden?|eine?[nmr]?|mit|auch|wird|für|am|im|den|dem|zu)(?!\p{L})/giu,
  ],
  ['es', /(?<!\p{L})(?:el|la|los|las|de|que|y|en|un|una|no|se|por|con|para|del|al|fue|es)(?!\p{L})/giu],
]

/** Guesses the language of a text by its script and its most common words. */
export function languageOf(text: string): Language {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  if (count(KANA) > 1) return 'ja'
  if (count(HAN) > 1) return 'zh'
  const [best] = COMMON.map(([language, pattern]) => ({ language, times: count(pattern) })).sort(
    (a, b) => b.times - a.times,
  )
  return best && best.times > 0 ? best.language : 'other'
}
