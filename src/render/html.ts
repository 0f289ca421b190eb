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
import { Marked, type Token, type Tokens } from 'marked'
import type { Item, Session } from '../model/session.ts'
import { shortTarget } from '../model/written-files.ts'
import { identityOf } from '../platforms/identities.ts'
import { agentName } from '../platforms/identity.ts'
import { counted } from './table.ts'
import { printable } from './terminal.ts'
import { dated, detailOf, speakerName, surfaceText, type Voice } from './text.ts'
import { losesLetters, numberOf, wholeMarkdown } from './whole-markdown.ts'

/** The style of the page. It loads and runs nothing. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--dim:#777;--line:#8884;--you:#0b6bcb1a;--bad:#c0392b;--code:#8881}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin:2.5rem 0 0;border-top:2px solid var(--line);padding-top:1rem}
header p,.facts,time,.tool,.mark,summary{color:var(--dim)}.facts{margin:.2rem 0 1rem;font-size:.85rem}
article{margin:.7rem 0;padding:.4rem .8rem;border-radius:.4rem;overflow-wrap:anywhere}
article.human{background:var(--you)}article b{margin-right:.6rem}time{font-size:.8rem}a.at{text-decoration:none}
article:target{outline:2px solid var(--line)}article p{margin:.4rem 0}article ul,article ol{margin:.3rem 0;padding-left:1.5rem}
.heading{font-weight:600}.h1,.h2{font-size:1.1rem}blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid var(--line)}
code,pre.code,.tool,.error,.mark,summary{font-family:ui-monospace,monospace}code{direction:ltr;unicode-bidi:isolate;font-size:.92em;background:var(--code);border-radius:.2rem;padding:0 .2em}
pre.code{font-size:13px;line-height:1.45;background:var(--code);border-radius:.3rem;padding:.6rem;overflow-x:auto}pre.code code{background:none;padding:0;font-size:1em}
article pre:not(.code),.detail{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.2rem 0}
table{border-collapse:collapse;margin:.5rem 0;font-size:.95em}td,th{border:1px solid var(--line);padding:.2rem .5rem;text-align:left}
.tool,.error,.mark,summary{font-size:13px;line-height:1.5}.tool,.error,.mark{margin:.15rem 0;overflow-wrap:anywhere}details{margin:.15rem .8rem}
article p.info{font:12px/1.4 ui-monospace,monospace;color:var(--dim)}
.error{color:var(--bad)}.detail{font:12px/1.4 ui-monospace,monospace;border-left:2px solid var(--line);padding-left:.6rem;margin:.2rem 1rem}
.hljs-keyword,.hljs-built_in,.hljs-selector-tag,.hljs-name{color:#8250df}.hljs-string,.hljs-attr,.hljs-addition{color:#1a7f37}
.hljs-number,.hljs-literal,.hljs-type,.hljs-title{color:#0969da}.hljs-comment,.hljs-meta{color:var(--dim)}.hljs-deletion{color:var(--bad)}
@media (prefers-color-scheme:dark){.hljs-keyword,.hljs-built_in,.hljs-selector-tag,.hljs-name{color:#d2a8ff}.hljs-string,.hljs-attr,.hljs-addition{color:#7ee787}
.hljs-number,.hljs-literal,.hljs-type,.hljs-title{color:#79c0ff}}
nav ol{padding-left:1.4rem}a{color:inherit}`

/** The anchor of a session in a page with several sessions. */
export const anchorOf = ({ id, platform, agent, state }: Session): string =>
  `s-${[platform, agent, id, state].join('-').replace(/[^\w-]/g, '_')}`

/** Formats the header above the items of a session. */
function htmlHeader(session: Session, project: string | undefined): string {
  const anchor = anchorOf(session)
  const title = (session.title ?? '(no words)').replace(/\s+/g, ' ').slice(0, 200)
  const who = agentName(identityOf(session.platform), session.agent)
  const facts = [
    project ?? '',
    who,
    session.kind === 'human' ? '' : (session.kind ?? ''),
    surfaceText(session),
    session.state === 'live' ? '' : session.state,
    session.id,
    session.startedMs === undefined
      ? `no time (file of ${dated(session.modifiedMs)})`
      : `${dated(session.startedMs)} to ${dated(session.lastActivityMs ?? session.startedMs)}`,
    `${session.human} human, ${session.agentMessages} agent, ${counted(session.toolCalls, 'tool call')}, ${counted(session.errors, 'error')}`,
  ]
  const shown = facts.filter((fact) => fact !== '').map(escapeHtml)
  return `<h2 id="${escapeHtml(anchor)}">${escapeHtml(title)}</h2>\n<p class="facts">${shown.join(' · ')}</p>\n`
}

/** Formats the items of one session. Tool calls between two messages are folded. Pure. */
function renderHtml(items: readonly Item[], session: Session, { voice }: { voice: Voice }): string {
  let html = ''
  let done: Item[] = []
  const fold = (): void => {
    if (done.length > 0) html += foldedHtml(done)
    done = []
  }
  for (const item of items) {
    if (item.who === 'tool' || item.who === 'error') {
      done.push(item)
      continue
    }
    fold()
    html += item.who === 'marker' ? markHtml(item) : messageHtml(item, session, voice)
  }
  fold()
  return html
}

const MOST_NAMES = 4

