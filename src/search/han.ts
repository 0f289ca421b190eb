import { isAscii } from './characters.ts'
import { HAN_VARIANTS } from './han-variants.ts'
import { once } from './once.ts'

const variants = once(() => {
  const simplified = new Map<string, string>()
  for (let at = 0; at < HAN_VARIANTS.length; at += 2) simplified.set(HAN_VARIANTS[at]!, HAN_VARIANTS[at + 1]!)
  return {
    simplified,
    traditional: new RegExp(`[${[...simplified.keys()].join('')}]`, 'g'),
    written: new RegExp(`[${[...new Set(simplified.values())].join('')}]`),
  }
})

/** Converts Chinese to simplified characters. Indexes stay the same. */
export function simplify(text: string): string {
  if (isAscii(text)) return text
  const { simplified, traditional } = variants()
  return text.replace(traditional, (character) => simplified.get(character)!)
}

/** Whether any character has another way of writing it. */
export function hasVariants(text: string): boolean {
  return !isAscii(text) && (variants().written.test(text) || simplify(text) !== text)
}
