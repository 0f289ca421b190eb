import type { CitedRecord, Material } from './material.ts'
import type { Sentence } from './sentences.ts'

type Side = 'human' | 'agent'

const SAYS =
  '(?:\\p{L}{2,}ed|says?|said|asks?|wrote|writes|wants?|told|tells|began|found|made|put|ran|built|took|gave|chose|left|meant|thought|proposes|suggests|answers|replies|agrees|disagrees|declines|decides|reports|sagte|fragte|wollte|schrieb|meinte|antwortete|bat|schlug|erklärte|lehnte|stimmte|dijo|preguntó|pidió|escribió|quería|propuso|respondió|explicó|aceptó|rechazó)'
const GAP = '(?:\\s+(?:then|also|first|later|only|again|dann|auch|zuerst|luego|también))?\\s+'
const HUMAN = '(?:(?:the|my|der|mein|el|la|mi)\\s+)?(?:human|user|developer|mensch|nutzer|humano|usuario)'
const AGENT = '(?:(?:the|my|der|mein|el|mi)\\s+)?(?:agent|assistant|agente|asistente)'
const LABEL = /^\s*>?\s*(?:[-*+]\s+)?\*\*((?:[^*\\]|\\.)*?):?\*\*/

/** Who does something in a sentence, first. */
export function actingSide(words: string, sides: Material['sides']): Side | undefined {
  const human = `${HUMAN}${sides.human === 'I' ? '|I' : ''}`
  const agent = `${AGENT}${sides.agent === 'I' ? '|I' : ''}`
  const found = new RegExp(`(?<!\\p{L})(?:(${human})|(${agent}))${GAP}${SAYS}(?!\\p{L})`, 'iu').exec(words)
  return found ? (found[1] ? 'human' : 'agent') : undefined
}

const lastSpeaker = (words: string): Side | undefined => {
  const found = [
    ...words.matchAll(new RegExp(`(?<!\\p{L})(?:(${HUMAN})|(${AGENT}))${GAP}${SAYS}[^\\p{L}]*$`, 'giu')),
  ].at(-1)
  return found ? (found[1] ? 'human' : 'agent') : undefined
}

/** Says whose words a sentence attributes to the other side. Undefined if it does not. */
export function wrongSpeaker(
  { raw, words, quotes, start, block }: Sentence,
  records: readonly CitedRecord[],
  recordOf: (number: number) => CitedRecord | undefined,
  sides: Material['sides'],
): string | undefined {
  const isOther = (record: CitedRecord | undefined, side: Side): boolean =>
    record?.who !== undefined && (record.who === 'human') !== (side === 'human')
  const label = LABEL.exec(raw)?.[1]
  if (block.type === 'quote' && label !== undefined) {
    const side = label === sides.human ? 'human' : label === sides.agent ? 'agent' : undefined
    const cited = quotes.flatMap(({ refs }) => refs.map(recordOf))
    if (side === undefined) return `the speaker "${label}"`
    return cited.some((record) => isOther(record, side)) ? `said by the ${other(side)}` : undefined
  }
  for (const quote of quotes) {
    const before = words.slice(0, Math.max(0, quote.start - (start - block.start) - 1))
    const side = lastSpeaker(before)
    const cited = quote.refs.map(recordOf)
    if (side && cited.length > 0 && cited.every((record) => isOther(record, side)))
      return `said by the ${other(side)}`
  }
  const side = actingSide(words, sides)
  if (side && records.length > 0 && records.every((record) => isOther(record, side)))
    return `said by the ${other(side)}`
  return undefined
}

const other = (side: Side): Side => (side === 'human' ? 'agent' : 'human')
