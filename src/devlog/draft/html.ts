import { escapeHtml } from '../../render/escape-html.ts'
import type { Citation } from '../evidence/evidence.ts'
import { type Block, type Draft, type Inline, joinLists } from './document.ts'
import { createFootnotes, dayAndTime, type Footnotes, shortSession } from './footnotes.ts'

/** Formats a draft as the body of a page. Nothing in it runs or loads. */
export function draftHtml({ blocks }: Draft): string {
  const notes = createFootnotes()
  const body = joinLists(blocks)
    .map((block) => blockHtml(block, notes))
    .join('\n')
  const footnotes = notes.all().map(({ number, citation }) => footnoteHtml(number, citation))
  const list = footnotes.length > 0 ? `\n<h2>Sources</h2>\n<ol>\n${footnotes.join('\n')}\n</ol>` : ''
  return `<main>\n${body}${list}\n</main>\n`
}

const footnoteHtml = (number: number, { session, line, at, digest }: Citation): string =>
  `<li id="note-${number}">session <code>${shortSession(session)}</code>, line ${line}, <time>${dayAndTime(at)}</time>, record <code>${digest}</code></li>`

function blockHtml(block: Block, notes: Footnotes): string {
  const line = (content: readonly Inline[]): string => content.map((part) => inlineHtml(part, notes)).join('')
  switch (block.type) {
    case 'heading':
      return `<h${block.depth}>${line(block.text)}</h${block.depth}>`
    case 'paragraph':
      return `<p>${line(block.content)}</p>`
    case 'quote':
      return `<blockquote><b>${escapeHtml(block.speaker)}:</b> ${escapeHtml(block.citation.quote)}${reference(block.citation, notes)}</blockquote>`
    case 'list':
      return `<ul>\n${block.items.map((item) => `<li>${line(item)}</li>`).join('\n')}\n</ul>`
    case 'table': {
      const head = block.head.map((cell) => `<th>${escapeHtml(cell)}</th>`).join('')
      const rows = block.rows.map(
        (cells) => `<tr>${cells.map((cell) => `<td>${line(cell)}</td>`).join('')}</tr>`,
      )
      return `<table>\n<tr>${head}</tr>\n${rows.join('\n')}\n</table>`
    }
    case 'diagram':
      return `<pre class="code"><code>${escapeHtml(block.source)}</code></pre>`
    case 'writer':
      return `<p class="facts">To be written: ${escapeHtml(block.task)}${block.evidence.map((each) => reference(each, notes)).join('')}</p>`
  }
}

function inlineHtml(part: Inline, notes: Footnotes): string {
  if (typeof part === 'string') return escapeHtml(part)
  if ('code' in part) return `<code>${escapeHtml(part.code)}</code>`
  if ('link' in part)
    return `<a href="${escapeHtml(part.link)}" rel="noopener noreferrer">${escapeHtml(part.link)}</a>`
  if ('strong' in part) return `<b>${escapeHtml(part.strong)}</b>`
  if ('quote' in part) return `“${escapeHtml(part.quote.quote)}”${reference(part.quote, notes)}`
  return reference(part.cite, notes)
}

function reference(citation: Citation, notes: Footnotes): string {
  const number = notes.numberOf(citation)
  return `<sup><a href="#note-${number}">${number}</a></sup>`
}
