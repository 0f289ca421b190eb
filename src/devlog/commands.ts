import { cite, citedText } from './citation.ts'
import type { CommitEvidence, ErrorEvidence, PullRequestEvidence, TestEvidence } from './evidence.ts'
import { cutText, sentencesOf } from './sentences.ts'
import { attemptOf, type Call, failed, hidesFailure, isCommand, type SourceSession } from './turns.ts'

/** What a command line is for. */
export type CommandKind =
  | 'look'
  | 'commit'
  | 'pull-request'
  | 'test'
  | 'lint'
  | 'install'
  | 'build'
  | 'git'
  | 'database'
  | 'deploy'
  | 'network'
  | 'run'

/** What a command line is for. The first rule that fits decides. */
const RULES: readonly (readonly [CommandKind, RegExp])[] = [
  // A search that finds nothing fails, and is no failure.
  [
    'look',
    /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:ls|cat|head|tail|grep|rg|find|fd|wc|tree|pwd|which|stat|du|df|sed\s+-n|jq|diff|less|file|ps|env|echo|date|sort|sleep|true|test)\b(?!.*(?:&&|;))/,
  ],
  ['commit', /\bgit\s+(?:-C\s+\S+\s+)?commit\b/],
  ['pull-request', /\b(?:gh\s+pr|glab\s+mr)\s+(?:create|merge|edit|comment)\b/],
  [
    'test',
    /\b(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|make|mix|dotnet|swift|gradle|gradlew|mvn|rake|rails|bazel|uv run|poetry run|npx|bunx)\s+(?:run\s+)?(?:-\S+\s+)*(?:test|tests|t|spec|check)\b|(?:vitest|jest|pytest|mocha|ava|rspec|phpunit|tox|nox|ctest|playwright|cypress|nextest|unittest)\b|node\s+--test\b)/,
  ],
  [
    'lint',
    /\b(?:eslint|biome|prettier|ruff|flake8|mypy|pyright|tsc|clippy|golangci-lint|shellcheck|rubocop|black|stylelint|knip|lint|typecheck|fmt|format)\b/,
  ],
  [
    'install',
    /\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|brew|apt(?:-get)?|gem|go)\s+(?:-\S+\s+)*(?:install|i|ci|add|get|sync|remove|uninstall|update|upgrade)\b/,
  ],
  [
    'build',
    /\b(?:(?:npm|pnpm|yarn|bun|cargo|go|make|dotnet|swift|mvn|gradle|docker|vite|next|webpack|esbuild)\s+(?:run\s+)?(?:-\S+\s+)*(?:build|compile|bundle|package)|make|cmake|tsup|rollup)\b/,
  ],
  ['git', /\b(?:git|gh|glab|jj|hg)\s/],
  ['database', /\b(?:psql|mysql|sqlite3|redis-cli|mongosh?|prisma|pg_dump|alembic|migrate)\b/],
  [
    'deploy',
    /\b(?:kubectl|helm|terraform|ansible|systemctl|docker(?:-compose)?|podman|fly|vercel|netlify|wrangler|rsync|scp|ssh)\b/,
  ],
  ['network', /\b(?:curl|wget|http|ping|dig|nc)\s/],
  ['run', /^/],
]

export const commandKind = (line: string): CommandKind => RULES.find(([, rule]) => rule.test(line))![0]

/** The runs of tests, in order. */
export const testsOf = (calls: readonly Call[]): TestEvidence[] =>
  calls
    .filter((call) => isCommand(call) && commandKind(call.target) === 'test')
    .map((call) => ({
      outcome: failed(call) ? 'failed' : call.error || hidesFailure(call) ? 'unknown' : 'no-error',
      run: cite(call.source.session, call.item),
      error: call.error ? cite(call.source.session, call.error) : null,
    }))

const BARE_FAILURE = /^(?:command exited with|exit) code:? 1\.?$/i

/** A search that finds nothing ends with exit code 1 and says no more. */
const foundNothing = (call: Call): boolean =>
  failed(call) &&
  isCommand(call) &&
  commandKind(call.target) === 'look' &&
  BARE_FAILURE.test((call.error?.text ?? '').trim())

