import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownHtml } from './html.ts'
import { printable } from './terminal.ts'
import { losesLetters } from './whole-markdown.ts'

/** The tags that a message can become, with their allowed attributes. */
const ALLOWED =
  /^<(?:\/?(?:p|ul|ol|li|strong|em|del|code|pre|blockquote|table|thead|tbody|tr|th|td|hr|br|span|a)|ol start="\d+"|p class="heading h[1-6]"|p class="info"|li value="\d+"|pre class="code"|(?:th|td) align="(?:left|right|center)"|span class="[a-z_ -]+"|a href="https?:[^"<>]*" rel="noopener noreferrer")\s*\/?>$/

const tagsOf = (html: string): string[] => html.match(/<[^>]*>?/g) ?? []

/** What a browser shows of it, with the addresses of links and the numbers of items. */
const shownOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, (tag) => /(?<=(?:href|value)=")[^"]*/.exec(tag)?.[0] ?? '')
    .replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    )

const FORMS = [
  '[urgent]: rollback-now',
  '[^1]: deprecated',
  '[fixed]: src/cart.ts "and more"',
  '| a | b |\n|---|---|\n| 1 | 2 | lost |',
  '[label](src/cart.ts "title")',
  '![words](pic.png)',
  '[docs](https://example.org "title")',
  '[a][b]',
  '3. three\n7. seven',
  '- [x] done',
  '```ts title=cart.ts\nconst x = 1\n```',
  '    indented',
  '<!-- comment -->',
  '<https://example.org>',
  '&copy; &lt;b&gt;',
  '# heading #',
  '> quoted',
  '$a\\,b$ and \\[ x \\]',
  '***',
  '~~gone~~',
  '**bold** _it_ `code`',
]

describe('messages as HTML', () => {
  it('show every letter and digit of a message, whatever form of Markdown it has', () => {
    const lost = FORMS.filter((text) => losesLetters(text, shownOf(markdownHtml(text))))
    expect(lost).toEqual([])
    const part = fc.oneof(fc.constantFrom(...FORMS), fc.string({ maxLength: 12 }), fc.lorem({ maxCount: 3 }))
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.constantFrom('\n', '\n\n', ' ', '\n> '),
        (parts, joint) => {
          const text = parts.join(joint)
          expect(losesLetters(printable(text), shownOf(markdownHtml(text)))).toBe(false)
        },
      ),
    )
  })

  it('keep the backslashes of a formula', () => {
    expect(markdownHtml('$a\\,b$ \\( x \\)')).toBe('<p>$a\\,b$ \\( x \\)</p>\n')
    expect(markdownHtml('\\*no list')).toBe('<p>*no list</p>\n')
  })

  it('leave formulas as they are written, and prices as text', () => {
    for (const formula of [
      '$a_1 * b_2 * c$',
      '$$\\sum_{i} x_i * y_i$$',
      '\\(a_1 *b* c_2\\)',
      '\\[a_1 *b* c_2\\]',
    ])
      expect(markdownHtml(formula)).toBe(`<p>${formula}</p>\n`)
    expect(markdownHtml('It costs $5 and *not* $10.')).toBe('<p>It costs $5 and <em>not</em> $10.</p>\n')
    expect(markdownHtml('`$PATH` and $HOME *here*')).toBe(
      '<p><code>$PATH</code> and $HOME <em>here</em></p>\n',
    )
  })

  it('take time in proportion to the text, however many dollars it has', () => {
    const text = '$a \\(b '.repeat(4000)
    expect(markdownHtml(text)).toContain('$a')
  })

  it('are rendered from Markdown: lists, tables, highlighted code, quotations and links', () => {
    expect(
      markdownHtml(
        '# Tea\n\n- **green**\n- black\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nconst x = 1\n```\n\n> said\n\n[docs](https://example.org) and `code`',
      ),
    ).toMatchInlineSnapshot(`
      "<p class="heading h1">Tea</p>
      <ul>
      <li><strong>green</strong></li>
      <li>black</li>
      </ul>
      <table>
      <thead>
      <tr>
      <th>a</th>
      <th align="right">b</th>
      </tr>
      </thead>
      <tbody><tr>
      <td>1</td>
      <td align="right">2</td>
      </tr>
      </tbody></table>
      <p class="info">js</p>
      <pre class="code"><code><span class="hljs-keyword">const</span> x = <span class="hljs-number">1</span></code></pre>
      <blockquote>
      <p>said</p>
      </blockquote>
      <p><a href="https://example.org" rel="noopener noreferrer">docs</a> and <code>code</code></p>
      "
    `)
  })

  it('preserve line breaks', () => {
    expect(markdownHtml('one\ntwo')).toBe('<p>one<br>two</p>\n')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>1</script>)',
    '![x](https://example.org/pixel.png)',
    '```html"><script>\n<script>alert(1)</script>\n```',
    '```ts\n<script>alert(1)</script>\n```',
    '[x](https://example.org/"onmouseover="alert(1))',
    '<a href="https://example.org" onclick="x()">y</a>',
    '\u001b]8;;https://x\u0007link',
  ])('never become markup of their own: %s', (text) => {
    const html = markdownHtml(text)
    expect(tagsOf(html).filter((tag) => !ALLOWED.test(tag))).toEqual([])
    expect(html).not.toMatch(/\u001b|javascript:[^<]*"/)
  })

  it('contain only our own tags, whatever the text', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '```',
        '\n',
        '|',
        '-',
        '*',
        '_',
        '#',
        '[',
        ']',
        '(',
        ')',
        '!',
        ' ',
        '~~',
      ],
      ...[
        'a',
        'http://x',
        'javascript:',
        'script',
        'img',
        '=',
        '\\',
        ':',
        '1. ',
        '> ',
        '&lt;',
        '&#60;',
        '\u202e',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const bad = tagsOf(markdownHtml(pieces.join(''))).filter((tag) => !ALLOWED.test(tag))
        expect(bad).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })

  it('are shown verbatim if they are long or deeply nested', () => {
    expect(markdownHtml('*a* '.repeat(20_000))).toMatch(/^<pre>/)
    expect(tagsOf(markdownHtml('> '.repeat(20_000))).filter((tag) => !ALLOWED.test(tag))).toEqual([])
  })
})
