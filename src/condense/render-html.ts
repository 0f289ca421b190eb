import type { Item, Session } from '../model/session.ts'
import { printable } from './printable.ts'
import { dated } from './render-text.ts'
import { placeWords } from './session-place.ts'
import { speakerName, type Voice } from './voice.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as text: nothing in it can become markup, in content or in an attribute. */
export const escapeHtml = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)

/** All that the page looks like. It loads nothing and runs nothing. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--dim:#777;--line:#8884;--you:#0b6bcb1a;--bad:#c0392b}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin:2.5rem 0 0;border-top:2px solid var(--line);padding-top:1rem}
header p,.facts,time,.tool,.mark{color:var(--dim)}.facts{margin:.2rem 0 1rem;font-size:.85rem}
article{margin:.7rem 0;padding:.4rem .8rem;border-radius:.4rem;overflow-wrap:anywhere}
article.human{background:var(--you)}article b{margin-right:.6rem}time{font-size:.8rem}
article pre,.detail{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.2rem 0}
.tool,.error,.mark{margin:.15rem .8rem;font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.error{color:var(--bad)}.detail{font:12px/1.4 ui-monospace,monospace;border-left:2px solid var(--line);padding-left:.6rem;margin:.2rem 1.5rem}
nav ol{padding-left:1.4rem}a{color:inherit}`

export interface HtmlStyle {
  voice: Voice
}

/** What stands above the items of a session. */
export function htmlHeader(session: Session, project: string | undefined, anchor: string): string {
  const title = (session.title ?? '(no words)').replace(/\s+/g, ' ').slice(0, 200)
  const who = session.platform === 'claude-code' ? 'Claude Code' : `OpenClaw ${session.agent}`
  const from = session.startedMs ?? session.modifiedMs
  const facts = [
    project ?? '',
    who,
    session.kind === 'human' ? '' : (session.kind ?? ''),
    placeWords(session),
    session.state === 'live' ? '' : session.state,
    session.id,
    `${dated(from)} to ${dated(session.lastActivityMs ?? from)}`,
    `${session.human} human, ${session.agentMessages} agent, ${session.toolCalls} tools, ${session.errors} errors`,
  ]
  const told = facts.filter((fact) => fact !== '').map(escapeHtml)
  return `<h2 id="${escapeHtml(anchor)}">${escapeHtml(title)}</h2>\n<p class="facts">${told.join(' · ')}</p>\n`
}

/** The items of one session. Pure. */
export function renderHtml(items: readonly Item[], session: Session, { voice }: HtmlStyle): string {
  return items.map((item) => itemHtml(item, session, voice)).join('')
}

function itemHtml(item: Item, session: Session, voice: Voice): string {
  const detail =
    item.detail && item.who !== 'error' ? `<div class="detail">${escapeHtml(item.detail)}</div>\n` : ''
  const text = item.text === undefined ? '' : escapeHtml(item.text)
  const name = item.tool ? escapeHtml(item.tool.name) : ''
  if (item.who === 'tool') {
    const arrow = item.label === 'output' ? '←' : '→'
    const target = item.tool?.target && item.label !== 'output' ? ` ${escapeHtml(item.tool.target)}` : ''
    return `<div class="tool">${arrow} ${name}${target}</div>\n${detail}`
  }
  if (item.who === 'error') {
    const told = [name, text].filter((part) => part !== '').join(': ') || 'error'
    return `<div class="error">✗${item.sure === false ? '?' : ''} ${told}</div>\n`
  }
  if (item.who === 'marker') {
    const told = [escapeHtml(item.marker ?? 'note'), name, text].filter((part) => part !== '').join(': ')
    return `<div class="mark">· ${told}</div>\n${detail}`
  }
  const who = `${speakerName(item, session, voice)}${item.offBranch ? ' (abandoned branch)' : ''}`
  const time = item.at === undefined ? '' : `<time>${escapeHtml(dated(item.at))}</time>`
  const media = (item.media ?? []).map((each) => `<div class="mark">[${escapeHtml(each)}]</div>\n`).join('')
  const words = text === '' ? '' : `<pre>${text}</pre>\n`
  const kind = item.who === 'human' ? 'human' : item.who === 'agent' ? 'agent' : 'program'
  return `<article class="${kind}"><b>${escapeHtml(who)}</b>${time}\n${words}${media}${detail}</article>\n`
}
