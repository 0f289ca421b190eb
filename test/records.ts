import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A home for one test, which is deleted when the test ends. */
export function temporaryHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-test-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

/** A home for all tests of a file, which is deleted after the last one. */
export function sharedHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-test-')))
  afterAll(() => rmSync(home, { recursive: true }))
  return home
}

/**
 * Writes a file and the folders above it. Objects become lines of JSON; anything else is written as it is.
 */
export function put(path: string, content: string | Buffer | readonly object[]): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Array.isArray(content) ? linesOf(content) : (content as string))
  return path
}

const linesOf = (records: readonly object[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join('')

/** Appends records to a file, each as a line. */
export const append = (path: string, ...records: readonly object[]): void =>
  appendFileSync(path, linesOf(records))

/** Writes a program into the folder `bin` of a home, as a script of the shell. */
export function putProgram(home: string, name: string, script: string): string {
  const path = put(join(home, 'bin', name), `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** A token of GitHub, in parts, so that no scanner takes this file for a leak. */
export const TOKEN = ['ghp', 'k3Zq9XbT1vLw8RmC5yNd2HsJ7uPf4GaE6oQi'].join('_')

/** A UUID that ends in the number. */
export const uuid = (number: number): string => `0a1b2c3d-1111-4222-8333-${String(number).padStart(12, '0')}`

const minute = (number: number): string => new Date(Date.UTC(2026, 10, 1, 10, number)).toISOString()

/** Lines as Claude Code writes them; `number` determines the record's id and its minute. */
export const claude = {
  user: (number: number, text: string, more: object = {}) => ({
    parentUuid: number > 1 ? uuid(number - 1) : null,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/ann/garden',
    sessionId: uuid(0),
    version: '2.1.112',
    type: 'user',
    message: { role: 'user', content: text },
    uuid: uuid(number),
    timestamp: minute(number),
    ...more,
  }),
  /** One block of a reply: Claude Code writes each on a line of its own. */
  block: (number: number, reply: string, content: object) =>
    claude.reply(number, [content], {
      message: { id: reply, role: 'assistant', model: 'claude-sonnet-4-5', content: [content] },
    }),
  reply: (number: number, content: readonly object[], more: object = {}) => ({
    ...claude.user(number, ''),
    type: 'assistant',
    message: {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-6',
      content,
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 5 },
    },
    ...more,
  }),
  result: (number: number, callId: string, content: string, isError = false) => ({
    ...claude.user(number, ''),
    message: {
      role: 'user',
      content: [
        { tool_use_id: callId, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) },
      ],
    },
    toolUseResult: content,
  }),
}

export const text = (words: string) => ({ type: 'text', text: words })
export const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })

/** A Claude Code transcript in a home. */
export const putClaude = (
  home: string,
  session: string,
  lines: readonly object[],
  slug = '-home-ann-garden',
) => put(join(home, '.claude/projects', slug, `${session}.jsonl`), lines)

/** This many prompts, from a number on. */
export const userLines = (from: number, count: number, words = 'fern') =>
  Array.from({ length: count }, (_, number) => claude.user(from + number, `${words} ${from + number}`))

/** Lines as OpenClaw writes them. */
export const openclaw = {
  header: (id: string, cwd = '/home/ann/.openclaw/workspace') => ({
    type: 'session',
    version: 3,
    id,
    timestamp: minute(0),
    cwd,
  }),
  message: (number: number, message: object) => ({
    type: 'message',
    id: String(number).padStart(8, '0'),
    parentId: number > 1 ? String(number - 1).padStart(8, '0') : null,
    timestamp: minute(number),
    message: { ...message, timestamp: Date.parse(minute(number)) },
  }),
  user: (number: number, words: string) => openclaw.message(number, { role: 'user', content: [text(words)] }),
  reply: (number: number, content: readonly object[]) =>
    openclaw.message(number, { role: 'assistant', content, stopReason: 'stop', model: 'gpt-6' }),
}

export const putOpenclaw = (home: string, name: string, lines: readonly object[] | Buffer, agent = 'main') =>
  put(join(home, '.openclaw/agents', agent, 'sessions', name), lines)

/** The session index of an agent of OpenClaw: the entries by their keys. */
export const putSessionIndex = (home: string, entries: object, agent = 'main') =>
  put(join(home, '.openclaw/agents', agent, 'sessions/sessions.json'), JSON.stringify(entries))
