import { hash } from 'node:crypto'
import { anchorOf, escapeHtml, PAGE_STYLE } from '../../render/html.ts'
import { dated } from '../../render/text.ts'
import type { ExportedSession, Frame } from './file.ts'

const TITLE = 200

/** The page around the sessions: title and contents. `asked` is the title of a page with several sessions. */
export const pageFrame = (asked: string, now: number): Frame => ({
  head: (sessions) => {
    const [only] = sessions
    const title = sessions.length === 1 && only ? titleOf(only) : asked
    return `${pageHead(title, sessions.length !== 1, now)}${contents(sessions)}<main>\n`
  },
  foot: '</main>\n</body>\n</html>\n',
})

const titleOf = ({ session }: ExportedSession): string =>
  (session.title ?? session.subagent?.description ?? session.id).replace(/\s+/g, ' ').slice(0, TITLE)

/**
 * The head of a page. A page with one session has the heading of that session. The content policy allows only
 * the page's own style, even in viewers that would run scripts or load resources.
 */
export const pageHead = (title: string, headed: boolean, now: number): string => `<!doctype html>
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
<header>${headed ? `<h1>${escapeHtml(title)}</h1>\n` : ''}<p>Exported by scrollback on ${dated(now)}. Secrets are redacted.</p></header>
`

function contents(sessions: readonly ExportedSession[]): string {
  if (sessions.length < 2) return ''
  const rows = sessions.map(({ session, project }) => {
    const when = session.startedMs === undefined ? `~${dated(session.modifiedMs)}` : dated(session.startedMs)
    const named = project === undefined ? '' : ` · ${escapeHtml(project)}`
    return `<li><a href="#${escapeHtml(anchorOf(session))}">${escapeHtml(titleOf({ session }))}</a> <time>${when}${named}</time></li>\n`
  })
  return `<nav><ol>\n${rows.join('')}</ol></nav>\n`
}
