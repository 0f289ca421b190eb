import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './escape-html.ts'
import { printable } from './printable.ts'

for (const [name, language] of Object.entries({
  ...{ bash, css, diff, go, java, javascript, json },
  ...{ python, rust, sql, typescript, xml, yaml },
}))
  hljs.registerLanguage(name, language)

/** Longer texts are not parsed, because the parser visits each part several times. */
const LONGEST = 50_000

/** Only web links become links, and nothing is loaded. */
const WEB = /^https?:\/\//i

const marked = new Marked({
  gfm: true,
  // Line breaks in messages are intended.
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href }) => escapeHtml(`[${text || href}]`),
    link({ href, tokens }: Tokens.Link) {
      const label = this.parser.parseInline(tokens)
      return WEB.test(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${label}</a>` : label
    },
    code: ({ text, lang }) => `<pre class="code"><code>${highlighted(text, lang)}</code></pre>\n`,
    codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
    heading({ tokens, depth }) {
      // The page has headings of its own.
      return `<p class="heading h${depth}">${this.parser.parseInline(tokens)}</p>\n`
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    text(token) {
      return 'tokens' in token && token.tokens
        ? this.parser.parseInline(token.tokens)
        : escapeHtml(token.text)
    },
  },
})

/** Converts a message, which is usually Markdown, to HTML. No HTML in it becomes markup. */
export function markdownHtml(text: string): string {
  if (text.length > LONGEST) return plainHtml(text)
  try {
    return marked.parse(text, { async: false })
  } catch {
    // The text is nested too deeply to be parsed.
    return plainHtml(text)
  }
}

const plainHtml = (text: string): string => `<pre>${escapeHtml(text)}</pre>\n`

function highlighted(code: string, lang: string | undefined): string {
  const language = lang?.split(/\s/)[0]?.toLowerCase()
  if (!language || code.length > LONGEST || !hljs.getLanguage(language)) return escapeHtml(code)
  return hljs.highlight(printable(code), { language, ignoreIllegals: true }).value
}
