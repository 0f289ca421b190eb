import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Json, run } from './program.ts'
import { call, claude, openclaw, put, putClaude, text } from './records.ts'

/** When the sessions here run, as the records of `claude` have it; git works an hour before or after it. */
const DAY = '2026-11-01'

export const EARLIER = `${DAY}T09:00:00Z`
export const LATER = `${DAY}T12:00:00Z`

/** Runs git in a folder, as Ann at that time. */
export const git = (folder: string, at: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], {
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** Commits all files of a folder, which becomes a repository. */
export function commit(folder: string, at: string): void {
  git(folder, at, 'init', '-q')
  git(folder, at, 'add', '.')
  git(folder, at, 'commit', '-q', '-m', `All files at ${at}`)
}

/** A session of Claude Code with one prompt and one call that edits a file, and its result if there is one. */
export function putEdit(
  home: string,
  session: string,
  { cwd, prompt, input, result }: { cwd: string; prompt: string; input: object; result: object | undefined },
): void {
  const records = [
    claude.user(1, prompt),
    claude.reply(2, [call('toolu_2', 'Edit', input)]),
    ...(result ? [{ ...claude.result(3, 'toolu_2', 'Updated.'), toolUseResult: result }] : []),
  ]
  putClaude(
    home,
    session,
    records.map((record) => ({ ...record, cwd })),
    cwd.replace(/[^a-zA-Z0-9]/g, '-'),
  )
}

/** A thread of Codex on the same day: a prompt, and patches with their results. */
export function putPatches(
  home: string,
  { cwd, id, prompt, at }: { cwd: string; id: string; prompt: string; at: string },
  patches: readonly { patch: string; result: string }[],
): void {
  const item = (payload: object) => ({ timestamp: `${DAY}T${at}.000Z`, type: 'response_item', payload })
  put(join(home, `.codex/sessions/2026/11/01/rollout-2026-11-01T${at.replaceAll(':', '-')}-${id}.jsonl`), [
    { ...item({ id, timestamp: `${DAY}T${at}.000Z`, cwd, originator: 'x' }), type: 'session_meta' },
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }),
    { ...item({ type: 'user_message', message: prompt }), type: 'event_msg' },
    ...patches.flatMap(({ patch, result }, index) => {
      const own = { call_id: `call_${index}` }
      const input = `*** Begin Patch\n${patch}\n*** End Patch`
      return [
        item({ type: 'custom_tool_call', name: 'apply_patch', input, ...own }),
        item({ type: 'custom_tool_call_output', output: result, ...own }),
      ]
    }),
  ])
}

/** A session of pi with one prompt and one edit, whose result has the diff of the client. */
export function putPiEdit(
  home: string,
  { cwd, prompt, input, diff }: { cwd: string; prompt: string; input: object; diff?: string },
): void {
  const id = '0a1b2c3d-9999-4222-8333-000000000001'
  const folder = `--${cwd.slice(1).replaceAll('/', '-')}--`
  const details = diff === undefined ? {} : { details: { diff } }
  put(join(home, `.pi/agent/sessions/${folder}/2026-11-01T10-00-00-000Z_${id}.jsonl`), [
    openclaw.header(id, cwd),
    openclaw.user(1, prompt),
    openclaw.reply(2, [{ type: 'toolCall', id: 'call_1', name: 'edit', arguments: input }]),
    openclaw.message(3, {
      ...{ role: 'toolResult', toolCallId: 'call_1', toolName: 'edit', isError: false, ...details },
      content: [text('Replaced.')],
    }),
  ])
}

/** A session of Copilot with one prompt and one edit, and the events that follow it. */
export function putCopilotEdit(
  home: string,
  {
    cwd,
    prompt,
    input,
    events,
  }: { cwd: string; prompt: string; input: object; events: readonly { type: string; data: object }[] },
): void {
  const id = '0a1b2c3d-8888-4222-8333-000000000001'
  const request = { toolCallId: 'call_1', name: 'edit', arguments: input, type: 'function' }
  const all = [
    { type: 'session.start', data: { sessionId: id, version: 1, context: { cwd } } },
    { type: 'user.message', data: { content: prompt } },
    { type: 'assistant.message', data: { messageId: 'm', content: '', toolRequests: [request] } },
    ...events.map(({ type, data }) => ({ type, data: { toolCallId: 'call_1', ...data } })),
  ]
  put(
    join(home, `.copilot/session-state/${id}/events.jsonl`),
    all.map((event, number) => ({
      ...event,
      id: `0a1b2c3d-7777-4222-8333-00000000000${number}`,
      parentId: number === 0 ? null : `0a1b2c3d-7777-4222-8333-00000000000${number - 1}`,
      timestamp: `${DAY}T10:0${number}:00.000Z`,
    })),
  )
}

/** The changes that a file or a line is traced to. */
export const changesOf = (home: string, cwd: string, target: string): Json[] => {
  const { stdout } = run(['why', target, '--json'], home, { cwd })
  return JSON.parse(stdout).changes
}

/** The prompts that they are traced to. */
export const asked = (home: string, cwd: string, target: string): string[] =>
  changesOf(home, cwd, target).map((change) => change.asked.text)
