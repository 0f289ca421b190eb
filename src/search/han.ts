import { HAN_VARIANTS } from './han-variants.ts'

const simplified = new Map<string, string>()
for (let at = 0; at < HAN_VARIANTS.length; at += 2) simplified.set(HAN_VARIANTS[at]!, HAN_VARIANTS[at + 1]!)

const traditional = new RegExp(`[${[...simplified.keys()].join('')}]`, 'g')
const written = new RegExp(`[${[...new Set(simplified.values())].join('')}]`)

/** Converts Chinese to simplified characters. Indexes stay the same. */
export const simplify = (text: string): string =>
  text.replace(traditional, (character) => simplified.get(character)!)

/** Whether any character has another way of writing it. */
export function hasVariants(text: string): boolean {
  return written.test(text) || simplify(text) !== text
}

/** Whether `simplify` would change the text. */
export const isTraditional = (text: string): boolean => text.search(traditional) >= 0