/** The errors of a session's calls, in order. Consecutive failures of the same attempt are one. */
export function errorsOf(source: SourceSession, calls: readonly Call[]): ErrorEvidence[] {
  const open = new Map<string, ErrorEvidence>()
  const errors: ErrorEvidence[] = []
  for (const call of calls) {
    if (foundNothing(call)) continue
    const key = `${call.name} ${attemptOf(call)}`
    const before = open.get(key)
    if (failed(call)) {
      if (before) {
        before.times++
        before.ending = 'still-failing'
        continue
      }
      const found: ErrorEvidence = {
        tool: call.name,
        error: cite(source.session, call.error!),
        times: 1,
        ending: 'not-repeated',
        fixedBy: null,
      }
      errors.push(found)
      open.set(key, found)
    } else if (before && !hidesFailure(call)) {
      before.ending = 'fixed'
      before.fixedBy = cite(source.session, call.item)
      open.delete(key)
    }
  }
  const ofCalls = new Set(calls.map(({ error }) => error))
  for (const item of source.items)
    if (item.who === 'error' && item.sure !== false && !item.offBranch && !ofCalls.has(item))
      errors.push({
        tool: item.tool?.name ?? null,
        error: cite(source.session, item),
        times: 1,
        ending: 'not-repeated',
        fixedBy: null,
      })
  for (const reported of reportedErrors(source)) errors.push(reported)
  return errors.sort((a, b) => a.error.line - b.error.line)
}

/** What people copy from a console or say about it. */
const REPORTED =
  /\b[A-Z]\w*(?:Error|Exception)\b|\b(?:Traceback|panicked at|npm ERR!|FAILED|ENOENT|EACCES|ECONNREFUSED|EADDRINUSE|EPERM)(?!\w)|\b(?:[Ff]atal|[Ee]rror(?:\[\w+\]| TS\d+)?): |\b(?:HTTP|[Ss]tatus|[Cc]ode|[Ee]rror) [45]\d\d\b|\b[45]\d\d (?:[Ee]rror|Internal|Not Found|Bad|Forbidden)|\b(?:[Ff]ailed to|[Cc]annot (?:find|read|resolve|connect|open|import)|[Cc]ould not (?:find|connect|resolve|open))\b|\b(?:segfault|segmentation fault|crash(?:es|ed)|(?:white|blank) (?:page|screen))\b|[报報][错錯]|エラー(?:が|に)|Fehlermeldung|message d'erreur|mensaje de error|mensagem de erro/
const ABOUT_ERRORS = /^(?:\/|! ?\S|<)/

/** The sentence or the line with an error that the human reports in a message. */
export function reportedError(text: string | undefined): string | undefined {
  if (!text || ABOUT_ERRORS.test(text) || !REPORTED.test(text)) return undefined
  return sentencesOf(text.replace(/```/g, '')).find((sentence) => REPORTED.test(sentence))
}

/** Errors that the human reported: pasted, or in a sentence. The same error again came back. */
function reportedErrors({ session, main, items }: SourceSession): ErrorEvidence[] {
  if (!main) return []
  const found = new Map<string, ErrorEvidence>()
  for (const item of items) {
    if (item.who !== 'human' || item.offBranch) continue
    const words = reportedError(item.text)
    if (words === undefined) continue
    const key = words.replace(/\d+/g, 'n').toLowerCase()
    const before = found.get(key)
    if (before) Object.assign(before, { times: before.times + 1, ending: 'still-failing' })
    else
      found.set(key, {
        tool: null,
        error: cite(session, item, citedText(item).includes(words) ? words : undefined),
        times: 1,
        ending: 'not-repeated',
        fixedBy: null,
      })
  }
  return [...found.values()]
}

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
    commits.push({ subject: cutText(subject, SUBJECT), commit: cite(call.source.session, call.item) })
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
      url: null,
      title: title?.[1] ?? title?.[2] ?? null,
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
