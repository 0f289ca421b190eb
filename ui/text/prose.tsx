import '../style/reading.css'
import { signal } from '@preact/signals'
import { diffLines } from 'diff'
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { losesLetters, numberOf, wholeMarkdown } from '../../src/render/whole-markdown.ts'
import type { Piece } from './highlighter.ts'

// Markdown becomes elements directly, never HTML text. So there is no HTML to clean, HTML in a transcript is shown as
// the text that it is, and nothing in it can load or run.

const marked = new Marked(wholeMarkdown)

/** Tokens of recent texts: a list that scrolls draws the same ones again and again. */
const lexed = new Map<string, Token[] | undefined>()
const MOST_LEXED = 400
/** Nobody quotes quotes this often. Browsers and the parser fail at some hundreds. */
const MOST_LEVELS = 40

/** Undefined if the text is nested too deeply. */
function tokensOf(text: string): Token[] | undefined {
  if (lexed.has(text)) return lexed.get(text)
  const tokens = shallow(text)
  lexed.set(text, tokens)
  if (lexed.size > MOST_LEXED) lexed.delete(lexed.keys().next().value!)
  return tokens
}

function shallow(text: string): Token[] | undefined {
  try {
    const tokens = marked.lexer(text)
    return isDeeper(tokens, MOST_LEVELS) ? undefined : tokens.map(asShown)
  } catch {
    return undefined
  }
}

/** A block, as the text that it is if its form does not show all of it. */
const asShown = (token: Token): Token =>
  losesLetters(token.raw, shownIn(token as MarkedToken)) ? { type: 'raw', raw: token.raw } : token

/** The letters that `block` and `span` show of a token, in any order. */
function shownIn(token: MarkedToken): string {
  const own = token as Partial<Record<'text' | 'raw' | 'href' | 'title' | 'lang', string>>
  const all = (tokens: readonly Token[] = []): string =>
    tokens.map((each) => shownIn(each as MarkedToken)).join('')
  switch (token.type) {
    case 'list':
      return token.items.map((item) => `${numberOf(item.raw) ?? ''}${all(item.tokens)}`).join('')
    case 'table':
      return [...token.header, ...token.rows.flat()].map((cell) => all(cell.tokens)).join('')
    case 'code':
      return `${own.lang ?? ''}${token.text}`
    case 'link':
    case 'image':
      return `${token.type === 'link' ? all(token.tokens) : token.text}${token.href}${token.title ?? ''}`
    case 'checkbox':
      return ''
    default:
      return 'tokens' in token && token.tokens ? all(token.tokens) : (own.text ?? own.raw ?? '')
  }
}

/** Whether tokens contain others over more than so many levels. */
const isDeeper = (tokens: readonly Token[], levels: number): boolean =>
  tokens.some((token) => {
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: Token[] }
    const within = [...inner, ...items]
    return within.length > 0 && (levels === 0 || isDeeper(within, levels - 1))
  })

export function Markdown({ text }: { text: string }) {
  const tokens = tokensOf(text)
  return tokens ? <div class="prose">{blocks(tokens)}</div> : <Plain text={text} />
}

const blocks = (tokens: readonly Token[]): ComponentChildren[] =>
  tokens.map((token, index) => block(token as MarkedToken, index))

function block(token: MarkedToken, key: number): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return (
        <p key={key} class="heading" data-depth={Math.min(token.depth, 4)} dir="auto">
          {inline(token.tokens)}
        </p>
      )
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {inline(token.tokens)}
        </p>
      )
    case 'code':
      return <Fenced key={key} text={token.text} info={token.lang ?? ''} />
    case 'blockquote':
      return <blockquote key={key}>{blocks(token.tokens)}</blockquote>
    case 'list':
      return <List key={key} list={token} />
    case 'table':
      return <Table key={key} table={token} />
    case 'hr':
      return <hr key={key} />
    case 'space':
      return null
    case 'text':
      return <span key={key}>{token.tokens ? inline(token.tokens) : decoded(token.text)}</span>
    default:
      return (
        <p key={key} class="raw" dir="auto">
          {token.raw.trim()}
        </p>
      )
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} dir="auto" value={numberOf(item.raw)}>
      {item.task && <span class="task">{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ))
  if (!list.ordered) return <ul>{items}</ul>
  const start = list.start === '' ? 1 : list.start
  // Large numbers, such as a year that a line begins with, have room too.
  const digits = String(start + items.length).length
  const room = digits > 2 ? { paddingInlineStart: `${digits + 1.5}ch` } : undefined
  return (
    <ol start={start} style={room}>
      {items}
    </ol>
  )
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <div class="wide" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" data-align={cell.align ?? undefined}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} data-align={cell.align ?? undefined} dir="auto">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const inline = (tokens: readonly Token[] = []): ComponentChildren[] =>
  tokens.map((token, index) => span(token as MarkedToken, index))

