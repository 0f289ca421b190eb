import { hash } from 'node:crypto'
import { escapeHtml } from '../condense/escape-html.ts'
import { anchorOf, PAGE_STYLE } from '../condense/render-html.ts'
import { dated } from '../condense/render-text.ts'
import type { Frame, Told } from './export-file.ts'

const TITLE = 200

/** The page around the sessions: what it is called, and where each of them stands. `asked` names it where there are several. */
export const pageFrame = (asked: string, now: number): Frame => ({
  head: (told) => {
    const [only] = told
    const title = told.length === 1 && only ? titleOf(only) : asked
    return `${pageHead(title, now)}${contents(told)}<main>\n`
  },
  foot: '</main>\n</body>\n</html>\n',
})

const titleOf = ({ session }: Told): string =>
  (session.title ?? session.subagent?.description ?? session.id).replace(/\s+/g, ' ').slice(0, TITLE)

/** Its policy lets nothing in but its own style, even where a reader would run or load something. */
const pageHead = (title: string, now: number): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1>
<p>Exported by scrollback on ${dated(now)}. Secrets were taken out.</p></header>
`

function contents(told: readonly Told[]): string {
  if (told.length < 2) return ''
  const rows = told.map(({ session, project }) => {
    const when = session.startedMs === undefined ? `~${dated(session.modifiedMs)}` : dated(session.startedMs)
    const place = project === undefined ? '' : ` · ${escapeHtml(project)}`
    return `<li><a href="#${escapeHtml(anchorOf(session))}">${escapeHtml(titleOf({ session }))}</a> <time>${when}${place}</time></li>\n`
  })
  return `<nav><ol>\n${rows.join('')}</ol></nav>\n`
}