/** Formats tool calls and their errors, folded under a line that counts them. */
function foldedHtml(items: readonly Item[]): string {
  const calls = items.filter(({ who, label }) => who === 'tool' && label !== 'output')
  const errors = items.filter(({ who }) => who === 'error')
  const names = [...new Set(items.flatMap(({ tool }) => tool?.name ?? []))]
  const shown = [
    ...(calls.length > 0 ? [`${calls.length} ${calls.length === 1 ? 'tool call' : 'tool calls'}`] : []),
    ...(errors.length > 0 ? [`${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`] : []),
  ].join(', ')
  const named = names.slice(0, MOST_NAMES).map(escapeHtml).join(', ')
  const more = names.length > MOST_NAMES ? ', …' : ''
  return `<details><summary>${shown || 'tool results'}${named && `: ${named}${more}`}</summary>\n${items.map(toolHtml).join('')}</details>\n`
}

function toolHtml(item: Item): string {
  const text = item.text === undefined ? '' : escapeHtml(item.text)
  const name = item.tool ? escapeHtml(item.tool.name) : ''
  if (item.who === 'error') {
    const shown = [name, text].filter((part) => part !== '').join(': ') || 'error'
    return `<div class="error">✗${item.sure === false ? '?' : ''} ${shown}</div>\n`
  }
  const arrow = item.label === 'output' ? '←' : '→'
  const target =
    item.tool?.target && item.label !== 'output' ? ` ${escapeHtml(shortTarget(item.tool.target))}` : ''
  return `<div class="tool">${arrow} ${name}${target}</div>\n${detailHtml(item)}`
}

const detailHtml = (item: Item): string => {
  const detail = detailOf(item)
  return detail ? `<div class="detail">${escapeHtml(detail)}</div>\n` : ''
}

function markHtml(item: Item): string {
  const parts = [item.marker ?? 'note', item.tool?.name ?? '', item.text ?? '']
  const shown = parts.filter((part) => part !== '').map(escapeHtml)
  return `<div class="mark">· ${shown.join(': ')}</div>\n${detailHtml(item)}`
}

/** Formats a message with an anchor. */
function messageHtml(item: Item, session: Session, voice: Voice): string {
  const who = `${speakerName(item, session, voice)}${item.offBranch ? ' (abandoned branch)' : ''}`
  const anchor = `${anchorOf(session)}-${item.line}-${item.order}`
  const time = item.at === undefined ? '#' : dated(item.at)
  const media = (item.media ?? []).map((each) => `<div class="mark">[${escapeHtml(each)}]</div>\n`).join('')
  const words = item.text ? markdownHtml(item.text) : ''
  const kind = item.who === 'human' ? 'human' : item.who === 'agent' ? 'agent' : 'program'
  return `<article class="${kind}" id="${anchor}"><b>${escapeHtml(who)}</b><a class="at" href="#${anchor}"><time>${escapeHtml(time)}</time></a>\n${words}${media}${detailHtml(item)}</article>\n`
}

/** Everything for HTML pages. Loaded only if a page is written. */
export const htmlPages = { header: htmlHeader, items: renderHtml }
export type HtmlPages = typeof htmlPages

for (const [name, language] of Object.entries({
  bash,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}))
  hljs.registerLanguage(name, language)

/** Longer texts are not parsed, because the parser visits each part several times. */
const LONGEST = 50_000

/** Only web links become links, and nothing is loaded. */
const WEB = /^https?:\/\//i

const marked = new Marked({
  ...wholeMarkdown,
  // Line breaks in messages are intended.
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href, title }) => escapeHtml(`[${[text, href, title].filter(Boolean).join(': ')}]`),
    link({ href, tokens, text, title }: Tokens.Link) {
      const label = this.parser.parseInline(tokens)
      const beside = [title, WEB.test(href) || href === text ? '' : href].filter(Boolean).join(', ')
      const words = beside === '' ? label : `${label} (${escapeHtml(beside)})`
      return WEB.test(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${words}</a>` : words
    },
    code: ({ text, lang }) =>
      `${lang ? `<p class="info">${escapeHtml(lang)}</p>\n` : ''}<pre class="code"><code>${highlighted(text, lang)}</code></pre>\n`,
    listitem(item) {
      const number = numberOf(item.raw)
      const value = number === undefined ? '' : ` value="${number}"`
      return `<li${value}>${this.parser.parse(item.tokens)}</li>\n`
    },
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
    return marked
      .lexer(text)
      .map((token) => blockHtml(token))
      .join('')
  } catch {
    // The text is nested too deeply to be parsed.
    return plainHtml(text)
  }
}

/** One block of a message, as it was written if its form does not show all of it. */
function blockHtml(token: Token): string {
  const html = marked.parser([token])
  return losesLetters(printable(token.raw), lettersOf(html)) ? plainHtml(token.raw) : html
}

/** What a reader sees of HTML that was made here, with the addresses of links and the numbers of items. */
const lettersOf = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, (tag) => /(?<=(?:href|value)=")[^"]*/.exec(tag)?.[0] ?? '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, '&')

const plainHtml = (text: string): string => `<pre>${escapeHtml(text)}</pre>\n`

function highlighted(code: string, lang: string | undefined): string {
  const language = lang?.split(/\s/)[0]?.toLowerCase()
  if (!language || code.length > LONGEST || !hljs.getLanguage(language)) return escapeHtml(code)
  return hljs.highlight(printable(code), { language, ignoreIllegals: true }).value
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text so that it cannot become markup, in content or in an attribute. */
export const escapeHtml = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)
