/**
 * Writes invented Claude Code transcripts: `node bench/generate.ts <folder> <megabytes> [files]`. The same
 * arguments always give the same bytes. The shares of record types, line lengths and repetitions are those of
 * a gigabyte of real transcripts: tool results 57 %, assistant lines 22 %, progress 16 %, the rest 5 %.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, inventCode, inventProse } from './invent.ts'

const SHARES = { results: 0.57, assistant: 0.22, progress: 0.16 }
const PROJECTS = 24

/** The sessions are spread over this many projects. */
export function generateTree(
  folder: string,
  megabytes: number,
  files: number,
  projects: number = PROJECTS,
): void {
  rmSync(folder, { recursive: true, force: true })
  const random = createRandom(megabytes * 1000 + files)
  const code = inventCode(random, 400_000)
  const prose = inventProse(random, 200_000)
  const average = (megabytes * 1_000_000) / files
  for (let file = 0; file < files; file++) {
    const project = `/home/dev/code/project-${String(file % projects).padStart(2, '0')}`
    const slug = project.replace(/[^a-zA-Z0-9]/g, '-')
    const directory = join(folder, 'projects', slug)
    mkdirSync(directory, { recursive: true })
    // Sizes differ by two orders of magnitude, as in real trees. The total is as requested.
    const spread = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.7, 4][file % 9]! * 0.9
    const id = `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`
    writeFileSync(
      join(directory, `${id}.jsonl`),
      transcript(random, id, project, average * spread, code, prose, file),
    )
  }
}

const hex = (random: () => number, length: number): string => {
  let text = ''
  while (text.length < length) text += Math.floor(random() * 16).toString(16)
  return text
}

function transcript(
  random: () => number,
  sessionId: string,
  cwd: string,
  bytes: number,
  code: string,
  prose: string,
  seed: number,
): string {
  const lines: string[] = []
  const written = { results: 0, assistant: 0, progress: 0, rest: 0 }
  let at = Date.UTC(2026, 8, 1) + seed * 3_600_000
  let parentUuid: string | null = null
  const total = (): number => written.results + written.assistant + written.progress + written.rest
  const uuid = (): string =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-b${hex(random, 3)}-${hex(random, 12)}`
  const put = (share: keyof typeof written, entry: object): void => {
    const line = JSON.stringify(entry)
    written[share] += Buffer.byteLength(line) + 1
    lines.push(line)
  }
  const slice = (text: string, length: number): string => {
    const from = Math.floor(random() * (text.length - length))
    return text.slice(from, from + length)
  }
  const envelope = () => {
    const id = uuid()
    at += 900 + Math.floor(random() * 40_000)
    const before = parentUuid
    parentUuid = id
    return {
      head: {
        parentUuid: before,
        isSidechain: false,
        userType: 'external',
        cwd,
        sessionId,
        version: '2.1.32',
        gitBranch: 'main',
      },
      tail: { uuid: id, timestamp: new Date(at).toISOString() },
    }
  }
  const human = (): void => {
    const { head, tail } = envelope()
    put('rest', {
      ...head,
      type: 'user',
      message: { role: 'user', content: slice(prose, 40 + Math.floor(random() * 400)) },
      ...tail,
      permissionMode: 'default',
    })
    // The client's own records are larger than the messages.
    const trackedFileBackups: Record<string, object> = {}
    for (let file = 0; file < 24; file++)
      trackedFileBackups[`src/part-${file}.ts`] = {
        backupFileName: `${hex(random, 16)}@v${file % 4}`,
        version: file % 4,
        backupTime: tail.timestamp,
      }
    put('rest', {
      type: 'file-history-snapshot',
      messageId: tail.uuid,
      snapshot: { messageId: tail.uuid, trackedFileBackups, timestamp: tail.timestamp },
      isSnapshotUpdate: false,
    })
  }
  human()
  while (total() < bytes) {
    if (written.rest < total() * 0.05) human()
    const messageId = `msg_01${hex(random, 22)}`
    const requestId = `req_01${hex(random, 20)}`
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 812,
      cache_read_input_tokens: 41_200,
      output_tokens: 3,
      service_tier: 'standard',
    }
    const say = (content: object): void => {
      const { head, tail } = envelope()
      const message = {
        model: 'claude-opus-4-5-20251101',
        id: messageId,
        type: 'message',
        role: 'assistant',
        content: [content],
        stop_reason: null,
        stop_sequence: null,
        usage,
      }
      put('assistant', {
        ...head,
        type: 'assistant',
        message,
        requestId,
        ...tail,
      })
    }
    const room = Math.max(400, Math.min(9000, total() * SHARES.assistant - written.assistant))
    if (random() < 0.3)
      say({ type: 'thinking', thinking: slice(prose, Math.floor(room / 3)), signature: hex(random, 300) })
    if (random() < 0.6) say({ type: 'text', text: slice(prose, 80 + Math.floor(random() * 500)) })
    const call = `toolu_01${hex(random, 22)}`
    const edit = random() < 0.3
    say(
      edit
        ? {
            type: 'tool_use',
            id: call,
            name: 'Edit',
            input: {
              file_path: `${cwd}/src/part-${Math.floor(random() * 90)}.ts`,
              old_string: slice(code, 200),
              new_string: slice(code, Math.max(210, Math.floor(room / 2))),
            },
          }
        : {
            type: 'tool_use',
            id: call,
            name: random() < 0.5 ? 'Bash' : 'Read',
            input:
              random() < 0.5
                ? { command: 'npm test -- --run' }
                : { file_path: `${cwd}/src/part-${Math.floor(random() * 90)}.ts` },
          },
    )
    for (let most = 6; most > 0 && written.progress < total() * SHARES.progress; most--) {
      const { head, tail } = envelope()
      put('progress', {
        ...head,
        type: 'progress',
        data: {
          type: 'bash_progress',
          output: slice(code, 900),
          fullOutput: slice(code, 1500),
          elapsedTimeSeconds: 4,
          totalLines: 30,
        },
        toolUseID: call,
        parentToolUseID: call,
        ...tail,
      })
    }
    // Most results are short, some are files.
    const output = slice(
      code,
      random() < 0.6 ? 100 + Math.floor(random() * 900) : 1500 + Math.floor(random() * 11_000),
    )
    const failed = random() < 0.04
    const { head, tail } = envelope()
    put('results', {
      ...head,
      type: 'user',
      message: {
        role: 'user',
        content: [
          {
            tool_use_id: call,
            type: 'tool_result',
            content: failed ? `Exit code 1\n${output}` : output,
            is_error: failed,
          },
        ],
      },
      ...tail,
      toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
    })
  }
  return `${lines.join('\n')}\n`
}

if (import.meta.main) {
  const [folder, megabytes, files] = process.argv.slice(2)
  if (!folder || !megabytes) throw new Error('node bench/generate.ts <folder> <megabytes> [files]')
  generateTree(folder, Number(megabytes), Number(files ?? Math.max(8, Math.round(Number(megabytes) * 0.9))))
}
