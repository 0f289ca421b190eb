import { codeSpan, plainMarkdown } from '../../render/markdown.ts'
import { printable } from '../../render/printable.ts'
import type { Citation } from '../evidence/evidence.ts'
import { type Block, type Draft, type Inline, joinLists } from './document.ts'
import { createFootnotes, dayAndTime, type Footnotes, shortSession } from './footnotes.ts'

/** Foreign text cannot leave its quotation or look like ours. */
const escapeMarkdown = (text: string): string => plainMarkdown(printable(text))

/** Escapes what would begin a list, a rule, a definition, or underline a title at the start of a line. */
const escapeStart = (text: string): string =>
  text.replace(/^(?:[-+=:]|\d+(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))

/** Formats a draft as Markdown with footnotes. */
export function draftMarkdown(draft: Draft): string {
  const notes = createFootnotes()
  const body = bodyMarkdown(draft, notes)
  const lines = footnoteLines(notes)
  return `${body}\n${lines.length > 0 ? `\n${lines.join('\n')}\n` : ''}`
}

/** The same without the footnotes. Their numbers continue those that are given. */
export function bodyMarkdown({ title, blocks }: Draft, notes: Footnotes): string {
  const body = joinLists(blocks)
    .map((block) => blockText(block, notes))
    .join('\n\n')
  return `# ${escapeMarkdown(title)}\n\n${body}`
}

/** The footnotes, or those that a text refers to. */
export function footnoteLines(notes: Footnotes, text?: string): string[] {
  const used =
    text === undefined ? undefined : new Set(Array.from(text.matchAll(/\[\^(\d+)\]/g), ([, n]) => Number(n)))
  return notes
    .all()
    .filter(({ number }) => used?.has(number) ?? true)
    .map(({ number, citation }) => `[^${number}]: ${footnoteText(citation)}`)
}

const footnoteText = ({ session, line, at, digest }: Citation): string =>
  `session \`${shortSession(session)}\`, line ${line}, ${dayAndTime(at)}, record \`${digest}\``

function blockText(block: Block, notes: Footnotes): string {
  const line = (content: readonly Inline[]): string =>
    content
      .map((part, index) => {
        const text = inlineText(part, notes)
        return index === 0 && typeof part === 'string' ? escapeStart(text) : text
      })
      .join('')
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.depth)} ${line(block.text)}`
    case 'paragraph':
      return line(block.content)
    case 'quote':
      return `> **${escapeMarkdown(block.speaker)}:** ${escapeMarkdown(block.citation.quote)}[^${notes.numberOf(block.citation)}]`
    case 'list':
      return block.items.map((item) => `- ${line(item)}`).join('\n')
    case 'table': {
      const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
      return [
        row(block.head.map(escapeMarkdown)),
        row(block.head.map(() => '---')),
        ...block.rows.map((cells) => row(cells.map(line))),
      ].join('\n')
    }
    case 'diagram':
      return `\`\`\`mermaid\n${block.source}\n\`\`\``
    case 'writer': {
      const evidence = block.evidence.map((each) => `[^${notes.numberOf(each)}]`).join('')
      return `*To be written: ${escapeMarkdown(block.task)}*${evidence}`
    }
  }
}

function inlineText(part: Inline, notes: Footnotes): string {
  if (typeof part === 'string') return spaced(straight(part))
  if ('code' in part) return codeText(part.code)
  if ('link' in part) return `<${part.link}>`
  if ('strong' in part) return `**${escapeMarkdown(straight(part.strong))}**`
  if ('quote' in part) return `“${escapeMarkdown(part.quote.quote)}”[^${notes.numberOf(part.quote)}]`
  return `[^${notes.numberOf(part.cite)}]`
}

/** Curly marks only enclose quotes, so that `check/` finds where one begins. */
const straight = (text: string): string => text.replace(/[“”]/g, '"')

/** A code span, unless its text could end one, leave a table, or look like a reference to a footnote. */
const codeText = (text: string): string =>
  /\[\^|[“”`\\|]/.test(text) ? escapeMarkdown(straight(text)) : codeSpan(printable(text))

/** Escapes a text and leaves the spaces around it. */
const spaced = (text: string): string => {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text)!
  return `${before && ' '}${escapeMarkdown(words)}${after && ' '}`
}