function span(token: MarkedToken, key: number): ComponentChildren {
  switch (token.type) {
    case 'text':
      return token.tokens ? inline(token.tokens) : decoded(token.text)
    case 'escape':
      return token.text
    case 'strong':
      return <strong key={key}>{inline(token.tokens)}</strong>
    case 'em':
      return <em key={key}>{inline(token.tokens)}</em>
    case 'del':
      return <del key={key}>{inline(token.tokens)}</del>
    case 'codespan':
      return <code key={key}>{token.text}</code>
    case 'br':
      return <br key={key} />
    case 'link':
      return (
        <Outward
          key={key}
          href={token.href}
          title={token.title}
          words={inline(token.tokens)}
          label={token.text}
        />
      )
    case 'image':
      return (
        <Outward
          key={key}
          href={token.href}
          title={token.title}
          words={`image: ${token.text || 'without a description'}`}
          label={token.text}
        />
      )
    default:
      return token.raw
  }
}

/** Addresses that a click may open. Anything else in a transcript stays text. */
const OPENABLE = /^(?:https?:\/\/|mailto:)/i

interface OutwardLink {
  href: string
  title: string | null | undefined
  words: ComponentChildren
  /** The words as text. */
  label: string
}

/** A link that a click opens, or its words and its address. */
function Outward({ href, title, words, label }: OutwardLink) {
  const isOpened = OPENABLE.test(href)
  const beside = [title, isOpened || href === label ? '' : href].filter(Boolean).join(', ')
  if (beside !== '')
    words = (
      <>
        {words} ({beside})
      </>
    )
  if (!isOpened) return <span>{words}</span>
  return (
    <a class="outward" href={href} title={href} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  )
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" }

/** The lexer leaves entities as written. */
const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!)
    : text

/** The words of a person as typed. Only fenced code is set apart. */
export function Plain({ text }: { text: string }) {
  const parts = text.split(/^```([^\n`]*)\n([\s\S]*?)^```[ \t]*$/m)
  if (parts.length === 1)
    return (
      <p class="plain" dir="auto">
        {text}
      </p>
    )
  return (
    <>
      {parts.map((part, index) => {
        if (index % 3 === 1) return null
        if (index % 3 === 2)
          return <Fenced key={index} text={part.trimEnd()} info={parts[index - 1]!.trim()} />
        const words = part.trim()
        return (
          words && (
            <p class="plain" dir="auto" key={index}>
              {words}
            </p>
          )
        )
      })}
    </>
  )
}

const drawn = (pieces: readonly Piece[]): ComponentChildren[] =>
  pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={index} class={piece.scope && `code-${piece.scope.split('.')[0]}`}>
        {drawn(piece.children)}
      </span>
    ),
  )

/** Longer code stays plain: coloring it would hold up the page. */
const MOST_COLORED = 30_000

/** A block of code, in color once the highlighter is loaded. */
export function Code({
  text,
  language,
  label,
}: {
  text: string
  language?: string | undefined
  label?: string
}) {
  const isColored = language !== undefined && language !== '' && text.length <= MOST_COLORED
  useEffect(() => {
    if (isColored) loadHighlight()
  }, [isColored])
  const pieces = isColored ? highlight.value?.(text, language.toLowerCase()) : undefined
  return (
    <pre class="code" tabIndex={0} role="group" aria-label={label ?? 'Code'} dir="ltr">
      <code>{pieces ? drawn(pieces) : text}</code>
    </pre>
  )
}

/** A block of code under the words that its fence has: the language, and perhaps a file. */
const Fenced = ({ text, info }: { text: string; info: string }) => (
  <>
    {info !== '' && <p class="code-info">{info}</p>}
    <Code text={text} language={info.split(/\s/)[0]} />
  </>
)

type Highlight = (text: string, language: string) => Piece[] | undefined

/** Undefined until the highlighter is loaded. */
const highlight = signal<Highlight | undefined>(undefined)

let isLoading = false

/** Loads the highlighter, once. It is larger than the rest of the page, so it comes after the first code. */
function loadHighlight(): void {
  if (isLoading) return
  isLoading = true
  import('./highlighter.ts').then(
    (module) => {
      highlight.value = module.piecesOf
    },
    () => {
      isLoading = false
    },
  )
}

export type LineKind = 'same' | 'added' | 'removed' | 'fold'

export interface DiffLine {
  kind: LineKind
  text: string
}

const SIGNS: Record<LineKind, string> = { same: ' ', added: '+', removed: '−', fold: ' ' }

/** Unchanged lines around a change. */
const AROUND = 3

/** A part of a file need not end with a line, and its last line is a line like any other. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function linesOf(before: string, after: string): DiffLine[] {
  const all = diffLines(ended(before), ended(after)).flatMap(({ value, added, removed }) => {
    const kind: LineKind = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): DiffLine => ({ kind, text }))
  })
  const near = all.map((_, index) =>
    all.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  const shown: DiffLine[] = []
  for (const [index, line] of all.entries()) {
    if (near[index]) shown.push(line)
    else if (shown.at(-1)?.kind !== 'fold') shown.push({ kind: 'fold', text: '⋯' })
  }
  return shown
}

/** The lines that two texts differ in. */
export function Diff({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => linesOf(before, after), [before, after])
  return <DiffLines lines={lines} />
}

/** `label`: what was changed, where it is one change of several. */
export function DiffLines({ lines, label }: { lines: readonly DiffLine[]; label?: string }) {
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label={label ?? 'Changed lines'} dir="ltr">
      {lines.map(({ kind, text }, index) => (
        <span key={index} class={`diff-line ${kind}`}>
          <span class="sign">{SIGNS[kind]}</span>
          {text || ' '}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
