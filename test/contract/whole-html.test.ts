import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { markdownHtml } from '../../src/render/html.ts'
import { printable } from '../../src/render/terminal.ts'
import { losesLetters } from '../../src/render/whole-markdown.ts'
import { corpusSources } from '../devlog/stories.ts'

const corpus = process.env.SCROLLBACK_CORPUS

describe.skipIf(!corpus || !existsSync(corpus))('messages of others as HTML', () => {
  it('show every letter and digit', () => {
    const texts = corpusSources(corpus!, 200).flatMap(({ items }) => items.flatMap(({ text }) => text ?? []))
    expect(texts.length).toBeGreaterThan(100)
    const lost = texts.filter((text) => losesLetters(printable(text), shownOf(markdownHtml(text))))
    expect(lost.map((text) => text.length)).toEqual([])
  })
})

/** The text of a page, with the addresses of links and the numbers of items. */
const shownOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, (tag) => /(?<=(?:href|value)=")[^"]*/.exec(tag)?.[0] ?? '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, '&')
