import type { SourceSession } from '../source.ts'
import { type Call, failed, isCommand } from './calls.ts'
import { cite, citedText, cutQuote } from './citation.ts'
import { commandKind } from './command-kinds.ts'
import type { CommitEvidence, PullRequestEvidence } from './evidence.ts'

const SUBJECT = 100

/**
 * Commits with a message in the command line, in order. Failed ones and corrections of the last are left
 * out.
 */
export function commitsOf(calls: readonly Call[]): CommitEvidence[] {
  const commits: CommitEvidence[] = []
  for (const call of calls) {
    if (!isCommand(call) || failed(call) || commandKind(call.target) !== 'commit') continue
    const subject = messageOf(citedText(call.item))
    if (subject === undefined) continue
    commits.push({ subject: cutQuote(subject, SUBJECT), commit: cite(call.source.session, call.item) })
  }
  return commits
}

/** The message of a command line: quoted after `-m`, or in a here-document. */
function messageOf(line: string): string | undefined {
  const document = /<<-?\s*(['"]?)(\w+)\1\s+(.+?)(?:\s\2\b|$)/.exec(line)?.[3]
  const quoted = /\s(?:-\w*m|--message[= ])\s*(?:"((?:[^"\\]|\\.)*)"?|'([^']*)'?|(\S+))/.exec(line)
  const message = document ?? quoted?.[1] ?? quoted?.[2] ?? quoted?.[3]
  if (message === undefined || message.startsWith('$(')) return undefined
  // The line breaks are gone: a trailer or a list begins the body.
  const [subject = ''] = message.split(/\s(?:Co-Authored-By:|Signed-off-by:|🤖|[-*•] )/i)
  return withoutBody(subject.trim()) || undefined
}

/** A subject has at most so many characters, by custom. */
const USUAL_SUBJECT = 72
const BODY =
  /(?<=^.{20,}[\p{Ll}\d)])(?<! (?:a|an|the|to|for|in|with|of|and|or|by|on|from|via|into|as|new|latest|use))\.? (?=\p{Lu}\p{Ll}+ \p{Ll})/u

/** In a longer message, a sentence that begins in the middle is the body. */
const withoutBody = (message: string): string =>
  message.length <= USUAL_SUBJECT ? message : (message.split(BODY)[0] ?? message)

const ADDRESS = /https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|merge_requests|pulls)\/\d+/g

/** Pull requests, each address once. */
export function pullRequestsOf(source: SourceSession, calls: readonly Call[]): PullRequestEvidence[] {
  const found: PullRequestEvidence[] = []
  for (const call of calls) {
    if (!isCommand(call) || failed(call) || !/\b(?:gh\s+pr|glab\s+mr)\s+create\b/.test(call.target)) continue
    const title = /--title[= ]\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(call.target)
    found.push({
      ...{ url: null, title: title?.[1] ?? title?.[2] ?? null },
      mention: cite(source.session, call.item),
    })
  }
  const seen = new Set<string>()
  for (const item of source.items) {
    if ((item.who !== 'human' && item.who !== 'agent') || !item.text?.includes('https://')) continue
    for (const [url] of citedText(item).matchAll(ADDRESS)) {
      if (seen.has(url)) continue
      seen.add(url)
      found.push({ url, title: null, mention: cite(source.session, item, url) })
    }
  }
  return found
}
