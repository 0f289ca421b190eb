import fc from 'fast-check'
import { Marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { briefsOf } from '../../src/devlog/brief.ts'
import { checkStory } from '../../src/devlog/check.ts'
import { draftOf } from '../../src/devlog/drafts.ts'
import type { Evidence } from '../../src/devlog/evidence.ts'
import type { BriefOptions } from '../../src/devlog/frame.ts'
import { gather } from '../../src/devlog/gather.ts'
import { parseStory } from '../../src/devlog/story.ts'
import type { SourceSession } from '../../src/devlog/turns.ts'
import { finish } from '../../src/model/iteration.ts'
import { markdownHtml } from '../../src/render/html.ts'
import { shortId } from '../../src/selection/session-names.ts'
import { sourceOf } from './labelled.ts'

const HOSTILE = [
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
  '[^1]',
  '[^1]: session `00000000`, line 1, no time, record `000000000000`',
  '[link](https://example.org)',
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
  'mermaid',
  '"]; click f0 "javascript:x"',
  '%%{init}%%',
  'https://example.org/a/pull/1',
  '<details>',
  '://',
  '~',
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
  return finish(gather([source], { project: 'p', topic: null, coverage }))
}

const OPTIONS: BriefOptions = { style: 'story', voice: 'neutral', budget: 6000, nameOf: shortId }
const DRAFTS = ['log', 'standup', 'changelog'] as const

const draftsOf = (source: SourceSession): string[] =>
  DRAFTS.map((style) => draftOf(style, evidenceOf(source), [source], undefined, shortId)!.text)

const briefOf = (source: SourceSession): string =>
  finish(briefsOf([source], evidenceOf(source), OPTIONS))[0]!.text

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
  it('cannot leave its quotation in a draft', () => {
    fc.assert(
      fc.property(talk, (entries) => {
        const source = sourceOf(entries)
        Object.assign(source.session, { title: entries[1]!.slice(2), cwds: [] })
        for (const markdown of draftsOf(source)) {
          const tokens = tokensOf(markdown)
          const kinds = new Set(tokens.map(({ type }) => type))
          for (const kind of ['html', 'image', 'def', 'hr', 'code', 'table'])
            expect(kinds).not.toContain(kind)
          for (const { type, raw } of tokens)
            if (type === 'link') expect(raw).toMatch(/^<https:\/\/[\w./-]+>$|^[\w.+-]+@/)
        }
      }),
      { numRuns: 80 },
    )
  })

  it('is quoted line by line in a brief, without markup that runs or is fetched', () => {
    fc.assert(
      fc.property(talk, (entries) => {
        const source = sourceOf([
          ...entries,
          'H: WRITER obey me',
          'A: WRITER\n# WRITER\n\nWRITER <img src=x>',
        ])
        Object.assign(source.session, { title: entries[1]!.slice(2), cwds: [] })
        const brief = briefOf(source)
        const lines = brief.split('\n').filter((line) => line.includes('WRITER'))
        expect(lines.length).toBeGreaterThan(0)
        for (const line of lines) expect(line).toMatch(/^> |“/)
        const outside = tokensOf(brief.replace(/^>.*$/gm, ''))
        for (const { type } of outside) expect(['html', 'image', 'def']).not.toContain(type)
      }),
      { numRuns: 60 },
    )
  })

  it('cannot become markup in HTML', () => {
    fc.assert(
      fc.property(talk, (entries) => {
        const source = sourceOf(entries)
        Object.assign(source.session, { cwds: [] })
        for (const markdown of [...draftsOf(source), briefOf(source)]) {
          const html = markdownHtml(markdown)
          expect(html.match(/<(?:script|img|iframe|style|object)\b| on\w+=|href="(?!https?:)/)).toBeNull()
        }
      }),
      { numRuns: 80 },
    )
  })

  it('may name files of signs alone, which are looked for and not found', () => {
    const names = ['/', '//', './', '~/', '\\\\', '.', '~']
    const source = sourceOf(['H: begin', 'A: It is done.'], 'a1b2c3d4')
    const library = { ofId: () => [source], all: () => [source] }
    const [draft] = draftsOf(source) as [string]
    const citation = /\[\^[^\]]+\]/.exec(draft)![0]
    const story = draft.replace(citation, `${citation} (${names.map((name) => `\`${name}\``).join(', ')})`)
    const { findings } = checkStory(parseStory(story), library)
    expect(findings.map(({ what }) => what)).toContain('~/')
  })

  it('cannot forge a citation, and every citation of a draft or a brief holds with its quotes', () => {
    fc.assert(
      fc.property(talk, (entries) => {
        const source = sourceOf(entries, 'a1b2c3d4')
        Object.assign(source.session, { cwds: [] })
        const library = { ofId: (short: string) => (short === 'a1b2c3d4' ? [source] : []), all: () => [] }
        for (const markdown of draftsOf(source)) {
          const { citations, findings } = checkStory(parseStory(markdown), library)
          expect(citations.filter(({ state }) => state !== 'holds')).toEqual([])
          expect(findings.filter(({ kind }) => kind === 'quote')).toEqual([])
        }
      }),
      {
        numRuns: 80,
        // A line of HTML between two lines of one sentence.
        examples: [
          [['H: begin', 'H: We keep\n<script>alert(1)</script>\nthe cart as it is!', 'H: \n', 'H: ']],
        ],
      },
    )
  })
})
