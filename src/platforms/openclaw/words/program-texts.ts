import type { SessionKind } from '../../../model/event.ts'

/** A user message that was written entirely by a program. */
interface ProgramText {
  label: string
  /** The kind of session it proves. Absent if it also occurs among a human's messages. */
  kind?: SessionKind
  /** The text to show; empty if it is only context. */
  text: string
}

interface Rule {
  begins: RegExp
  label: string
  kind?: SessionKind
  words?(text: string): string
}

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

/** How a command ended, with an id, a session or an exit code in brackets. */
const EXEC_NOTICE =
  /^Exec (?:finished|completed|failed|denied|running|timed out) \((?:[^()\n]*\b(?:id=|session=|code -?\d|signal |user-denied|approval)[^()\n]*)\)/

/**
 * Only separate sessions begin with `[cron:`, a task or a hook. Reminders and events wake the main session
 * like a heartbeat, and a human may continue it.
 */
const RULES: readonly Rule[] = [
  { begins: /^\[cron:[^\]\n]*\]/, label: 'cron', kind: 'cron', words: after(/^\[cron:[^\]\n]*\] ?/) },
  { begins: /^\[Subagent (?:Context|Task)\]/, label: 'subagent task', kind: 'subagent', words: subagentTask },
  { begins: /^Read HEARTBEAT\.md if /, label: 'heartbeat', kind: 'heartbeat' },
  { begins: /^\[OpenClaw heartbeat poll\]/, label: 'heartbeat', kind: 'heartbeat' },
  { begins: /^Run the following periodic tasks \(only those due/, label: 'heartbeat', kind: 'heartbeat' },
  { begins: /^Follow the heartbeat monitor scratch context/, label: 'heartbeat', kind: 'heartbeat' },
  { begins: /^\[OpenClaw cron wake\]/, label: 'cron', kind: 'heartbeat' },
  { begins: /^\[OpenClaw exec completion\]/, label: 'exec completion', kind: 'heartbeat' },
  { begins: /^\[OpenClaw session event\]/, label: 'session event', kind: 'heartbeat' },
  {
    begins: /^\[OpenClaw session (?:new|reset)\]/,
    label: 'session start',
    words: () => 'A new session was started.',
  },
  {
    begins: /^A new session was started via \/new or \/reset/,
    label: 'session start',
    words: () => 'A new session was started.',
  },
  {
    begins: /^A scheduled reminder has been triggered/,
    label: 'reminder',
    kind: 'heartbeat',
    words: reminder,
  },
  { begins: /^A scheduled cron event was triggered/, label: 'reminder', kind: 'heartbeat', words: nothing },
  {
    begins: /^An async command (?:you ran earlier has completed|completion event was triggered)/,
    label: 'exec completion',
    kind: 'heartbeat',
  },
  {
    // The following line proves that the first one is not a quotation.
    begins: /^An async command (?:the user already approved has completed|did not run)\.\s*\n+Do not run /,
    label: 'exec completion',
    words: completion,
  },
  { begins: EXEC_NOTICE, label: 'exec completion' },
  { begins: /^A (?:background|subagent) task "/, label: 'subagent result', words: result },
  { begins: /^A cron job "/, label: 'cron result', words: result },
  { begins: /^\[System Message\]/, label: 'subagent result', words: result },
  { begins: /^\[Internal task completion event\]/, label: 'subagent result', words: result },
  { begins: /^OpenClaw runtime (?:context|event)\b/, label: 'subagent result', words: result },
  { begins: /^Continue the OpenClaw runtime event\.$/, label: 'runtime event' },
  { begins: /^\[Queued announce messages while agent was busy\]/, label: 'subagent result', words: queued },
  { begins: /^\[Inter-session message\]/, label: 'inter-session', words: interSession },
  { begins: /^Agent-to-agent announce step\./, label: 'inter-session' },
  { begins: /^\[Post-compaction context refresh\]/, label: 'context', words: nothing },
  { begins: /^Pre-compaction memory flush\./, label: 'memory flush' },
  {
    begins: /^Continue where you left off\. The previous model attempt failed or timed out\./,
    label: 'retry',
  },
  {
    begins: /^\[Retry after the previous model attempt failed or timed out\]/,
    label: 'retry',
    words: after(/^\[Retry after [^\]\n]*\]\s*(?:\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} [^\]\n]*\] ?)?/),
  },
  { begins: /^\[System\] Your previous turn was interrupted by a gateway restart/, label: 'retry' },
  { begins: /^You are running a boot check/, label: 'boot', kind: 'program' },
  {
    begins: /^SECURITY NOTICE: The following content is from an EXTERNAL/,
    label: 'hook',
    kind: 'hook',
    words: external,
  },
  { begins: /^Wake up, my friend!$/, label: 'onboarding' },
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
  const rule = RULES.find(({ begins }) => begins.test(text))
  if (!rule) return undefined
  const words = rule.words ? rule.words(text) : text
  return { label: rule.label, kind: rule.kind, text: tidy(words) }
}

/** A prompt without the time and the delivery instructions below it. */
export const tidy = (text: string): string =>
  text.replace(TIME, '').trimEnd().replace(UNATTENDED, '').trimEnd().replace(DELIVERY, '').trim()
