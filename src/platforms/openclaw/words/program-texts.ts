import type { SessionKind } from '../../../model/event.ts'

/** A user message that was written entirely by a program. */
interface ProgramText {
  label: string
  /** The kind of session it proves. Absent if it also occurs among a human's messages. */
  kind?: SessionKind
  /** The text to show; empty if it is only context. */
  text: string
}

type Rule = readonly [begins: RegExp, label: string, kind?: SessionKind, words?: (text: string) => string]

const after =
  (marker: RegExp) =>
  (text: string): string => {
    const match = marker.exec(text)
    return match ? text.slice(match.index + match[0].length) : text
  }

/** The text of an event between its announcement and the instruction that follows. */
function reminder(text: string): string {
  const content =
    /The reminder content is:\s*\n\n([\s\S]*?)(?:\n\n(?:Please relay|Handle this)[\s\S]*)?$/.exec(text)
  return content ? content[1]! : ''
}

/** The report of a finished subagent or job. */
function result(text: string): string {
  const framed = /<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>\n([\s\S]*?)\n?<<<END_UNTRUSTED_CHILD_RESULT>>>/.exec(
    text,
  )
  if (framed) return framed[1]!
  const head = /^(?:\[System Message\] )?(?:\[sessionId: [^\]]*\] )?([^\n]*)/.exec(text)?.[1] ?? ''
  const body = /\n(?:Result|Findings):\n([\s\S]*?)(?:\n\nStats: [\s\S]*)?$/.exec(text)?.[1]
  return body ? `${head}\n${body}` : head
}

/** Removes the frame that mail and web hooks put around external content. */
const external = (text: string): string =>
  (
    /<<<EXTERNAL_UNTRUSTED_CONTENT[^\n]*>>>\n([\s\S]*?)\n?<<<END_EXTERNAL_UNTRUSTED_CONTENT/.exec(
      text,
    )?.[1] ?? text
  ).replace(/^Source: [^\n]*\n(?:---\n)?/, '')

const nothing = (): string => ''

const SESSION_START = /^(?:\[OpenClaw session (?:new|reset)\]|A new session was started via \/new or \/reset)/

/** How a command ended, with an id, a session or an exit code in brackets. */
const EXEC_NOTICE =
  /^Exec (?:finished|completed|failed|denied|running|timed out) \((?:[^()\n]*\b(?:id=|session=|code -?\d|signal |user-denied|approval)[^()\n]*)\)/

/**
 * Only separate sessions begin with `[cron:`, a task or a hook. Reminders and events wake the main session
 * like a heartbeat, and a human may continue it.
 */
