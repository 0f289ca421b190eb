import { languageOf } from './language.ts'
import type { CitedRecord, Material } from './material.ts'
import { shared, stemsOf } from './words.ts'

const LEAST_SHARE = 0.2
/** A sentence with fewer words says too little to compare. */
const LEAST_STEMS = 3

const KINDS = {
  tool: 'command call ran run edit changed wrote created read file tool test',
  error: 'error failed failure problem broke test run',
  marker: 'interrupted stopped',
} as const

/** Whether a sentence shares words with the records that it cites, and with what belongs to them. */
export function isSupported(words: string, records: readonly CitedRecord[], material: Material): boolean {
  const own = stemsOf(words)
  if (own.size < LEAST_STEMS) return true
  // Two languages share no words.
  const [language, other] = [words, records.map(({ text }) => text).join(' ')].map(languageOf)
  if (language !== other && language !== 'other' && other !== 'other') return true
  const there = stemsOf(records.map((record) => textAround(record, material)).join(' '))
  const count = shared(own, there)
  return count > 0 && count >= own.size * LEAST_SHARE
}

function textAround({ text, call, citation, who, phases }: CitedRecord, { evidence }: Material): string {
  const isThis = (each: { path: string; line: number } | null): boolean =>
    each !== null && each.path === citation.path && each.line === citation.line
  const parts = [text, call, KINDS[who as keyof typeof KINDS] ?? '']
  for (const { how, about, decision } of evidence.decisions)
    if (isThis(decision))
      parts.push(
        about?.quote ?? '',
        how === 'agreed'
          ? 'agreed accepted approved'
          : how === 'declined'
            ? 'declined refused rejected disagreed'
            : '',
      )
  for (const { question, answer } of evidence.questions) if (isThis(answer)) parts.push(question.quote)
  for (const { error, fixedBy } of evidence.errors)
    if (isThis(fixedBy)) parts.push(error.quote, 'fixed repaired')
  for (const { kind, detail, citations } of evidence.dynamics)
    if (citations.some(isThis)) parts.push(kind, detail ?? '')
  for (const { title, asked, result, files } of phases)
    if (isThis(asked) || isThis(result))
      parts.push(
        title,
        'turns files changed errors',
        files.map(({ path }) => path.replace(/[/._-]/g, ' ')).join(' '),
      )
  return parts.join(' ')
}
