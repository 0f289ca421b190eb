import type { Item } from '../model/session.ts'
import { citedText, containsQuote } from './citation.ts'
import { FENCED } from './sentences.ts'
import { type StoryQuote, type StorySentence, withoutQuotes } from './story.ts'

/** Who tells a story: "I" is the agent, the human, or nobody. */
export type Voice = 'agent' | 'human' | 'neutral'

interface Reader {
  voice: Voice
  /** Names of the agent besides the usual words, in small letters. */
  agents: readonly string[]
}

/** Who speaks. `somebody`: a pronoun, which says nothing. */
type Side = 'human' | 'agent' | 'somebody'

const HUMAN =
  /(?<!\p{L})(?:humans?|user|developer|mensch(?:en)?|nutzer(?:in)?|humano|usuari[oa]|usuário|humain|utilisat(?:eur|rice))(?!\p{L})|人类|人類|用户|用戶|人間|ユーザー/giu
const AGENT =
  /(?<!\p{L})(?:agent(?:en)?|assistant|assistent|asistente|agente|model|modelo|modèle|ai|ki|ia)(?!\p{L})|智能体|智能體|助手|代理|模型|エージェント/giu
const I = /(?<![\p{L}'])(?:i|ich|je|j'|yo|eu)(?![\p{L}]|\.)|我(?!们|們|的)|私(?!の)/giu
/** Somebody named before. Who that is, is not decided. */
const PRONOUN =
  /(?<!\p{L})(?:they|he|she|er|sie|él|ella|ellos|il|elle|ele|ela)(?!\p{L})|[他她](?!们?的)|彼(?:女|ら)?/giu
/** Before somebody who is spoken to, or who is not the subject. */
const OBJECT =
  /(?:(?<!\p{L})(?:told|tell|asked|ask|reminded|corrected|to|for|with|from|of|at|about|let|had|made|gave|stopped|dem|den|des|bat|an|al|del|au|aux|du|à|de|ao|do|da)(?: (?:the|my|our|its|el|la|le|l'|o|a|meinem|meinen|dem|den|mon|mi|meu|minha))?\s*|[对對向告诉訴让讓问問给給跟和]\s*我?的?\s*|['’])$/iu
const PASSIVE =
  /(?<!\p{L})(?:was|were|got|been|wurde|fui|fue|a été)(?: \p{L}+)? (?:told|asked|corrected|stopped|reminded|interrupted|gebeten|gefragt|korrigiert)/iu

/** Whether a word is one for the human or the agent, which is no name. */
export const isSide = (word: string): boolean =>
  [HUMAN, AGENT].some((words) => word.match(words)?.[0] === word)

export const voiceOf = (text: string): Voice => {
  const count = (words: RegExp): number => text.match(words)?.length ?? 0
  const human = count(
    /\bmy human\b|\bmein(?:e[mnrs]?)? mensch|\bmi humano\b|\bmon humain\b|\bmeu humano\b|我的(?:人类|人類|用户|用戶|主人)/gi,
  )
  const agent = count(
    /\bmy (?:agent|assistant)\b|\bmein(?:e[mnrs]?)? (?:agent|assistent)|\bmi (?:agente|asistente)\b|\bmon (?:agent|assistant)\b|\bmeu agente\b|我的(?:智能体|助手|代理)/gi,
  )
  return human === agent ? 'neutral' : human > agent ? 'agent' : 'human'
}

/** Whether a sentence gives words to the side that did not say them. Returns who did. */
export function speakerFault(
  sentence: StorySentence,
  quote: StoryQuote,
  holders: readonly { item: Item }[],
  reader: Reader,
): string | undefined {
  const named = namedSpeaker(sentence, quote, reader)
  if (named === undefined || named === 'somebody') return undefined
  const sides = new Set(holders.map(({ item }) => item.who))
  if (named === 'agent') return sides.has('human') && sides.size === 1 ? 'the human said it' : undefined
  if (!sides.has('human')) return sides.has('agent') ? 'the agent said it' : 'neither of the two said it'
  const own = holders.some(
    ({ item }) =>
      item.who === 'human' &&
      containsQuote(citedText({ ...item, text: ownWords(item.text ?? '') }), quote.text),
  )
  return own ? undefined : 'the human passed these words on'
}

/**
 * The side that a sentence names as the speaker of a quotation: the last subject before it, else the first
 * after.
 */
function namedSpeaker(
  { text, quotes, speaker }: StorySentence,
  quote: StoryQuote,
  reader: Reader,
): Side | undefined {
  if (speaker !== undefined) {
    const low = speaker.toLowerCase()
    if (low === 'i') return reader.voice === 'neutral' ? undefined : reader.voice
    return speakerIn(low, reader, 'first')
  }
  const masked = withoutQuotes({ text, quotes })
  const next = quotes[quotes.indexOf(quote) + 1]
  const before = masked.slice(0, quote.index)
  const after = masked.slice(quote.index + quote.text.length + 2, next?.index)
  return speakerIn(before, reader, 'last') ?? speakerIn(after, reader, 'first')
}

/** Words of saying, right after the speaker. */
const SAYS =
  /^[^\p{L}]*(?:(?!and|but|und|aber|y|e|et|mas)\p{L}+[^\p{L}.]+){0,2}?(?:said|says|say|wrote|writes|asked|asks|answered|answers|replied|told|objected|insisted|reported|added|explained|suggested|proposed|confirmed|demanded|warned|put|called|sagte|schrieb|fragte|antwortete|meinte|erklärte|meldete|schlug|wollte|dijo|escribió|preguntó|respondió|pidió|propuso|a (?:dit|écrit|demandé|répondu|proposé)|dit|écrit|demande|répond|disse|escreveu|perguntou|respondeu|pediu|说|說|问|問|写|寫|回答|答)/iu

/**
 * The side that is named in a text. If both are, the one that a word of saying follows; without one it is not
 * known.
 */
function speakerIn(text: string, { voice, agents }: Reader, which: 'first' | 'last'): Side | undefined {
  const found: { index: number; end: number; side: Side }[] = []
  const look = (words: RegExp, side: Side): void => {
    for (const match of text.matchAll(words)) {
      if (OBJECT.test(text.slice(0, match.index)) || PASSIVE.test(text.slice(match.index, match.index + 60)))
        continue
      found.push({ index: match.index, end: match.index + match[0].length, side })
    }
  }
  look(HUMAN, 'human')
  look(AGENT, 'agent')
  for (const name of agents) look(new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'giu'), 'agent')
  if (voice !== 'neutral') look(I, voice)
  look(PRONOUN, 'somebody')
  if (new Set(found.map(({ side }) => side)).size < 2) return found[0]?.side
  found.sort((a, b) => a.index - b.index)
  const saying = found.filter(({ end }) => SAYS.test(text.slice(end, end + 40)))
  return (which === 'last' ? saying.at(-1) : saying[0])?.side
}

const FORWARDED =
  /^(?:-{2,}\s*)?(?:(?:begin )?forwarded message|original message|weitergeleitete nachricht|mensaje reenviado|message transféré|转发的邮件|轉寄郵件)|^(?:from|subject|von|betreff|de|asunto|objet|assunto|发件人|寄件者):\s|^(?:on|am|el|le) .{6,60} (?:wrote|schrieb|escribió|a écrit)\s?:/im

/** What a human wrote, without quoted lines, code, and a letter or log that they passed on. */
export function ownWords(text: string): string {
  const own = text
    .replace(FENCED, '\n')
    .split('\n')
    .filter((line) => !/^\s*[>|│┆]/.test(line))
    .join('\n')
  const at = own.search(FORWARDED)
  return at < 0 ? own : own.slice(0, at)
}