const RULES: readonly Rule[] = [
  [/^\[cron:[^\]\n]*\]/, 'cron', 'cron', after(/^\[cron:[^\]\n]*\] ?/)],
  [/^\[Subagent (?:Context|Task)\]/, 'subagent task', 'subagent', subagentTask],
  [/^Read HEARTBEAT\.md if /, 'heartbeat', 'heartbeat'],
  [/^\[OpenClaw heartbeat poll\]/, 'heartbeat', 'heartbeat'],
  [/^Run the following periodic tasks \(only those due/, 'heartbeat', 'heartbeat'],
  [/^Follow the heartbeat monitor scratch context/, 'heartbeat', 'heartbeat'],
  [/^\[OpenClaw cron wake\]/, 'cron', 'heartbeat'],
  [/^\[OpenClaw exec completion\]/, 'exec completion', 'heartbeat'],
  [/^\[OpenClaw session event\]/, 'session event', 'heartbeat'],
  [SESSION_START, 'session start', undefined, () => 'A new session was started.'],
  [/^A scheduled reminder has been triggered/, 'reminder', 'heartbeat', reminder],
  [/^A scheduled cron event was triggered/, 'reminder', 'heartbeat', nothing],
  [
    /^An async command (?:you ran earlier has completed|completion event was triggered)/,
    'exec completion',
    'heartbeat',
  ],
  // The following line proves that the first one is not a quotation.
  [
    /^An async command (?:the user already approved has completed|did not run)\.\s*\n+Do not run /,
    'exec completion',
    undefined,
    completion,
  ],
  [EXEC_NOTICE, 'exec completion'],
  [/^A (?:background|subagent) task "/, 'subagent result', undefined, result],
  [/^A cron job "/, 'cron result', undefined, result],
  [/^\[System Message\]/, 'subagent result', undefined, result],
  [/^\[Internal task completion event\]/, 'subagent result', undefined, result],
  [/^OpenClaw runtime (?:context|event)\b/, 'subagent result', undefined, result],
  [/^Continue the OpenClaw runtime event\.$/, 'runtime event'],
  [/^\[Queued announce messages while agent was busy\]/, 'subagent result', undefined, queued],
  [/^\[Inter-session message\]/, 'inter-session', undefined, interSession],
  [/^Agent-to-agent announce step\./, 'inter-session'],
  [/^\[Post-compaction context refresh\]/, 'context', undefined, nothing],
  [/^Pre-compaction memory flush\./, 'memory flush'],
  [/^Continue where you left off\. The previous model attempt failed or timed out\./, 'retry'],
  [
    /^\[Retry after the previous model attempt failed or timed out\]/,
    'retry',
    undefined,
    after(/^\[Retry after [^\]\n]*\]\s*(?:\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} [^\]\n]*\] ?)?/),
  ],
  [/^\[System\] Your previous turn was interrupted by a gateway restart/, 'retry'],
  [/^You are running a boot check/, 'boot', 'program'],
  [/^SECURITY NOTICE: The following content is from an EXTERNAL/, 'hook', 'hook', external],
  [/^Wake up, my friend!$/, 'onboarding'],
]

/** Context and tasks may both contain such a line. The first line that begins with it counts. */
const TASK = /^\[Subagent Task\](?::[ \t]*|[ \t]*$\n?)/m
const BEGIN_TASK = /\n\nBegin\. Execute the assigned task to completion\.$/

function subagentTask(text: string): string {
  const task = TASK.exec(text)
  if (task)
    return text
      .slice(task.index + task[0].length)
      .trimEnd()
      .replace(BEGIN_TASK, '')
  return text.replace(/^\[Subagent Context\] ?/gm, '')
}

/** The result of a command, without the instructions for the agent. */
function completion(text: string): string {
  const details =
    /\nExact completion details:\n([\s\S]*?)(?:\n\n(?:Continue the task if needed|Reply to the user)[\s\S]*)?$/
  return details.exec(text)?.[1] ?? text
}

function interSession(text: string): string {
  const body = text.slice(text.indexOf('\n') < 0 ? text.length : text.indexOf('\n') + 1)
  return body.replace(
    /^This content was routed by OpenClaw from another session or internal tool\.[^\n]*\n?/,
    '',
  )
}

function queued(text: string): string {
  return text
    .split(/^---\nQueued #\d+[^\n]*$/m)
    .slice(1)
    .map((item) => result(item.trim()))
    .join('\n\n')
}

/** Lines below every scheduled prompt, and what newer versions add. */
const TIME = /^(?:Current time: [^\n]*|Reference UTC: [^\n]*)$\n?/gm
const UNATTENDED = /\n\nThis is an unattended scheduled run\. Nobody is present [^\n]*$/
const DELIVERY =
  /\n\n(?:Return your (?:summary|response|final answer)[^\n]* (?:as plain text|will be delivered)|Use the message tool if you need to notify)[^\n]*$/

/** Recognizes a message that a program wrote by its beginning. Wrappers must have been removed. */
export function programText(text: string): ProgramText | undefined {
  const rule = RULES.find(([begins]) => begins.test(text))
  if (!rule) return undefined
  const [, label, kind, words = (all: string) => all] = rule
  return { label, kind, text: tidy(words(text)) }
}

/** A prompt without the time and the delivery instructions below it. */
export const tidy = (text: string): string =>
  text.replace(TIME, '').trimEnd().replace(UNATTENDED, '').trimEnd().replace(DELIVERY, '').trim()
