import * as fc from 'fast-check'
import { Marked } from 'marked'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { plainMarkdown, quoteMarkdown } from '../../src/render/markdown.ts'

/** Programs that show Markdown, with raw HTML as most of them leave it. */
const RENDERERS = {
  marked: (text: string): string => new Marked({ gfm: true }).parse(text, { async: false }),
  micromark: (text: string): string =>
    micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
}

/** What Markdown itself makes of a text. An image is no part of it: it would be fetched. */
const OWN = new Set(
  [
    'blockquote',
    'p',
    'em',
    'strong',
    'del',
    'code',
    'pre',
    'a',
    'ul',
    'ol',
    'li',
    'hr',
    'br',
    'input',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'sup',
    'section',
    'div',
  ].flatMap((name) => [name, `/${name}`]),
)

/** The elements of a page that Markdown does not make, and our marker wherever it is an attribute. */
function foreign(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z!?][\w-]*)([^>]*)>/gi)].flatMap(([tag, name, attributes]) =>
    OWN.has(name!.toLowerCase()) && !/\bonerror=/.test(attributes!.replace(/"[^"]*"/g, '')) ? [] : [tag],
  )
}

const TAGS = [
  '<img src=x onerror=alert(1)>',
  '<script>',
  '</p><b>',
  '<!-- x -->',
  '<?php',
  '![i](http://x.example/p.png)',
]

/** Texts around a tag that renderers and we may understand differently. */
const HOSTILE = TAGS.flatMap((tag) => [
  tag,
  `https://x.example/${tag}`,
  `www.x.example/${tag}bold`,
  `a@x.example/${tag}`,
  `mailto:a@x.example\\${tag}`,
  `https://x.example/\`${tag}\``,
  `www.x.example/\`\`a\`${tag} \`\``,
  `[a](1\`) ${tag} \`x\``,
  `[a](\n1\`) ${tag} \`x\``,
  `[a](u "x\ny \` ") ${tag} \``,
  `[a]: u "x\n\` ${tag} \``,
  `a | b\n--- | ---\n\`x | ${tag} \` | y`,
  `| a |\n|---|\n| \`x | ${tag} \` |`,
  ` \`\`\`\ncode\n\`\`\`\n${tag}`,
  `- a\n   \`\`\`\n\`\`\`\nx\n\`\`\`\n${tag}`,
  `- \`\`\`\n${tag}\n\`\`\`\n${tag}\n\`\`\`\n${tag}`,
  `> \`\`\`\n${tag}\n\`\`\`\n\n${tag}`,
  `\`\`\`\r${tag}\r\`\`\`\r${tag}`,
  `\`\`\`\n~~~\n\`\`\`\n${tag}`,
  `~~~\n\`\`\`\n~~~ \n${tag}`,
  `\\\`${tag}\``,
  `\`a\\\`${tag}\``,
  `\`\`a\` ${tag} \`\`\``,
  `&lt;${tag}&gt;`,
  `<https://x.example/\`>${tag}\``,
  `<a\n${tag}\n>`,
  `$\`$ ${tag} \``,
  `[^1]: \`x\n\n    \`${tag}\``,
])

describe('an export in Markdown', () => {
  it.each(Object.entries(RENDERERS))('has no element of a text, as %s shows it', (_, render) => {
    for (const words of HOSTILE) {
      expect([words, foreign(render(quoteMarkdown(words)))]).toEqual([words, []])
      expect([words, foreign(render(`## ${plainMarkdown(words)}\n`))]).toEqual([words, []])
      const row = `| a |\n|---|\n| [${plainMarkdown(words)}](a.md) |\n`
      expect([words, foreign(render(row))]).toEqual([words, []])
    }
  })

  it.each(Object.entries(RENDERERS))('has no element of any text, as %s shows it', (_, render) => {
    const piece = fc.constantFrom(
      ...TAGS,
      ...[
        '`',
        '``',
        '```',
        '~~~',
        ' ',
        '  ',
        '    ',
        '\n',
        '\n\n',
        '\t',
        '> ',
        '- ',
        '1. ',
        '# ',
        '|',
        '|---|',
        '\\',
      ],
      ...[
        '[',
        ']',
        '](',
        ')',
        '(',
        '<',
        '>',
        '"',
        "'",
        'https://x.example/',
        'www.x.example/',
        'a@b.example',
        '!',
        '&lt;',
      ],
      ...['*', '**', '_', '~~', ':', '[a]: ', '[^1]', '[^1]: ', '$', '<a ', 'x', '\r', '\u2028'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const words = pieces.join('')
        expect(foreign(render(quoteMarkdown(words)))).toEqual([])
        expect(foreign(render(`## ${plainMarkdown(words)}\n`))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})
