import fc from 'fast-check'
import { Marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { parseCitations } from '../../src/devlog/check/parse.ts'
import { verify } from '../../src/devlog/check/verify.ts'
import { draftHtml } from '../../src/devlog/draft/html.ts'
import { draftMarkdown } from '../../src/devlog/draft/markdown.ts'
import { draftOf, STYLES } from '../../src/devlog/draft/styles.ts'
import { citedText } from '../../src/devlog/evidence/citation.ts'
import type { Evidence } from '../../src/devlog/evidence/evidence.ts'
import { gather } from '../../src/devlog/evidence/gather.ts'
import type { SourceSession } from '../../src/devlog/source.ts'
import { sourceOf } from './labelled.ts'

const HOSTILE = [
  ...[
    '\n',
    '\n\n',
    ' ',
    '# Title',
    '> quote',
    '```\n',
    '~~~',
    '`',
    '``',
    '<script>alert(1)</script>',
    '<img src=x>',
  ],
  ...[
    '[^1]',
    '[^1]: session `00000000`, line 1, no time, record `000000000000`',
    '[link](https://example.org)',
  ],
  ...[
    '![image](x)',
    '| cell |',
    '---',
    '===',
    '- item',
    '1. item',
    '1)',
    '**',
    '__',
    '\\',
    '\\\\',
    '&lt;',
    '<!--',
    '-->',
  ],
  ...[
    '“',
    '”',
    '”[^2]',
    '$x$',
    '{{x}}',
    '\u2028',
    '\u202e',
    '\u0000',
    'I disagree.',
    'no, wrong',
    'yes',
    'I want',
  ],
  ...[
    'mermaid',
    '"]; click f0 "javascript:x"',
    '%%{init}%%',
    'https://example.org/a/pull/1',
    '<details>',
    '://',
    '~',
  ],
]

const word = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 8 }))
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(''))
const letter = fc.constantFrom('H', 'A', 'T')

const talk = fc
  .array(fc.tuple(letter, text), { minLength: 2, maxLength: 14 })
  .map((entries) => [
    'H: begin',
    ...entries.map(([who, words]) => (who === 'T' ? `T: Edit /p/${words}` : `${who}: ${words}`)),
  ])

function evidenceOf(source: SourceSession): Evidence {
  const coverage = { sessions: { used: 1, fitting: 1, seen: 1 }, items: { read: 1, there: 1 }, duplicates: 0 }
  return gather([source], { project: 'p', topic: null, coverage })
}

/** Our own structure: the number of headings, code blocks and footnotes of a draft, without foreign text. */
const tokensOf = (markdown: string): { type: string; raw: string }[] => {
  const found: { type: string; raw: string }[] = []
  const marked = new Marked({ gfm: true })
  marked.walkTokens(
    marked.lexer(markdown),
    (token) => void found.push(token as { type: string; raw: string }),
  )
  return found
}

describe('a hostile transcript', () => {
  it('cannot leave its quotation in Markdown', () => {
    fc.assert(
      fc.property(talk, fc.constantFrom(...STYLES), (entries, style) => {
        const source = sourceOf(entries)
        source.session.title = entries[1]!.slice(2)
        const evidence = evidenceOf(source)
        const markdown = draftMarkdown(draftOf(evidence, style, 'neutral'))
        const tokens = tokensOf(markdown)
        const kinds = new Set(tokens.map(({ type }) => type))
        for (const kind of ['html', 'image', 'def', 'hr']) expect(kinds).not.toContain(kind)
        for (const { type, raw } of tokens)
          if (type === 'link') expect(raw).toMatch(/^<https:\/\/[\w./-]+>$|^[\w.+-]+@/)
        const fences = tokens.filter(({ type }) => type === 'code').map(({ raw }) => raw)
        expect(fences.filter((raw) => !/^```mermaid\n(?:timeline|flowchart LR)\n/.test(raw))).toEqual([])
        const headings = draftOf(evidence, style, 'neutral').blocks.filter(({ type }) => type === 'heading')
        expect(tokens.filter(({ type }) => type === 'heading')).toHaveLength(headings.length + 1)
      }),
      { numRuns: 300 },
    )
  })

  it('cannot become markup in HTML', () => {
    fc.assert(
      fc.property(talk, (entries) => {
        const html = draftHtml(draftOf(evidenceOf(sourceOf(entries)), 'log', 'agent'))
        const tags = new Set(Array.from(html.matchAll(/<\/?([a-z0-9]+)/gi), ([, name]) => name))
        const own = 'main h2 h3 p b ul ol li table tr th td code pre blockquote sup a time'.split(' ')
        expect([...tags].filter((tag) => !own.includes(tag!))).toEqual([])
        expect(html.match(/ on\w+=|javascript:[^&]*"/)).toBeNull()
      }),
      { numRuns: 150 },
    )
  })

  it('cannot forge a citation, and every citation resolves to the quoted words', () => {
    fc.assert(
      fc.property(talk, fc.constantFrom(...STYLES), (entries, style) => {
        const source = sourceOf(entries, 'a1b2c3d4')
        const citations = parseCitations(draftMarkdown(draftOf(evidenceOf(source), style, 'neutral')))
        expect(new Set(citations.map(({ session }) => session)).size).toBeLessThanOrEqual(1)
        for (const citation of citations) {
          const texts = source.items.filter(({ line }) => line === citation.line).map(citedText)
          expect({ ...verify(citation, [{ texts, gone: false }]), entries }).toMatchObject({ state: 'holds' })
        }
      }),
      { numRuns: 300 },
    )
  })
})
