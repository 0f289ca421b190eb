import { oneLine } from '../../render/markdown.ts'
import { blocksOf, type TextBlock } from './blocks.ts'
import { checkSentence } from './check-sentence.ts'
import type { FactFinding } from './finding.ts'
import { languageOf } from './language.ts'
import type { CitedRecord, Material } from './material.ts'
import { sentencesIn } from './sentences.ts'

/** A finding with the place after which a mark can be inserted. */
export interface LocatedFinding extends FactFinding {
  end: number
}

const UNWRITTEN = /^\s*\*To be written:/
const REF = /\[\^(\d+)\]/g

/**
 * Looks up every number, file, quote, name, date and command of a text in the records that its sentences
 * cite. Lines of the draft hold, because they were made from the evidence.
 */
export function checkFacts(text: string, material: Material): LocatedFinding[] {
  const own = ownLines(material.draft)
  const language = languageOf(text)
  const findings: LocatedFinding[] = []
  const lineOf = createLineCounter(text)
  let before: CitedRecord[] = []
  for (const block of blocksOf(text)) {
    const raw = text.slice(block.start, block.end)
    const add = (kind: FactFinding['kind'], what: string, start = block.start, end = block.end): void =>
      void findings.push({
        ...{ kind, what, line: lineOf(start), end, sentence: oneLine(text.slice(start, end)) },
      })
    if (UNWRITTEN.test(raw)) {
      add('unwritten', 'a place for prose')
      continue
    }
    const known = isOwn(block, raw, own)
    if (block.type === 'footnote') {
      if (!known) add('footnote', 'a footnote that is not of the draft')
    } else if (block.type === 'fence') {
      if (!known && !isQuotedCode(raw, before)) add('command', 'code that no cited record contains')
    } else if (!known) {
      const spoken = languageOf(raw)
      const german = (spoken === 'other' ? language : spoken) === 'de'
      for (const sentence of sentencesIn(text, block))
        for (const { kind, what } of checkSentence(sentence, material, german))
          add(kind, what, sentence.start, sentence.end)
    }
    before = [...raw.matchAll(REF)].flatMap(([, number]) => material.records.get(Number(number)) ?? [])
  }
  return findings
}

interface OwnLines {
  anywhere: ReadonlySet<string>
  /** With the heading before them. */
  underHeading: ReadonlySet<string>
}

/** Lines of the draft. Those without a citation only hold under their heading. */
function ownLines(draft: string): OwnLines {
  const anywhere = new Set<string>()
  const underHeading = new Set<string>()
  for (const block of blocksOf(draft)) {
    const raw = oneLine(draft.slice(block.start, block.end))
    underHeading.add(`${block.heading}\n${raw}`)
    if (raw.includes('[^') || block.type === 'heading' || block.type === 'fence') anywhere.add(raw)
  }
  return { anywhere, underHeading }
}

function isOwn({ heading }: TextBlock, raw: string, { anywhere, underHeading }: OwnLines): boolean {
  const line = oneLine(raw)
  return anywhere.has(line) || underHeading.has(`${heading}\n${line}`)
}

function isQuotedCode(raw: string, records: readonly CitedRecord[]): boolean {
  const lines = raw.split('\n').slice(1, -1).map(oneLine).filter(Boolean)
  return lines.every((line) => records.some(({ text }) => text.includes(line)))
}

function createLineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1
}
